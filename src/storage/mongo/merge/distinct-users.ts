import type { BatchCollection } from '../batch/batch-collections.ts';
import { errorUserKey, leafOf, type Binary } from '../documents.ts';
import type { MemberDocument } from './members.ts';

/** Users held in memory at once, about; some 100 bytes each. */
const HELD_USERS = 50_000;
/** Users looked up by one read. */
const CHUNK = 1000;
const HASH_DIGITS = 24;

/**
 * People among all members. Those of the member with most of them are known by number; of the others each is
 * counted once and looked up there, so that it costs little to merge small errors into a large one. Rows of an open
 * batch may be seen before their count: the next count, due when that comes, is right.
 */
export async function distinctUsers(users: BatchCollection, members: readonly MemberDocument[]): Promise<number> {
  const [largest, ...others] = [...members].sort((a, b) => b.u - a.u);
  if (largest === undefined) return 0;
  let distinct = largest.u;
  const held = others.reduce((sum, { u }) => sum + u, 0);
  const slices = held === 0 ? [] : held <= HELD_USERS ? [''] : BYTES;
  for (const slice of slices) {
    const hashes = new Set<string>();
    for (const { _id, p } of others) {
      const groupHash = leafOf(_id);
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

/** Beginnings of hashes that make parts of equal size. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

async function countKnown(users: BatchCollection, { _id, p }: MemberDocument, hashes: string[]): Promise<number> {
  const groupHash = leafOf(_id);
  let known = 0;
  for (let from = 0; from < hashes.length; from += CHUNK) {
    const keys = hashes.slice(from, from + CHUNK).map((hash) => errorUserKey(p, groupHash, hash));
    known += (await users.find({ _id: { $in: keys }, p }, { _id: 1 }, 'local')).length;
  }
  return known;
}
