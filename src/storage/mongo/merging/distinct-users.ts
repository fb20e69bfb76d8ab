import type { BatchCollection } from '../engine/batch-collections.ts';
import { errorUserKey, groupHashOf, type Binary } from '../documents/document-keys.ts';
import { ownUsers, type MemberDocument } from './members.ts';

/** Approximate maximum of users in memory; some 100 bytes each. */
const HELD_USERS = 50_000;
/** Users looked up per read. */
const CHUNK = 1000;
const HASH_DIGITS = 24;

/**
 * Counts distinct users of all members. Takes the count of the member with most users as it is. Collects the users of
 * the others, each once, and looks them up in that member. So merging small errors into a large one is cheap. Rows of
 * an open batch may appear before they are counted; the recount after it is correct.
 */
export async function distinctUsers(users: BatchCollection, members: readonly MemberDocument[]): Promise<number> {
  const [largest, ...others] = [...members].sort((a, b) => ownUsers(b) - ownUsers(a));
  if (largest === undefined) return 0;
  let distinct = ownUsers(largest);
  const held = others.reduce((sum, member) => sum + ownUsers(member), 0);
  const slices = held === 0 ? [] : held <= HELD_USERS ? [''] : BYTES;
  for (const slice of slices) {
    const hashes = new Set<string>();
    for (const { _id, p } of others) {
      const groupHash = groupHashOf(_id);
      const range = {
        $gte: errorUserKey(p, groupHash, slice.padEnd(HASH_DIGITS, '0')),
        $lte: errorUserKey(p, groupHash, slice.padEnd(HASH_DIGITS, 'f')),
      };
      const rows = await users.find({ _id: range, p }, { _id: 1 }, 'local');
      rows.forEach((row) => hashes.add((row._id as Binary).toString('hex').slice(-HASH_DIGITS)));
    }
    distinct += hashes.size - (await countKnown(users, largest, [...hashes]));
  }
  return distinct;
}

/** First bytes of hashes, which divide users into slices of about equal size. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

async function countKnown(users: BatchCollection, { _id, p }: MemberDocument, hashes: string[]): Promise<number> {
  const groupHash = groupHashOf(_id);
  let known = 0;
  for (let from = 0; from < hashes.length; from += CHUNK) {
    const keys = hashes.slice(from, from + CHUNK).map((hash) => errorUserKey(p, groupHash, hash));
    known += (await users.find({ _id: { $in: keys }, p }, { _id: 1 }, 'local')).length;
  }
  return known;
}
