import type { ImportSource, NewImportSource } from '../../../domain/imports/import.ts';
import type { MongoContext } from '../engine/context.ts';
import { MAX_RESERVED_NUMBER } from '../../errors/error-id.ts';
import { importStates } from '../../records/kinds/value-kinds.ts';
import { toRecord } from '../documents/record-documents.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import { projectById } from '../projects/project-views.ts';
import type { ImportSourceDocument } from '../documents/import-documents.ts';
import { recountKnownUntil } from './known-until.ts';
import { unknownImportSource, unknownProject } from '../../refusals.ts';

/** The batches of the project look for aliases from the first source on. */
export async function addImportSource(
  context: MongoContext,
  source: NewImportSource,
  now: number,
): Promise<ImportSource> {
  const { collections } = context;
  const { projectId, kind, url, organization, project, externalProjectId } = source;
  if ((await projectById(context, projectId)) === null) throw unknownProject(projectId);
  await collections.projects.updateOne({ _id: projectId }, { $set: { imports: true } }, writing('projects.imports'));
  const known = { projectId, kind, url, organization, project };
  const found = await collections.importSources.findOne(known, reading('import_sources.known'));
  if (found === null) {
    const _id = await nextId(collections, 'import_sources');
    const row = { _id, ...known, externalProjectId, createdAt: now, bothReceiveUntil: null };
    try {
      await collections.importSources.insertOne(row, writing('import_sources.insert'));
      return toSource(row);
    } catch (error) {
      // Another process has added the source.
      if (!isDuplicateKey(error)) throw error;
    }
  }
  if (externalProjectId !== null) {
    await collections.importSources.updateOne(known, { $set: { externalProjectId } }, writing('import_sources.update'));
  }
  const row = await collections.importSources.findOne(known, reading('import_sources.known'));
  if (row === null) throw unknownProject(projectId);
  return toSource(row);
}

export async function listImportSources(
  { collections }: MongoContext,
  projectId: number | null,
): Promise<ImportSource[]> {
  const query =
    projectId === null
      ? collections.importSources.find({}, reading('import_sources.list'))
      : collections.importSources.find({ projectId }, reading('import_sources.of_project'));
  // A project has a handful, the whole service some hundreds.
  const rows = (await query.toArray()).sort((a, b) => a._id - b._id);
  return rows.map(toSource);
}

/** Returns the source; throws `not_found` when there is none. */
export async function requireSource({ collections }: MongoContext, id: number): Promise<ImportSourceDocument> {
  const source = await collections.importSources.findOne({ _id: id }, reading('import_sources.by_id'));
  if (source === null) throw unknownImportSource(id);
  return source;
}

/**
 * Sets the time up to which the tracker gets every event. What it got until now stays known there, also when the time is
 * moved back or removed. The source is written last, so that a repeated call completes an interrupted one.
 */
export async function setBothReceiveUntil(
  context: MongoContext,
  sourceId: number,
  until: number | null,
): Promise<void> {
  const { collections, now } = context;
  const { projectId, knownUntil: own } = await requireSource(context, sourceId);
  const gone = own === undefined ? null : Math.min(own, now());
  const next = until === null ? gone : Math.max(until, gone ?? until);
  const others = (
    await collections.importSources.find({ projectId }, reading('import_sources.of_project')).toArray()
  ).flatMap(({ _id, knownUntil }) => (_id === sourceId || knownUntil === undefined ? [] : [knownUntil]));
  const before = Math.max(-1, ...others, own ?? -1);
  if (next !== null) {
    const greatest = Math.max(next, ...others);
    await collections.projects.updateOne(
      { _id: projectId },
      { $set: { knownUntil: greatest } },
      writing('projects.imports'),
    );
    // Marks of events that are known by the later time do not count beside it.
    if (next < before) {
      const known = { p: projectId, r: { $gt: next, $lte: before } };
      await collections.knownThere.updateMany(known, { $set: { r: 0 } }, writing('marks.known_until'));
    }
    if (next > before) await recountKnownUntil(context, projectId, next);
  }
  const known = next === null ? {} : { knownUntil: next };
  await collections.importSources.updateOne(
    { _id: sourceId },
    { $set: { bothReceiveUntil: until, ...known } },
    writing('import_sources.update'),
  );
}

/**
 * Moves the counter of errors. Gateways hold blocks of numbers that they took before: each batch with new errors of a
 * project with imports skips those that are reserved.
 */
export async function reserveErrorNumbers({ collections }: MongoContext, upTo: number): Promise<void> {
  if (upTo > MAX_RESERVED_NUMBER) return;
  const update = { $max: { next: upTo, reserved: upTo } };
  const move = () =>
    collections.counters.updateOne({ _id: 'errors' }, update, { ...writing('counters.next'), upsert: true });
  await retryFirstUpsert(move);
}

export async function listImportStates(
  { collections }: MongoContext,
  prefix: string,
): Promise<(readonly [key: string, state: string])[]> {
  const rows = await collections.importStates
    .find(prefix === '' ? {} : { _id: keysWith(prefix) }, reading('import_states.list'))
    .sort({ _id: 1 })
    .toArray();
  return rows.map((row) => {
    const { key, state } = toRecord(importStates, row);
    return [key, state] as const;
  });
}

/** Returns the range of the texts that begin with a prefix, in the order of their bytes. */
export function keysWith(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}\u{10ffff}` };
}

function toSource(row: ImportSourceDocument): ImportSource {
  const { _id, projectId, kind, url, organization, project, externalProjectId, createdAt, bothReceiveUntil } = row;
  return { id: _id, projectId, kind, url, organization, project, externalProjectId, createdAt, bothReceiveUntil };
}
