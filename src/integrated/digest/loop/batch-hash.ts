import { createHash, type Hash } from 'node:crypto';

/** Begins the hash of batch `n`; `place` names the source of its bytes. Feed it with the members. */
export function beginBatchHash(journalId: string, n: number, place: string): Hash {
  return createHash('sha256').update(`${journalId} ${n} ${place} `);
}

/** Ends the hash: 32 hex digits. */
export function endBatchHash(hash: Hash): string {
  return hash.digest('hex').slice(0, 32);
}
