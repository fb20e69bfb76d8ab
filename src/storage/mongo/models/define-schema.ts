import { Schema, type SchemaDefinition } from 'mongoose';

/** A named index; every index of the store is listed with its collection and made only by set-up and migration. */
export interface IndexSpec {
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
  /** Only documents that match are in the index; a query must repeat the condition to use it. */
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
}

/** Types are BSON's; unknown members in a filter are an error instead of silently matching everything. */
export function defineSchema<T>(
  collection: string,
  definition: SchemaDefinition,
  indexes: readonly IndexSpec[] = [],
): Schema<T> {
  const schema = new Schema<T>(definition as SchemaDefinition<T>, {
    collection,
    autoIndex: false,
    autoCreate: false,
    versionKey: false,
    id: false,
    minimize: false,
    strict: 'throw',
    strictQuery: 'throw',
  });
  for (const { name, key, unique, partialFilterExpression } of indexes) {
    schema.index(
      { ...key },
      {
        name,
        ...(unique === undefined ? {} : { unique }),
        ...(partialFilterExpression === undefined ? {} : { partialFilterExpression }),
      },
    );
  }
  return schema;
}
