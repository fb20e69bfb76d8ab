import type { TokenScope } from '../../../domain/account.ts';
import { defineSchema } from './define-schema.ts';

export interface AccessTokenDocument {
  readonly _id: number;
  readonly userId: number;
  readonly name: string;
  /** Absent, or null: none was given. */
  readonly description?: string | null;
  /** Lower-case hex SHA-256. */
  readonly hash: string;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Absent, or null: never. */
  readonly lastUsedAt?: number | null;
}

export const accessTokenSchema = defineSchema<AccessTokenDocument>(
  'tokens',
  {
    _id: Number,
    userId: Number,
    name: String,
    description: String,
    hash: String,
    scopes: [String],
    createdAt: Number,
    expiresAt: Number,
    revokedAt: Number,
    lastUsedAt: Number,
  },
  [
    { name: 'by_hash', key: { hash: 1 }, unique: true },
    { name: 'of_user', key: { userId: 1, _id: 1 } },
  ],
);
