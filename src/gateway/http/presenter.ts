import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { isoTime } from './iso-time.ts';

/** Schema of an object in an answer. */
interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

type Name<S extends ObjectSchema> = keyof S['properties'] & string;
type RequiredName<S extends ObjectSchema> = S extends { readonly required: readonly (infer N)[] } ? N & Name<S> : never;

/** Name of a member in the domain: `createdAt` for `created_at`. */
type CamelCase<N> = N extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : N;

/** Null, for a schema of a nullable value. */
type NullOf<S> = S extends { readonly type: readonly unknown[] } ? null : never;

/** Value that is presented under a schema: times are milliseconds. */
type Source<S> = S extends { readonly anyOf: readonly [infer One, { readonly type: 'null' }] }
  ? Source<One> | null
  : S extends ObjectSchema
    ? Entity<S> | NullOf<S>
    : S extends { readonly items: infer Item }
      ? readonly Source<Item>[] | NullOf<S>
      : S extends { readonly format: 'date-time' }
        ? number | NullOf<S>
        : Leaf<S>;

type Frozen<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;
type Leaf<S> = S extends JSONSchema ? Frozen<FromSchema<S>> : never;

/** Values for the members of a schema, under their names in the domain. */
type Entity<S extends ObjectSchema> = {
  readonly [N in RequiredName<S> as CamelCase<N>]: Source<S['properties'][N]>;
} & { readonly [N in Exclude<Name<S>, RequiredName<S>> as CamelCase<N>]?: Source<S['properties'][N]> | undefined };

/** Member of an answer. */
type Presented<S> = S extends { readonly anyOf: readonly [infer One, { readonly type: 'null' }] }
  ? Presented<One> | null
  : S extends ObjectSchema
    ? Body<S> | NullOf<S>
    : S extends { readonly items: infer Item }
      ? readonly Presented<Item>[] | NullOf<S>
      : Leaf<S>;

type Body<S extends ObjectSchema> = { readonly [N in RequiredName<S>]: Presented<S['properties'][N]> } & {
  readonly [N in Exclude<Name<S>, RequiredName<S>>]?: Presented<S['properties'][N]>;
};

type Convert = (value: unknown) => unknown;

/** Returns the conversion of values of a schema; null: they are presented as they are. */
function conversion(schema: object): Convert | null {
  const { format, anyOf, items, properties } = schema as Partial<Record<string, unknown>>;
  if (format === 'date-time') return (at) => isoTime(at as number);
  if (Array.isArray(anyOf))
    return (anyOf[1] as { type?: unknown }).type === 'null' ? conversion(anyOf[0] as object) : null;
  if (properties !== undefined) return objectConversion(schema as ObjectSchema);
  const ofItem = typeof items === 'object' && items !== null ? conversion(items) : null;
  return ofItem === null ? null : (list) => (list as readonly unknown[]).map(ofItem);
}

function objectConversion({ properties }: ObjectSchema): Convert {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    source: name.replaceAll(/_(.)/g, (_, first: string) => first.toUpperCase()),
    convert: conversion(schema),
  }));
  return (entity) => {
    const body: Record<string, unknown> = {};
    for (const { name, source, convert } of members) {
      const value = (entity as Readonly<Record<string, unknown>>)[source];
      if (value !== undefined) body[name] = convert === null || value === null ? value : convert(value);
    }
    return body;
  };
}

/**
 * Makes a function that presents an entity under a schema: the members of the schema, renamed, with times in ISO 8601.
 * Other members of the entity are left out, and so are optional ones that it does not have. A required one that it lacks
 * does not compile. Members that are no plain renaming are given beside the entity: `{ ...user, isAdmin: user.admin }`.
 */
export function presenter<const S extends ObjectSchema>(schema: S): (entity: Entity<S>) => Body<S> {
  const present = objectConversion(schema);
  return (entity) => present(entity) as Body<S>;
}
