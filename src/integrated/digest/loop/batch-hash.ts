import { createHash, type Hash } from 'node:crypto';

/** The hash of batch `n`; `place` tells where its bytes come from. To be fed with its members. */
export function beginBatchHash(journalId: string, n: number, place: string): Hash {
  return createHash('sha256').update(`${journalId} ${n} ${place} `);
}

/** Ends the hash: 32 hex digits. */
export function endBatchHash(hash: Hash): string {
  return hash.digest('hex').slice(0, 32);
}

/**
 * Whether a journal may go on behind batch `n` after a start. `last` is what the store knows: exactly this batch, or the
 * one before if this one is open. Anything else means that the journal is a copy, or one of both was restored.
 */
export function mayContinue(last: number, { n, open }: { readonly n: number; readonly open: boolean }): boolean {
  return last === n || (open && last === n - 1);
}
