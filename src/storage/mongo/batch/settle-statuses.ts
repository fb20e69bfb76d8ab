import { parseDetails } from '../../../domain/errors/status-details.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { newestEventPastRelease } from '../../state/newest-passing.ts';
import { releaseLimit } from '../../state/status-end.ts';
import { PASSED_STEP, stepOperation } from '../updates/users-steps.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { ownStatusEndOperation, NO_DETAILS, PROGRESS, type ProgressMembers } from '../updates/status-members.ts';
import { duplicatesIn } from './answers.ts';
import { byId, type BatchCollection, type BatchCollections, type UpdateOne } from '../engine/batch-collections.ts';
import { keyFilters } from './known/key-filters.ts';
import { hex } from './marked-rows.ts';
import { timesOfReleases } from './times-of-releases.ts';
import type { PlannedWrite } from '../engine/planned-write.ts';

/**
 * Matches errors whose status events may end, members of merged ones with such a status, and errors whose users may have
 * passed the next step.
 */
const WAITING = {
  $or: [
    { st: STATUS_CODES.resolved },
    { st: STATUS_CODES.ignored, det: { $gt: '' } },
    // In the order of texts, details with a member are between an open brace and none.
    { rdet: { $gt: '{', $lt: NO_DETAILS } },
    PASSED_STEP,
  ],
} as const;

type Settled = Pick<PlannedWrite, '_id' | 'p' | 'releases' | 'newest'>;
type SettledCollections = Pick<BatchCollections, 'errors' | 'releases' | 'buildReleases'>;
type SettledRow = ProgressMembers & Pick<ErrorDocument, 'un'>;

/**
 * Ends the status of errors whose events end it, and raises the step of affected users; both leave facts. Not guarded,
 * also in a replay: it depends on stored values and the plan only, and what was read must still be there. One read; more
 * only where a status waits for a release or ends, or a step is passed.
 */
export async function settleStatuses(
  { errors, ...times }: SettledCollections,
  writes: readonly Settled[],
): Promise<void> {
  for (const keys of keyFilters(writes)) {
    const rows = (await errors.find({ ...keys, ...WAITING }, SETTLED, 'local')) as unknown as SettledRow[];
    const passed = await passing(times, rows, writes);
    await update(
      errors,
      passed.map(({ _id, p, pas }) => ({ filter: { _id, p }, update: { $max: { pas } }, upsert: false })),
    );
    const settled = new Map(passed.map((row) => [hex(row._id), row]));
    const newest = new Map(writes.map((write) => [hex(write._id), write.newest]));
    const ends = rows.map((row) => ownStatusEndOperation(settled.get(hex(row._id)) ?? row, newest.get(hex(row._id))));
    await update(errors, ends.filter(isOperation));
    await update(errors, rows.map((row) => stepOperation(row, newest.get(hex(row._id)))).filter(isOperation));
  }
}

const SETTLED = { ...PROGRESS, un: 1 } as const;

const isOperation = (operation: UpdateOne | null): operation is UpdateOne => operation !== null;

/** Returns the rows that were resolved in a release, with their newest event of a newer one. */
async function passing(
  collections: Omit<SettledCollections, 'errors'>,
  rows: readonly ProgressMembers[],
  writes: readonly Settled[],
): Promise<ProgressMembers[]> {
  const inBatch = new Map(writes.map((write) => [hex(write._id), write.releases ?? []]));
  const waiting = rows.flatMap((row) => {
    const limit = releaseLimit(parseDetails(row.rdet ?? row.det ?? null), row.res);
    const seen = inBatch.get(hex(row._id)) ?? [];
    return limit === null || seen.length === 0 ? [] : [{ row, limit, seen }];
  });
  if (waiting.length === 0) return [];
  const named = waiting.flatMap(({ row: { p }, limit, seen }) =>
    [...seen.map(({ release }) => release), ...(limit.release === null ? [] : [limit.release])].map((release) => ({
      projectId: p,
      release,
    })),
  );
  const timeOf = await timesOfReleases(collections, named);
  return waiting.flatMap(({ row, limit, seen }) => {
    const newest = newestEventPastRelease(
      seen.map(({ release, at }) => [release, at] as const),
      limit,
      (release) => timeOf({ projectId: row.p, release }),
    );
    if (newest === null || newest.at <= (row.pas?.at ?? -Infinity)) return [];
    return [{ ...row, pas: { at: newest.at, r: newest.release } }];
  });
}

/** Writes in the order of keys, as the rest of a batch. */
async function update(errors: BatchCollection, operations: readonly UpdateOne[]): Promise<void> {
  if (operations.length === 0) return;
  const sorted = [...operations].sort((a, b) =>
    byId(a.filter._id as ProgressMembers['_id'], b.filter._id as ProgressMembers['_id']),
  );
  duplicatesIn(await errors.updateEach(sorted));
}
