import type { DigestedEvent } from '../../../domain/ingest/digest.ts';
import { errorUserKey, groupHashOf, hexBinary } from '../documents/document-keys.ts';
import type { ErrorUserDocument } from '../documents/error-documents.ts';
import type { KnownRows } from './known/known-rows.ts';
import { claimRows, hex } from './marked-rows.ts';
import type { TakeOptions } from './new-events.ts';

export interface TakenUsers {
  /** Number of rows that this batch counts, per group hash. */
  readonly perGroupHash: ReadonlyMap<string, number>;
  /** All rows of the batch, as group hash and user hash: durably known when the batch is closed. */
  readonly rows: readonly string[];
  /** Share of existing rows among those not known, 0 to 1. */
  readonly found: number;
}

/**
 * Inserts missing (error, user) rows. Rows are removed only with their project, so rows of earlier, closed batches need
 * no look-up.
 */
export async function takeUsers(
  events: readonly DigestedEvent[],
  known: KnownRows,
  lookFirst: boolean,
  options: TakeOptions,
): Promise<TakenUsers> {
  const { collections, slots, claim } = options;
  const names = new Set<string>();
  const rows: ErrorUserDocument[] = [];
  for (const { projectId, groupHash, userHash } of events) {
    if (userHash === null || names.size === names.add(groupHash + userHash).size || known.has(groupHash + userHash)) {
      continue;
    }
    rows.push({
      _id: errorUserKey(projectId, groupHash, userHash),
      p: projectId,
      s: claim.slot,
      n: claim.n,
      h: hexBinary(userHash),
    });
  }
  const perGroupHash = new Map<string, number>();
  const owners = await claimRows(collections.errorUsers, rows, {
    claim,
    slots,
    projection: { p: 1, s: 1, n: 1 },
    lookFirst,
  });
  let found = 0;
  for (const { _id } of rows) {
    const owner = owners.get(hex(_id));
    found += owner === 'inserted' ? 0 : 1;
    if (owner !== 'other') {
      const groupHash = groupHashOf(_id);
      perGroupHash.set(groupHash, (perGroupHash.get(groupHash) ?? 0) + 1);
    }
  }
  return { perGroupHash, rows: [...names], found: rows.length === 0 ? 1 : found / rows.length };
}
