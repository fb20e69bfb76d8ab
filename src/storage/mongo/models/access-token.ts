import type { TokenScope } from '../../../domain/account.ts';
import { defineSchema } from './define-schema.ts';

export interface AccessTokenDocument {
  readonly _id: number;
  readonly userId: number;
  readonly name: string;
  /** Lower-case hex SHA-256. */
  readonly hash: string;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export const accessTokenSchema = defineSchema<AccessTokenDocument>(
  'tokens',
  {
    _id: Number,
    userId: Number,
    name: String,
    hash: String,
    scopes: [String],
    createdAt: Number,
    expiresAt: Number,
    revokedAt: Number,
  },
  [
    { name: 'by_hash', key: { hash: 1 }, unique: true },
    { name: 'of_user', key: { userId: 1, _id: 1 } },
  ],
);
