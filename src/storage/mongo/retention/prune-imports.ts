import { NOTHING_REMOVED, type RemovedPayloads } from '../blocks/payload-removal.ts';
import { SLICE_ROWS } from '../blocks/prune-walk.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorKey, type Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import type { KnownThereDocument } from '../documents/import-documents.ts';

interface Keyed {
  readonly _id: Binary;
  readonly p: number;
}

/** Removes a slice of the bodies of imported events by the time of their import. They have no key to be kept. */
export async function pruneImportedEvents(
  { collections }: MongoContext,
  importedBefore: number | null,
): Promise<RemovedPayloads> {
  if (importedBefore === null) return NOTHING_REMOVED;
  const rows = await collections.importedEvents
    .aggregate<Keyed & { readonly b: number }>(
      [
        { $match: { r: { $lt: importedBefore } } },
        { $sort: { r: 1 } },
        { $limit: SLICE_ROWS },
        { $project: { p: 1, b: { $binarySize: '$d' } } },
      ],
      reading('imported_events.old'),
    )
    .toArray();
  for (const [p, ids] of byProject(rows)) {
    await collections.importedEvents.deleteMany({ _id: { $in: ids }, p }, writing('imported_events.delete'));
  }
  return { events: rows.length, bytes: rows.reduce((sum, { b }) => sum + b, 0), keys: 0 };
}

type Mark = Pick<KnownThereDocument, '_id' | 'p' | 'l' | 'r' | 't'>;

/** Position in the walk over old marks: those of events that are still stored stay behind it. */
export interface MarksWalk {
  marksAfter: number;
}

/**
 * Removes a slice of the marks whose event has no key any more: a further mark would not find it. Those that count are
 * added to their error first. Returns the number of marks that were looked at.
 */
export async function pruneMarks(context: MongoContext, walk: MarksWalk, before: number): Promise<number> {
  const { collections } = context;
  const marks = await collections.knownThere
    .find<Mark>({ t: { $gte: walk.marksAfter, $lt: before } }, reading('marks.old', { p: 1, l: 1, r: 1, t: 1 }))
    .sort({ t: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  for (const p of new Set(marks.map((mark) => mark.p))) {
    await pruneMarksOf(
      context,
      p,
      marks.filter((mark) => mark.p === p),
    );
  }
  const last = marks.at(-1);
  if (marks.length < SLICE_ROWS || last === undefined) {
    walk.marksAfter = 0;
    return 0;
  }
  // Of more marks with one time some may be passed over; the next walk finds them.
  walk.marksAfter = last.t === walk.marksAfter ? last.t + 1 : last.t;
  return marks.length;
}

async function pruneMarksOf(context: MongoContext, p: number, marks: readonly Mark[]): Promise<void> {
  const { collections } = context;
  const ids = marks.map(({ _id }) => _id);
  const stored = await collections.events
    .find({ _id: { $in: ids }, p }, reading('events.of_marks', { _id: 1 }))
    .toArray();
  const there = new Set(stored.map(({ _id }) => _id.toString('hex')));
  const gone = marks.filter(({ _id }) => !there.has(_id.toString('hex')));
  const until = await knownUntil(context, p);
  const byError = new Map<string, Binary[]>();
  const uncounted: Binary[] = [];
  for (const { _id, l, r } of gone) {
    if (l === null || r === null || r <= until) uncounted.push(_id);
    else byError.set(l.toString('hex'), [...(byError.get(l.toString('hex')) ?? []), _id]);
  }
  if (uncounted.length > 0) await remove(context, p, uncounted);
  for (const [groupHash, rows] of byError) await foldMarks(context, p, errorKey(p, groupHash), rows);
}

/** Returns the time up to which the project's trackers got every event; -1 without one. */
async function knownUntil({ collections }: MongoContext, p: number): Promise<number> {
  const project = await collections.projects.findOne({ _id: p }, reading('projects.known_until', { knownUntil: 1 }));
  return project?.knownUntil ?? -1;
}

const FOLDED = { kf: 1, kn: 1, ku: 1 } as const;

/**
 * Adds marks to the number of their error and removes them. The error's document names the marks while they are both
 * counted and stored, so that every step may be repeated, also by two processes.
 */
async function foldMarks(context: MongoContext, p: number, _id: Binary, marks: readonly Binary[]): Promise<void> {
  const { errors, knownThere } = context.collections;
  const error = await errors.findOne<Pick<ErrorDocument, keyof typeof FOLDED>>(
    { _id, p },
    reading('errors.by_id', FOLDED),
  );
  if (error === null) return remove(context, p, marks);
  const { kf, kn, ku } = error;
  if (kf !== undefined) return endFold(context, p, _id, kf, kn);
  // Read behind the number of folds: marks that another process has folded since change the number.
  // So are those that a later time has counted: its number of counts changes.
  const counted = { _id: { $in: [...marks] }, p, r: { $gt: await knownUntil(context, p) } };
  const left = await knownThere.find(counted, reading('marks.by_id', { _id: 1 })).toArray();
  const ids = left.map((mark) => mark._id);
  if (ids.length === 0) return;
  const { matchedCount } = await errors.updateOne(
    { _id, p, kf: { $exists: false }, kn: kn ?? { $exists: false }, ku: ku ?? { $exists: false } },
    { $inc: { kb: ids.length, kn: 1 }, $set: { kf: ids } },
    writing('errors.fold_marks'),
  );
  if (matchedCount > 0) await endFold(context, p, _id, ids, (kn ?? 0) + 1);
}

async function endFold(
  context: MongoContext,
  p: number,
  _id: Binary,
  marks: readonly Binary[],
  kn: number | undefined,
): Promise<void> {
  await remove(context, p, marks);
  const filter = { _id, p, kn: kn ?? { $exists: false } };
  await context.collections.errors.updateOne(filter, { $unset: { kf: '' } }, writing('errors.fold_marks'));
}

async function remove({ collections }: MongoContext, p: number, marks: readonly Binary[]): Promise<void> {
  await collections.knownThere.deleteMany({ _id: { $in: [...marks] }, p }, writing('marks.delete'));
}

function byProject(rows: readonly Keyed[]): Map<number, Binary[]> {
  const ids = new Map<number, Binary[]>();
  for (const { _id, p } of rows) {
    const list = ids.get(p) ?? [];
    list.push(_id);
    ids.set(p, list);
  }
  return ids;
}
