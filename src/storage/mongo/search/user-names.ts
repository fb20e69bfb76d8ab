import { hashOfIdentity, hashOfName, IDENTITIES } from '../../../lib/user-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { userNameKey } from '../documents/document-keys.ts';
import { reading } from '../engine/operation-options.ts';
import { meta } from '../../records/kinds/value-kinds.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import { MAX_USERS_OF_NAME } from '../../limits.ts';

const HASH_DIGITS = 24;

/** Returns the hashes in hex of at most MAX_USERS_OF_NAME users with an id, e-mail address, user name or IP address. */
export async function usersNamed(context: MongoContext, p: number, name: string): Promise<string[]> {
  const salt = (await mongoRecords(context).get(meta, { key: 'user_salt' }))?.value ?? null;
  if (salt === null) return [];
  const text = name.trim();
  const own = IDENTITIES.map((kind) => hashOfIdentity(salt, p, `${kind}:${text}`));
  const nameHash = hashOfName(salt, p, text);
  const range = {
    $gte: userNameKey(p, nameHash, '0'.repeat(HASH_DIGITS)),
    $lte: userNameKey(p, nameHash, 'f'.repeat(HASH_DIGITS)),
  };
  const named = await context.collections.userNames
    .find({ _id: range, p }, reading('user_names.of_name', { _id: 1 }))
    .limit(MAX_USERS_OF_NAME)
    .toArray();
  return [...new Set([...own, ...named.map(({ _id }) => _id.toString('hex').slice(-HASH_DIGITS))])];
}
