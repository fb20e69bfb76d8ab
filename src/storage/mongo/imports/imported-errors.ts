import { mayBeAssigned } from '../../state/assignees.ts';
import { AppError } from '../../../domain/app-error.ts';
import { MAX_ACTIVITY, type ActivityDetails, type ActivityEntry } from '../../../domain/errors/error-state.ts';
import { importedDetails } from '../../../domain/imports/imported-details.ts';
import type { ImportedError } from '../../../domain/imports/import.ts';
import { ERROR_FIELDS, KEPT_TEXTS } from '../../errors/error-fields.ts';
import { STATUS_CODES, statusName } from '../../errors/error-status.ts';
import { IMPORTED_GROUPING_VERSION, importedGroupHash, NO_EVENT_ID } from '../../imports/imported-group-hash.ts';
import { resolvedThereAt, takesOverStatus } from '../../imports/imported-status.ts';
import { importedTexts } from '../../imports/imported-texts.ts';
import { searchText } from '../../search/search-text.ts';
import { membersOfMarks } from '../updates/marks.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorKey, hexBinary, type Binary } from '../documents/document-keys.ts';
import type { ErrorDocument, LastSeen } from '../documents/error-documents.ts';
import { lastSeen, projection } from '../documents/error-members.ts';
import type { MongoMerges } from '../merging/mongo-merges.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import { putStatus } from '../status/error-commands.ts';
import { logged, statusMembers, toLog, type NewStatus } from '../updates/status-members.ts';
import { groupOf } from '../errors/error-groups.ts';
import { newestRelease } from '../releases/newest-release.ts';
import { accessLevel } from '../projects/roles.ts';
import type { ImportedErrorDocument } from '../documents/import-documents.ts';
import { requireSource } from './import-sources.ts';
import { MAX_IMPORT_ROWS } from '../../limits.ts';

/** Context of commands that change merged errors. */
export interface ImportContext extends MongoContext {
  readonly merges: MongoMerges;
}

const NO_EVENT = hexBinary(NO_EVENT_ID);
const BEFORE = {
  ...{ id: 1, into: 1, imp: 1, 'last.at': 1 },
  ...projection(KEPT_TEXTS.map((name) => ERROR_FIELDS[name].member)),
} as const;
type Before = Pick<ErrorDocument, '_id' | 'id' | 'into' | 'imp' | 'last'>;

/** Every step may be repeated: the row's key is made of the source and the issue. */
export async function putImportedError(
  context: ImportContext,
  p: number,
  error: ImportedError,
  now: number,
): Promise<{ errorId: string; created: boolean } | null> {
  if ((await requireSource(context, error.sourceId)).projectId !== p) {
    throw new AppError('not_found', `the project has no import source ${error.sourceId}`);
  }
  const _id = errorKey(p, importedGroupHash(p, error.sourceId, error.issueId));
  const known = await find(context, _id, p);
  if (known === null && (await isDiscarded(context, _id, p))) return null;
  const before = known ?? (await create(context, _id, p, error, now));
  if (typeof before === 'number') {
    await putImported(context, _id, p, error, null, now);
    await assign(context, _id, p, error, now);
    return { errorId: String(before), created: true };
  }
  const imported = await context.collections.importedErrors.findOne({ _id, p }, reading('imported_errors.by_id'));
  await putOccurrences(context, _id, p, error, before);
  if (imported !== null) await takeStatus(context, p, before, imported, error, now);
  await putImported(context, _id, p, error, imported, now);
  await assign(context, _id, p, error, now);
  if (before.into !== null) await context.merges.rollUp(p, before.into);
  return { errorId: String(before.id), created: false };
}

function find({ collections }: MongoContext, _id: Binary, p: number): Promise<Before | null> {
  return collections.errors.findOne<Before>({ _id, p }, reading('errors.by_id', BEFORE));
}

/** Returns true when the error was deleted with its further events dropped. */
async function isDiscarded({ collections }: MongoContext, _id: Binary, p: number): Promise<boolean> {
  const found = await collections.discardedHashes.findOne({ _id, p }, reading('discarded.of_import', { _id: 1 }));
  return found !== null;
}

/**
 * Assigns an error that was never assigned or unassigned here, as far as its log shows all that happened. One update, so
 * that the choice of a person at the same time stays.
 */
async function assign(
  context: MongoContext,
  _id: Binary,
  p: number,
  { assigneeId }: ImportedError,
  now: number,
): Promise<void> {
  if (assigneeId === undefined) return;
  const level = await accessLevel(context, p, assigneeId);
  if (level === null || !mayBeAssigned(level)) return;
  const untouched = {
    ...{ as: null, into: null },
    log: { $not: { $elemMatch: { k: { $in: ['assigned', 'unassigned'] }, 'd.importedId': { $exists: false } } } },
    [`log.${MAX_ACTIVITY - 1}`]: { $exists: false },
  };
  const log = logged({ at: now, kind: 'assigned', userId: null, details: { assigneeId } });
  const update = { $set: { as: assigneeId }, ...log };
  await context.collections.errors.updateOne({ _id, p, ...untouched }, update, writing('errors.triage'));
}

/** Inserts the row; returns its number, or the row of another process that was faster. */
async function create(
  context: MongoContext,
  _id: Binary,
  p: number,
  error: ImportedError,
  now: number,
): Promise<number | Before> {
  const { collections } = context;
  const { firstSeen, firstRelease, lastSeen } = error;
  const given = await statusOf(context, p, error);
  const details = await originOf(context, error);
  const row: ErrorDocument = {
    _id,
    p,
    id: await nextId(collections, 'errors'),
    v: IMPORTED_GROUPING_VERSION,
    ...statusMembers(given),
    ...(error.marks === undefined ? {} : { ...membersOfMarks(error.marks), dq: 1 as const }),
    ...{ mc: 0, mn: 0, log: [toLog({ at: now, kind: 'imported', userId: null, details })] },
    c: 0,
    u: 0,
    k: 0,
    first: { at: firstSeen, id: NO_EVENT, release: firstRelease },
    last: lastOf(error, lastSeen),
    rcv: 0,
    res: given.status === 'resolved' ? given.resolvedAt : null,
    into: null,
    imp: { b: 0, bu: null, uo: 0 },
    w: {},
  };
  try {
    await collections.errors.insertOne(row, writing('errors.insert'));
    return row.id;
  } catch (failure) {
    const made = isDuplicateKey(failure) ? await find(context, _id, p) : null;
    if (made === null) throw failure;
    return made;
  }
}

function lastOf(error: ImportedError, at: number, known?: LastSeen): LastSeen {
  const texts = importedTexts(error, known);
  return lastSeen({ at, eventId: NO_EVENT_ID, release: error.lastRelease, ...texts }, searchText(texts));
}

function membersOfLast(error: ImportedError, at: number, before: LastSeen): Record<string, unknown> {
  const known = Object.entries(lastOf(error, at, before)).filter(
    ([name]) => name !== 'release' || error.lastRelease !== null,
  );
  return Object.fromEntries(known.map(([name, value]) => [`last.${name}`, value]));
}

/** Updates times and texts that no own event has replaced. */
async function putOccurrences(
  { collections }: MongoContext,
  _id: Binary,
  p: number,
  error: ImportedError,
  before: Before,
): Promise<void> {
  const { firstSeen, firstRelease, lastSeen } = error;
  // A list of issues does not tell releases: the known one stays.
  const first = {
    ...{ 'first.at': firstSeen, 'first.id': NO_EVENT },
    ...(firstRelease === null ? {} : { 'first.release': firstRelease }),
  };
  const lastAt = Math.max(lastSeen, before.last.at);
  const operations = [
    {
      updateOne: {
        filter: { _id, p, $or: [{ 'first.at': { $gt: firstSeen } }, { 'first.at': firstSeen, 'first.id': NO_EVENT }] },
        update: { $set: first },
      },
    },
    {
      updateOne: {
        filter: { _id, p, 'last.id': NO_EVENT, 'last.at': { $lte: lastAt } },
        update: { $set: membersOfLast(error, lastAt, before.last) },
      },
    },
    {
      updateOne: {
        filter: { _id, p, 'last.at': { $lt: lastSeen } },
        update: { $set: membersOfLast(error, lastSeen, before.last) },
      },
    },
  ];
  await collections.errors.bulkWrite(operations, { ...writing('errors.put_imported'), ordered: false });
}

/** Takes over a status that changed in the tracker, for all members of a merged error. */
async function takeStatus(
  context: ImportContext,
  p: number,
  before: Before,
  known: ImportedErrorDocument,
  error: ImportedError,
  now: number,
): Promise<void> {
  const { status } = error;
  const { errors } = context.collections;
  const group = await groupOf(context, p, String(before.id));
  if (group === null) return;
  const members = { _id: { $in: group.members.map(({ _id }) => _id) }, p };
  const changes = await errors
    .find<Pick<ErrorDocument, 'sta'>>(members, reading('errors.status_changes', { sta: 1 }))
    .toArray();
  const changedHereAt = Math.max(-1, ...changes.map(({ sta = -1 }) => sta));
  const stored = {
    status: statusName(known.st),
    changedAt: known.sat,
    details: known.det,
    putAt: known.seen,
    changedHereAt: changedHereAt < 0 ? null : changedHereAt,
    ownLastAt: before.imp?.ot ?? null,
  };
  if (!takesOverStatus(stored, status)) return;
  const given = await statusOf(context, p, error);
  const details = {
    ...(given.details === null ? {} : { status: given.details }),
    ...(await originOf(context, error)),
  };
  const entry: ActivityEntry = { at: status.changedAt ?? now, kind: status.status, userId: null, details };
  await putStatus(context, p, group, given, entry);
  // An event may have been counted just before.
  await context.merges.settleStatuses(group.members.map(({ _id }) => ({ _id, p })));
}

/** Returns the status of an issue. Own events reopen it that happened after it was resolved there. */
async function statusOf(context: MongoContext, p: number, { status, lastSeen }: ImportedError): Promise<NewStatus> {
  const resolvedAt = resolvedThereAt(status, lastSeen);
  const { details } = importedDetails(status, await newestRelease(context, p, resolvedAt));
  return {
    status: status.status,
    details,
    resolvedAt,
    coversReceipts: false,
    changedAt: null,
  };
}

async function originOf(context: MongoContext, { sourceId, issueId }: ImportedError): Promise<ActivityDetails> {
  return { source: (await requireSource(context, sourceId)).kind, issueId };
}

/** Writes what the tracker says of the issue. A list of issues does not tell the time of a status: a known one stays. */
async function putImported(
  { collections }: MongoContext,
  _id: Binary,
  p: number,
  error: ImportedError,
  known: ImportedErrorDocument | null,
  now: number,
): Promise<void> {
  const { sourceId, issueId, externalIds, externalUrl, assignee, status } = error;
  const names = new Map((known?.x ?? []).map((name) => [`${name.k} ${name.v.toLowerCase()}`, name]));
  for (const { kind, value } of externalIds) {
    const name = `${kind} ${value.toLowerCase()}`;
    if (!names.has(name)) names.set(name, { k: kind, v: value });
  }
  const x = [...names.values()];
  const xl = [...new Set(x.map(({ v }) => v.toLowerCase()))];
  const st = STATUS_CODES[status.status];
  const before = known?.st === st ? known : null;
  const told = { st, sat: status.changedAt ?? before?.sat ?? null, det: status.details ?? before?.det ?? null };
  const update = {
    $set: { s: sourceId, i: issueId, x, xl, url: externalUrl, as: assignee, ...told },
    $max: { seen: now },
  };
  const put = () =>
    collections.importedErrors.updateOne({ _id, p }, update, { ...writing('imported_errors.put'), upsert: true });
  await retryFirstUpsert(put);
}

export async function missingIssues(context: MongoContext, sourceId: number, seenBefore: number): Promise<string[]> {
  const { projectId } = await requireSource(context, sourceId);
  const rows = await context.collections.importedErrors
    .find<Pick<ImportedErrorDocument, 'i'>>(
      { p: projectId, s: sourceId, seen: { $lt: seenBefore } },
      reading('imported_errors.missing', { i: 1 }),
    )
    .sort({ seen: 1, i: 1 })
    .limit(MAX_IMPORT_ROWS)
    .toArray();
  return rows.map(({ i }) => i);
}
