import { MAX_DISCARDED, type DiscardedGroup } from '../../../domain/ports/stores/list-store.ts';
import type { MongoContext } from '../engine/context.ts';
import { confirmedCollections } from '../batch/answers.ts';
import { deleteGroups, inParallel, removeLateWrites, type DeletionDeps } from '../batch/deleted-groups.ts';
import { batchCollections } from '../batch/mongo-collections.ts';
import { groupHashOf, hexBinary } from '../documents/document-keys.ts';
import { UNFINISHED, type ErrorDocument } from '../documents/error-documents.ts';
import { batchesEnded } from '../imports/known-until.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { ignoreDuplicates } from '../engine/retry-duplicates.ts';
import { loadGroups, type ErrorGroup } from '../errors/error-groups.ts';
import { requireBulkStep } from '../../errors/bulk-step.ts';
import { removeErrorData } from './remove-error-data.ts';
import { requireRoomForDiscarded } from '../../refusals.ts';

/**
 * Milliseconds after which a deletion whose process is gone is completed by another one, and after which no write of a
 * batch of then can come.
 */
const SETTLED_MS = 120_000;
/** Maximum deletions that one call completes. */
const MAX_COMPLETED = 20;
const SHOWN = { 'last.title': 1, 'last.type': 1, 'g.last.title': 1, 'g.last.type': 1 } as const;

type Shown = Pick<ErrorDocument, 'last' | 'g'>;

export async function deleteErrors(
  context: MongoContext,
  p: number,
  errorIds: readonly string[],
  discard: boolean,
  userId: number | null,
  now: number,
): Promise<number> {
  requireBulkStep(errorIds);
  const found = await loadGroups<keyof Shown>(context, p, errorIds, SHOWN);
  if (found.length === 0) return 0;
  if (discard) await discardGroups(context, p, found, userId, now);
  const groups = found.flatMap(({ members }) => members).map(({ _id, id }) => ({ _id, id }));
  await deleteGroups(depsOf(context), p, groups, now);
  return found.length;
}

function depsOf(context: MongoContext): DeletionDeps {
  return {
    collections: confirmedCollections(batchCollections(context.connection)),
    batchesEnded: () => batchesEnded(context),
    removeRest: (p, groups) => removeErrorData(context, p, groups),
  };
}

/** Completes deletions whose process is gone, and looks for late writes of completed ones. Returns their number. */
export async function completeDeletions(context: MongoContext, now: number): Promise<number> {
  const rows = await context.collections.deletedErrors
    .find({ ...UNFINISHED, at: { $lt: now - SETTLED_MS } }, reading('deleted_errors.unfinished'))
    .sort({ at: 1 })
    .limit(MAX_COMPLETED)
    .toArray();
  const deps = depsOf(context);
  for (const row of rows) {
    if (row.busy === 1) await deleteGroups(deps, row.p, [row], now);
    else await removeLateWrites(deps, row.p, { _id: row._id, w: row.w ?? {} });
  }
  return rows.length;
}

/** Remembers the group hashes of errors, also those that lead to imported ones. */
async function discardGroups(
  context: MongoContext,
  p: number,
  groups: readonly ErrorGroup<Shown>[],
  userId: number | null,
  now: number,
): Promise<void> {
  const { discardedGroups, discardedHashes, groupAliases } = context.collections;
  const count = await discardedGroups.countDocuments(
    { projectId: p },
    { ...reading('discarded.count'), limit: MAX_DISCARDED },
  );
  requireRoomForDiscarded(count + groups.length);
  await inParallel(groups, async ({ root, members }) => {
    const g = await nextId(context.collections, 'discarded_groups');
    const { title, type } = (root.g ?? root).last;
    const keys = members.map(({ _id }) => _id);
    const hashes = keys.map((_id) => hexBinary(groupHashOf(_id)));
    const leading = await groupAliases
      .find({ p, l: { $in: hashes } }, reading('discarded.aliases', { _id: 1 }))
      .toArray();
    const row = { _id: g, projectId: p, title, type, at: now, userId };
    await discardedGroups.insertOne(row, writing('discarded.insert'));
    const all = [...keys, ...leading.map(({ _id }) => _id)].sort((a, b) => Buffer.compare(a.buffer, b.buffer));
    const rows = all.map((_id) => ({ _id, p, g }));
    await ignoreDuplicates(discardedHashes.insertMany(rows, { ...writing('discarded.insert'), ordered: false }));
  });
}

export async function discardedGroups({ collections }: MongoContext, p: number): Promise<DiscardedGroup[]> {
  const rows = await collections.discardedGroups
    .find({ projectId: p }, reading('discarded.list'))
    .sort({ _id: -1 })
    .limit(MAX_DISCARDED)
    .toArray();
  return rows.map(({ _id, title, type, at, userId }) => ({ id: _id, title, type, at, userId }));
}

/** Forgets the hashes first: a crash leaves the group in the list, where it can be restored again. */
export async function restoreDiscarded({ collections }: MongoContext, p: number, id: number): Promise<boolean> {
  const known = await collections.discardedGroups.findOne({ _id: id, projectId: p }, reading('discarded.by_id'));
  if (known === null) return false;
  await collections.discardedHashes.deleteMany({ p, g: id }, writing('discarded.restore'));
  const { deletedCount } = await collections.discardedGroups.deleteOne(
    { _id: id, projectId: p },
    writing('discarded.restore'),
  );
  return deletedCount > 0;
}
