import { mongo } from 'mongoose';
import { AppError } from '../../../domain/app-error.ts';
import type { ActivityEntry } from '../../../domain/errors/error-state.ts';
import type { ErrorNote, ImportedEvent, ImportedRelease } from '../../../domain/imports/import.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventKey, groupHashOf, hexBinary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert, ignoreDuplicates } from '../engine/retry-duplicates.ts';
import { withImportedActivity } from '../../state/imported-activity.ts';
import { toLog } from '../updates/status-members.ts';
import { releaseKey } from '../documents/release-documents.ts';
import { projectById } from '../projects/project-views.ts';
import { errorNoteKey, type ImportedEventDocument } from '../documents/import-documents.ts';
import { requireImported } from '../errors/imported-rows.ts';
import { unknownProject } from '../../refusals.ts';

/** Maximum bytes of events in one command. */
const MAX_BYTES = 16 * 1024 * 1024;

export async function addImportedEvents(
  context: MongoContext,
  p: number,
  errorId: string,
  events: readonly ImportedEvent[],
  now: number,
): Promise<void> {
  const { row } = await requireImported(context, p, errorId);
  const l = hexBinary(groupHashOf(row._id));
  const rows: ImportedEventDocument[] = events.map(({ eventId, at, payload }) => {
    return { _id: eventKey(p, eventId), p, l, at, r: now, d: new mongo.Binary(payload) };
  });
  while (rows.length > 0) {
    let bytes = 0;
    const end = rows.findIndex(({ d }) => (bytes += d.length()) > MAX_BYTES);
    const some = rows.splice(0, end < 0 ? rows.length : Math.max(end, 1));
    const options = { ...writing('imported_events.insert'), ordered: false };
    await ignoreDuplicates(context.collections.importedEvents.insertMany(some, options));
  }
  // The job that ranks errors takes the terms of searches from these events.
  const unknown = { _id: row._id, p, tm: { $exists: false } };
  await context.collections.errors.updateOne(unknown, { $set: { dq: 1 } }, writing('errors.want_terms'));
}

export async function putNotes(
  context: MongoContext,
  p: number,
  errorId: string,
  notes: readonly ErrorNote[],
): Promise<void> {
  const { row } = await requireImported(context, p, errorId);
  const operations = notes.map(({ externalId, author, at, text }) => {
    const _id = errorNoteKey(p, groupHashOf(row._id), externalId);
    const replacement = { p, x: externalId, a: author, at, m: text };
    return { replaceOne: { filter: { _id, p }, replacement, upsert: true } };
  });
  if (operations.length === 0) return;
  const { errorNotes } = context.collections;
  await retryFirstUpsert(() => errorNotes.bulkWrite(operations, { ...writing('error_notes.put'), ordered: false }));
}

/** Times that a log is read again because it has changed meanwhile. */
const MAX_TRIES = 20;

export async function putActivity(
  context: MongoContext,
  p: number,
  errorId: string,
  entries: readonly ActivityEntry[],
): Promise<void> {
  const { row } = await requireImported(context, p, errorId);
  const { errors } = context.collections;
  const key = { _id: row._id, p };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = await errors.findOne<Pick<ErrorDocument, 'log'>>(key, reading('errors.activity', { log: 1 }));
    const known = (before?.log ?? []).map(({ at, k, u, d }) => ({ at, kind: k, userId: u, details: d }));
    const log = withImportedActivity(known, entries);
    if (log === null) return;
    const same = { log: before?.log ?? { $exists: false } };
    const update = { $set: { log: log.map(toLog) } };
    const { matchedCount } = await errors.updateOne({ ...key, ...same }, update, writing('errors.put_activity'));
    if (matchedCount > 0) return;
  }
  throw new AppError('conflict', `the log of error ${errorId} changes all the time: run the import again`);
}

/** Adds releases of all environments, which an empty environment stands for. */
export async function putReleases(
  context: MongoContext,
  p: number,
  releases: readonly ImportedRelease[],
): Promise<void> {
  if ((await projectById(context, p)) === null) throw unknownProject(p);
  const operations = releases.map(({ release, firstSeen, lastSeen }) => {
    const _id = releaseKey({ projectId: p, environment: '', release });
    const update = {
      $min: { first: firstSeen },
      $max: { last: lastSeen },
      $setOnInsert: { e: '', r: release, ev: 0, u: 0, cu: 0 },
    };
    return { updateOne: { filter: { _id, p }, update, upsert: true } };
  });
  if (operations.length === 0) return;
  const { releases: rows } = context.collections;
  await retryFirstUpsert(() => rows.bulkWrite(operations, { ...writing('releases.put'), ordered: false }));
}
