import { EVENT_ID } from '../../events/event-body.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventKey } from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { ignoreDuplicates } from '../engine/retry-duplicates.ts';
import { knownThereOf, requireImported } from '../errors/imported-rows.ts';
import type { KnownThereDocument } from '../documents/import-documents.ts';
import { batchesEnded } from './known-until.ts';

/** Marks written per round trip. */
const AT_ONCE = 1000;

export async function knownThere(context: MongoContext, p: number, errorId: string): Promise<number> {
  return knownThereOf(context, p, await requireImported(context, p, errorId));
}

/**
 * Records events that the tracker has, each once. A mark is written before its event is looked for, and a batch looks for
 * marks behind its events, so that one of both finds the other.
 */
export async function markKnownThere(
  context: MongoContext,
  p: number,
  eventIds: readonly string[],
  now: number,
): Promise<void> {
  const ids = [...new Set(eventIds.filter((id) => EVENT_ID.test(id)))].sort();
  if (ids.length === 0 || !(await batchesLookForMarks(context, p))) return;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await mark(context, p, ids.slice(from, from + AT_ONCE), now);
  }
}

/** Milliseconds in which a batch may still be open that has read the project before. */
const OPEN_BATCHES_MS = 60_000;

/** Lets the project's batches look for marks from its first one on. False without the project. */
async function batchesLookForMarks(context: MongoContext, p: number): Promise<boolean> {
  const { collections, now } = context;
  const project = await collections.projects.findOne({ _id: p }, reading('projects.marks', { marksSince: 1 }));
  if (project === null) return false;
  const since = project.marksSince ?? now();
  if (project.marksSince === undefined) {
    const first = { _id: p, marksSince: { $exists: false } };
    await collections.projects.updateOne(first, { $set: { marksSince: since } }, writing('projects.imports'));
  }
  // The event of such a batch is looked for when it is stored.
  if (since > now() - OPEN_BATCHES_MS) await batchesEnded(context);
  return true;
}

async function mark({ collections }: MongoContext, p: number, eventIds: readonly string[], now: number): Promise<void> {
  const keys = eventIds.map((eventId) => eventKey(p, eventId));
  const rows: KnownThereDocument[] = keys.map((_id) => ({ _id, p, l: null, r: null, t: now }));
  await ignoreDuplicates(collections.knownThere.insertMany(rows, { ...writing('marks.insert'), ordered: false }));
  const ofThem = { _id: { $in: keys }, p };
  const events = await collections.events
    .find<Pick<EventDocument, '_id' | 'l' | 'r' | 'kt'>>(ofThem, {
      ...reading('events.marked', { l: 1, r: 1, kt: 1 }),
      // An event that a failover rolls back may be stored under another group hash later.
      readConcern: { level: 'majority' },
    })
    .toArray();
  if (events.length === 0) return;
  events.sort((a, b) => Buffer.compare(a._id.buffer, b._id.buffer));
  const operations = events.map(({ _id, l, r, kt }) => ({
    updateOne: { filter: { _id, p, l: null }, update: { $set: { l, r: kt === 1 ? 0 : r } } },
  }));
  await collections.knownThere.bulkWrite(operations, { ...writing('marks.settle'), ordered: false });
}
