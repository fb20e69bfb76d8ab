import { errorHoursKey, errorUserKey, groupHashOf, type Binary } from '../documents/document-keys.ts';
import type { SlotDocument, Watermarks } from '../documents/documents.ts';
import { allDone } from './all-done.ts';
import { duplicatesIn } from './answers.ts';
import { byId, type BatchCollections, type Doc } from '../engine/batch-collections.ts';

/** Error that is deleted: its document's id and its number. */
export interface DeletedGroup {
  readonly _id: Binary;
  readonly id: number;
}

export interface DeletionDeps {
  readonly collections: BatchCollections;
  /** Waits for the batches that are open now. */
  readonly batchesEnded: () => Promise<void>;
  /** Removes what batches do not count: payloads, reports, notes. May be repeated. */
  readonly removeRest: (p: number, groups: readonly DeletedGroup[]) => Promise<void>;
}

const USER_DIGITS = 24;
/** Errors worked on at once. */
const AT_ONCE = 10;

/** Calls a step for each, some at once; waits for all of them, and throws what the first failed one threw. */
export async function inParallel<T>(all: readonly T[], step: (each: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await allDone(all.slice(from, from + AT_ONCE).map(step));
  }
}

/**
 * Deletes errors of a project, without transactions. A row per group hash tells batches to leave it alone: those that
 * begin from now on delete their events of it at once. Then it waits for the batches that were open, notes the newest
 * batch of each slot, so that a replay of one of them writes nothing, and removes the data. After a crash the same call
 * completes it. `now`: milliseconds since the epoch.
 */
export async function deleteGroups(
  deps: DeletionDeps,
  p: number,
  groups: readonly DeletedGroup[],
  now: number,
): Promise<void> {
  const { deletedErrors, projects, slots } = deps.collections;
  const sorted = [...groups].sort((a, b) => byId(a._id, b._id));
  const each = (updateOf: (group: DeletedGroup) => Doc, upsert = false) =>
    sorted.map((group) => ({ filter: { _id: group._id, p }, update: updateOf(group), upsert }));
  const put = each(({ id }) => ({ $set: { busy: 1, at: now, id }, $unset: { w: '' } }), true);
  // Another process may delete the same: then both rows are the same one.
  duplicatesIn(await deletedErrors.updateEach(put, 'deleted_errors.put'));
  // Batches read the project first, so those that begin from now on find the rows.
  const raise = { filter: { _id: p }, update: { $inc: { deletions: 1 } }, upsert: false };
  duplicatesIn(await projects.updateEach([raise], 'projects.update'));
  await deps.batchesEnded();
  const claimed = (await slots.find({}, { n: 1 }, 'majority')) as unknown as Pick<SlotDocument, '_id' | 'n'>[];
  const w = Object.fromEntries(claimed.map(({ _id, n }) => [String(_id), n]));
  duplicatesIn(await deletedErrors.updateEach(each(() => ({ $set: { w } })), 'deleted_errors.end')); // prettier-ignore
  const keys = sorted.map(({ _id }) => _id);
  // Lists do not show them from here on.
  duplicatesIn(await deps.collections.errors.deleteMany({ _id: { $in: keys }, p }, 'errors.delete'));
  duplicatesIn(await deps.collections.errorTags.deleteMany({ _id: { $in: keys }, p }, 'tags.delete'));
  await inParallel(sorted, async ({ _id }) => {
    const { hours, users } = rangesOf(p, groupHashOf(_id));
    duplicatesIn(await deps.collections.errorHours.deleteMany({ _id: hours, p }, 'hours.delete_of_error'));
    duplicatesIn(await deps.collections.errorUsers.deleteMany({ _id: users, p }, 'error_users.delete_of_error'));
  });
  await deps.removeRest(p, sorted);
  duplicatesIn(await deletedErrors.updateEach(each(() => ({ $set: { busy: 2 } })), 'deleted_errors.end')); // prettier-ignore
}

/**
 * Removes what writes of batches that belong to a deletion have left after it, because the server carried them out late.
 * What later batches have written too stays as it is.
 */
export async function removeLateWrites(
  { collections }: Pick<DeletionDeps, 'collections'>,
  p: number,
  { _id, w }: { readonly _id: Binary; readonly w: Watermarks },
): Promise<void> {
  const isLate = (marks: Watermarks) =>
    Object.keys(marks).length > 0 && Object.entries(marks).every(([slot, n]) => n <= (w[slot] ?? -1));
  const { hours, users } = rangesOf(p, groupHashOf(_id));
  const counted = [
    ['errors', _id, 'deleted_errors.late'],
    ['errorTags', _id, 'deleted_errors.late'],
    ['errorHours', hours, 'hours.late'],
  ] as const;
  for (const [name, own, query] of counted) {
    const rows = (await collections[name].find({ _id: own, p }, { w: 1 }, 'majority', query)) as unknown as {
      readonly _id: Binary;
      readonly w?: Watermarks;
    }[];
    for (const row of rows.filter(({ w: marks = {} }) => isLate(marks))) {
      const unchanged = Object.fromEntries(Object.entries(row.w ?? {}).map(([slot, n]) => [`w.${slot}`, n]));
      duplicatesIn(await collections[name].deleteMany({ _id: row._id, p, ...unchanged }, 'deleted_errors.late'));
    }
  }
  const marked = (await collections.errorUsers.find(
    { _id: users, p },
    { s: 1, n: 1 },
    'majority',
    'error_users.late',
  )) as unknown as {
    readonly _id: Binary;
    readonly s: number;
    readonly n: number;
  }[];
  for (const row of marked.filter(({ s, n }) => s >= 0 && isLate({ [String(s)]: n }))) {
    const { s, n } = row;
    duplicatesIn(await collections.errorUsers.deleteMany({ _id: row._id, p, s, n }, 'error_users.late'));
  }
  duplicatesIn(
    await collections.deletedErrors.updateEach(
      [{ filter: { _id, p, busy: 2 }, update: { $unset: { busy: '' } }, upsert: false }],
      'deleted_errors.end',
    ),
  );
}

function rangesOf(p: number, groupHash: string) {
  const hours = { $gte: errorHoursKey(p, groupHash, 0), $lte: errorHoursKey(p, groupHash, 0xffff_ffff) };
  const users = {
    $gte: errorUserKey(p, groupHash, '0'.repeat(USER_DIGITS)),
    $lte: errorUserKey(p, groupHash, 'f'.repeat(USER_DIGITS)),
  };
  return { hours, users } as const;
}
