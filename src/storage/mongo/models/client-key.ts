import { defineSchema } from './define-schema.ts';

export interface ClientKeyDocument {
  readonly _id: number;
  readonly projectId: number;
  readonly active: boolean;
  readonly publicKey: string;
  readonly createdAt: number;
  /** Absent, or null: never. */
  readonly lastUsedAt?: number | null;
  /** The project's id on the one key that was made because the project had no active one: of two at once one is refused. */
  readonly ensured?: number;
}

export const clientKeySchema = defineSchema<ClientKeyDocument>(
  'clientkeys',
  {
    _id: Number,
    projectId: Number,
    active: Boolean,
    publicKey: String,
    createdAt: Number,
    lastUsedAt: Number,
    ensured: Number,
  },
  [
    { name: 'by_public_key', key: { publicKey: 1 }, unique: true },
    { name: 'of_project', key: { projectId: 1, _id: 1 } },
    { name: 'ensured', key: { ensured: 1 }, unique: true, partialFilterExpression: { ensured: { $exists: true } } },
  ],
);
