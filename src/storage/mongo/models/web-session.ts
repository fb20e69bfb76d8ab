import { defineSchema } from './define-schema.ts';

/** A browser that a person is signed in with; counts only while its epoch is that of its person. */
export interface WebSessionDocument {
  /** Lower-case hex SHA-256 of the id that only the browser has. */
  readonly _id: string;
  readonly userId: number;
  readonly epoch: number;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly endsAt: number;
}

export const webSessionSchema = defineSchema<WebSessionDocument>(
  'websessions',
  { _id: String, userId: Number, epoch: Number, createdAt: Number, usedAt: Number, endsAt: Number },
  [
    { name: 'of_user', key: { userId: 1, usedAt: -1 } },
    { name: 'by_end', key: { endsAt: 1 } },
  ],
);
