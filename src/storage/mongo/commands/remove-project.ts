import { mongo } from 'mongoose';
import { COLLECTIONS, KEYED_COLLECTIONS, type KeyedCollection } from '../collections.ts';
import type { MongoContext } from '../context.ts';
import type { Binary } from '../documents.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { reading, writing } from '../operation-options.ts';
import { projectById } from '../views/project-views.ts';

/** Documents that one slice of a removal deletes at most. */
const SWEEP_ROWS = 5000;
/** A batch that began before the removal may still write this long after it; then the project is swept once more. Milliseconds. */
const LATE_WRITES_MS = 15 * 60_000;

interface Keyed {
  readonly _id: Binary;
  readonly p: number;
}

/** Outcomes go with the removal only: those of events that came later tell people where they went. */
const SWEPT = KEYED_COLLECTIONS.filter((name) => name !== 'outcomes');

/** The project is gone with the first write; what was stored for it goes in slices, also after a crash. */
export async function deleteWholeProject(context: MongoContext, id: number): Promise<boolean> {
  const existed = await removeProject(context, id);
  for (let done = !existed; !done;) done = await sweepSlice(context, 'outcomes', id);
  for (let done = false; !done;) done = await sweepProject(context, id);
  return existed;
}

/**
 * The project is gone at once; its mark is made first, so that a crash in between cannot leave its data
 * behind. False when there is none; what an earlier call left is swept all the same.
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

/** One bounded slice of removing what is stored for a removed project; true when nothing is left. */
async function sweepProject(context: MongoContext, id: number): Promise<boolean> {
  const { collections } = context;
  const mark = await collections.removedProjects.findOne({ _id: id }, reading('removed.by_id'));
  if (mark === null || (await projectById(context, id)) !== null) return true;
  const projectId = id;
  await collections.clientKeys.deleteMany({ projectId }, writing('keys.sweep'));
  await collections.settings.deleteOne({ _id: id }, writing('settings.sweep'));
  await collections.protections.deleteOne({ _id: id }, writing('protections.sweep'));
  await collections.members.deleteMany({ projectId }, writing('members.sweep'));
  await collections.redirects.deleteMany({ projectId }, writing('redirects.sweep'));
  await collections.aliases.deleteMany({ projectId }, writing('aliases.sweep'));
  for (const name of SWEPT) {
    if (!(await sweepSlice(context, name, id))) return false;
  }
  return true;
}

/** A slice of a removal that was cut short or may have met late writes; true when none is due. */
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

/** True when the project had no more documents than one slice. */
async function sweepSlice({ collections }: MongoContext, name: KeyedCollection, p: number): Promise<boolean> {
  const collection = collections[name] as unknown as mongo.Collection<Keyed>;
  const _id = projectRange(p, COLLECTIONS[name].keyBytes);
  const [last] = await collection
    .find({ _id, p }, reading('sweep.slice', { _id: 1 }))
    .sort({ _id: 1 })
    .skip(SWEEP_ROWS - 1)
    .limit(1)
    .toArray();
  const slice = last === undefined ? _id : { $gte: _id.$gte, $lte: last._id };
  await collection.deleteMany({ _id: slice, p }, writing('sweep.delete'));
  return last === undefined;
}

const PROJECT_BYTES = 4;

/**
 * The `_id`s of a project in a collection whose keys have `keyBytes` bytes: binary values of other lengths
 * sort elsewhere.
 */
function projectRange(projectId: number, keyBytes: number): { $gte: mongo.Binary; $lte: mongo.Binary } {
  const bound = (fill: number) => {
    const bytes = Buffer.alloc(keyBytes, fill);
    bytes.writeUInt32BE(projectId, 0);
    return new mongo.Binary(bytes);
  };
  if (keyBytes <= PROJECT_BYTES) throw new RangeError('keys are longer than the project in front of them');
  return { $gte: bound(0), $lte: bound(0xff) };
}
