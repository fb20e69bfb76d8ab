import type { Model } from 'mongoose';
import type { MongoContext } from '../context.ts';
import type { Binary } from '../documents.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { reading, writing } from '../operation-options.ts';
import { projectRange } from '../project-range.ts';
import { raw } from '../raw.ts';
import { projectById } from '../views/project-views.ts';

/** Documents that one slice of a removal deletes at most. */
const SWEEP_ROWS = 5000;
/** A batch that began before the removal may still write this long after it; then the project is swept once more. Milliseconds. */
const LATE_WRITES_MS = 15 * 60_000;

/** The project is gone with the first write; what was stored for it goes in slices, also after a crash. */
export async function deleteWholeProject(context: MongoContext, id: number): Promise<boolean> {
  const existed = await removeProject(context, id);
  for (let done = !existed; !done;) done = await sweepOutcomes(context, id);
  for (let done = false; !done;) done = await sweepProject(context, id);
  return existed;
}

/**
 * The project is gone at once; its mark is made first, so that a crash in between cannot leave its data
 * behind. False when there is none; what an earlier call left is swept all the same.
 */
async function removeProject(context: MongoContext, id: number): Promise<boolean> {
  const { models, now } = context;
  const existed = (await projectById(context, id)) !== null;
  if (existed) {
    await raw(models.removedProjects)
      .insertOne({ _id: id, removedAt: now() }, writing('removed.insert'))
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
  }
  const { deletedCount } = await raw(models.projects).deleteOne({ _id: id }, writing('projects.delete'));
  return deletedCount > 0;
}

/** One bounded slice of removing what is stored for a removed project; true when nothing is left. */
async function sweepProject(context: MongoContext, id: number): Promise<boolean> {
  const { models } = context;
  const mark = await models.removedProjects.findOne({ _id: id }, {}, reading('removed.by_id')).lean();
  if (mark === null || (await projectById(context, id)) !== null) return true;
  const projectId = id;
  await raw(models.clientKeys).deleteMany({ projectId }, writing('keys.sweep'));
  await raw(models.settings).deleteOne({ _id: id }, writing('settings.sweep'));
  await raw(models.protections).deleteOne({ _id: id }, writing('protections.sweep'));
  await raw(models.members).deleteMany({ projectId }, writing('members.sweep'));
  await raw(models.redirects).deleteMany({ projectId }, writing('redirects.sweep'));
  await raw(models.aliases).deleteMany({ projectId }, writing('aliases.sweep'));
  const parts = [
    [models.events, 20],
    [models.errorUsers, 32],
    [models.errorHours, 24],
    [models.errorTags, 20],
    [models.errors, 20],
    [models.sessionRows, 21],
    [models.releaseUsers, 33],
    [models.releaseHours, 24],
    [models.releases, 20],
    [models.eventReports, 20],
  ] as const;
  for (const [model, keyBytes] of parts) {
    if (!(await sweepSlice(model as unknown as Model<Keyed>, id, keyBytes))) return false;
  }
  return true;
}

/** Outcomes go with the removal only: those of events that came later tell people where they went. */
async function sweepOutcomes({ models }: MongoContext, id: number): Promise<boolean> {
  return sweepSlice(models.outcomes as unknown as Model<Keyed>, id, 20);
}

/** A slice of a removal that was cut short or may have met late writes; true when none is due. */
export async function sweepRemoved(context: MongoContext): Promise<boolean> {
  const { models, now } = context;
  const due = { removedAt: { $lt: now() - LATE_WRITES_MS } };
  const mark = await models.removedProjects.findOne(due, {}, reading('removed.due')).lean();
  if (mark === null) return true;
  if (await sweepProject(context, mark._id)) {
    await raw(models.removedProjects).deleteOne({ _id: mark._id }, writing('removed.forget'));
  }
  return false;
}

interface Keyed {
  readonly _id: Binary;
  readonly p: number;
}

/** True when the project had no more documents than one slice. */
async function sweepSlice(model: Model<Keyed>, p: number, keyBytes: number): Promise<boolean> {
  const _id = projectRange(p, keyBytes);
  const [last] = await model
    .find({ _id, p }, { _id: 1 }, reading('sweep.slice'))
    .sort({ _id: 1 })
    .skip(SWEEP_ROWS - 1)
    .limit(1)
    .lean();
  const slice = last === undefined ? _id : { $gte: _id.$gte, $lte: last._id };
  await raw(model).deleteMany({ _id: slice, p }, writing('sweep.delete'));
  return last === undefined;
}
