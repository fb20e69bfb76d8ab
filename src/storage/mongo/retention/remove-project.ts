import type { mongo } from 'mongoose';
import { sweepAlerts } from '../alerts/sweep-alerts.ts';
import { COLLECTIONS, KEYED_COLLECTIONS, type KeyedCollection } from '../engine/collections.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { keysWith } from '../imports/import-sources.ts';
import { sweepRecords } from '../records/sweep-records.ts';
import { projectRange } from '../engine/project-range.ts';
import { projectById } from '../projects/project-views.ts';
import { PROJECT_SWEEP_ROWS } from '../../limits.ts';

/**
 * Milliseconds after a removal in which an earlier batch may still write. After this time the project is swept again.
 */
const LATE_WRITES_MS = 15 * 60_000;

interface Keyed {
  readonly _id: Binary;
  readonly p: number;
}

/** Outcomes are removed only in the removal itself: later ones show users why events were dropped. */
const SWEPT = KEYED_COLLECTIONS.filter((name) => name !== 'outcomes');

/** Removes a project with the first write, and its data in slices, also after a crash. */
export async function deleteWholeProject(context: MongoContext, id: number): Promise<boolean> {
  const existed = await removeProject(context, id);
  for (let done = !existed; !done;) done = await sweepSlice(context, 'outcomes', id);
  for (let done = false; !done;) done = await sweepProject(context, id);
  return existed;
}

/**
 * Removes the project at once. Writes its removal mark first, so that a crash cannot leave its data. Returns false
 * without a project; the caller then still sweeps what an earlier call left.
 */
async function removeProject(context: MongoContext, id: number): Promise<boolean> {
  const { collections, now } = context;
  const existed = (await projectById(context, id)) !== null;
  if (existed) {
    await collections.removedProjects
      .insertOne({ _id: id, removedAt: now() }, writing('removed.insert'))
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
  }
  const { deletedCount } = await collections.projects.deleteOne({ _id: id }, writing('projects.delete'));
  return deletedCount > 0;
}

/** Removes one bounded slice of the data of a removed project; true when none is left. */
async function sweepProject(context: MongoContext, id: number): Promise<boolean> {
  const { collections } = context;
  const mark = await collections.removedProjects.findOne({ _id: id }, reading('removed.by_id'));
  if (mark === null || (await projectById(context, id)) !== null) return true;
  const projectId = id;
  await collections.forwardStates.deleteMany({ projectId }, writing('forward_states.sweep'));
  await collections.members.deleteMany({ projectId }, writing('members.sweep'));
  await collections.redirects.deleteMany({ projectId }, writing('redirects.sweep'));
  await collections.importSources.deleteMany({ projectId }, writing('import_sources.sweep'));
  await collections.importStates.deleteMany({ _id: keysWith(`${projectId}/`) }, writing('import_states.sweep'));
  await collections.formerAliases.deleteMany({ projectId }, writing('aliases.sweep_former'));
  // Its linked issues are swept as keyed rows.
  await collections.savedViews.deleteMany({ projectId }, writing('saved_views.sweep'));
  await collections.discardedGroups.deleteMany({ projectId }, writing('discarded.sweep'));
  if (!(await sweepAlerts(context, id))) return false;
  await sweepRecords(context, id);
  for (const name of SWEPT) {
    if (!(await sweepSlice(context, name, id))) return false;
  }
  return true;
}

/** Removes a slice of a removal that was interrupted or may have missed late writes; true when none is due. */
export async function sweepRemoved(context: MongoContext): Promise<boolean> {
  const { collections, now } = context;
  const due = { removedAt: { $lt: now() - LATE_WRITES_MS } };
  const mark = await collections.removedProjects.findOne(due, reading('removed.due'));
  if (mark === null) return true;
  if (await sweepProject(context, mark._id)) {
    await collections.removedProjects.deleteOne({ _id: mark._id }, writing('removed.forget'));
  }
  return false;
}

/** Removes one slice of a collection; true when none of the project's documents are left. */
async function sweepSlice({ collections }: MongoContext, name: KeyedCollection, p: number): Promise<boolean> {
  const collection = collections[name] as unknown as mongo.Collection<Keyed>;
  const _id = projectRange(p, COLLECTIONS[name].keyBytes);
  const [last] = await collection
    .find({ _id, p }, reading('sweep.slice', { _id: 1 }))
    .sort({ _id: 1 })
    .skip(PROJECT_SWEEP_ROWS - 1)
    .limit(1)
    .toArray();
  const slice = last === undefined ? _id : { $gte: _id.$gte, $lte: last._id };
  await collection.deleteMany({ _id: slice, p }, writing('sweep.delete'));
  return last === undefined;
}
