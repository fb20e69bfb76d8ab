import {
  type ActivityEntry,
  type Note,
  type NoteRemoval,
  type NoteRemover,
} from '../../../domain/errors/error-state.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { requireAssignable } from '../../state/assignees.ts';
import { unmuted } from '../../state/status-end.ts';
import { LOOKED_AT } from '../updates/marks.ts';
import { FACT_MEMBERS } from '../updates/pending-facts.ts';
import type { Doc } from '../engine/batch-collections.ts';
import type { MongoContext } from '../engine/context.ts';
import { groupHashOf, ownNoteKey, type Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { statusEndFact, logged, unresolvedUpdate } from '../updates/status-members.ts';
import { groupOf, type ErrorGroup, type GroupRow } from '../errors/error-groups.ts';
import { accessLevel } from '../projects/roles.ts';
import { noteRange, peopleOf, toNote } from './triage-views.ts';
import { MAX_IGNORES_ENDED } from '../../limits.ts';
import { requireRoomForNote } from '../../refusals.ts';
import { parseNoteId } from '../../errors/note-id.ts';

export interface ErrorUpdate {
  readonly _id: Binary;
  readonly filter?: Doc;
  readonly update: Doc | Doc[];
}

/** Writes in the order of keys, as batches do; returns the number of matched documents. */
export async function writeErrors(
  { collections }: MongoContext,
  p: number | null,
  updates: readonly (ErrorUpdate & { readonly p?: number })[],
  name: Parameters<typeof writing>[0] = 'errors.triage',
): Promise<number> {
  if (updates.length === 0) return 0;
  const operations = [...updates]
    .sort((a, b) => Buffer.compare(a._id.buffer, b._id.buffer))
    .map(({ _id, p: own, filter, update }) => ({
      updateOne: { filter: { ...filter, _id, p: own ?? p ?? 0 }, update },
    }));
  const options = { ...writing(name), ordered: false };
  return (await collections.errors.bulkWrite(operations, options)).matchedCount;
}

/** Returns the writes about a note: the entry of the root, and for all members that a member of the project looked. */
function note(
  { root, members }: { readonly root: Pick<GroupRow, 'id'>; readonly members: readonly GroupRow[] },
  entry: ActivityEntry,
): ErrorUpdate[] {
  return members.map(({ _id, id }) => ({ _id, update: { ...LOOKED_AT, ...(id === root.id ? logged(entry) : {}) } }));
}

/** Adds an entry to the log of an error. */
export async function addToLog(
  context: MongoContext,
  p: number,
  root: Pick<GroupRow, '_id'>,
  entry: ActivityEntry,
): Promise<void> {
  await writeErrors(context, p, [{ _id: root._id, update: logged(entry) }]);
}

export async function setAssignee(
  context: MongoContext,
  p: number,
  errorId: string,
  assigneeId: number | null,
  userId: number | null,
  now: number,
): Promise<boolean> {
  const group = await groupOf<'as'>(context, p, errorId, { as: 1 });
  if (group === null) return false;
  await requireAssignee(context, p, assigneeId);
  await writeErrors(context, p, assignments(group, assigneeId, userId, now));
  return true;
}

/** Throws `bad_request` when an assignee is no member of the project. */
export async function requireAssignee(context: MongoContext, p: number, assigneeId: number | null): Promise<void> {
  if (assigneeId !== null) requireAssignable(await accessLevel(context, p, assigneeId));
}

/** Returns the writes that assign an error, which also counts as a look. */
export function assignments(
  { root, members }: ErrorGroup<Pick<ErrorDocument, 'as'>>,
  assigneeId: number | null,
  userId: number | null,
  now: number,
): ErrorUpdate[] {
  const before = root.as ?? null;
  const kind = assigneeId === null ? 'unassigned' : 'assigned';
  const details = { assigneeId: assigneeId ?? before ?? 0 };
  const set = { $set: { as: assigneeId }, ...LOOKED_AT };
  const log = before === assigneeId ? {} : logged({ at: now, kind, userId, details });
  return members.map(({ _id, id }) => ({ _id, update: id === root.id ? { ...set, ...log } : set }));
}

/** Unassigns the errors of a user that may not read them any more. */
export async function unassignAll(context: MongoContext, p: number, userId: number): Promise<void> {
  const { collections, now } = context;
  const rows = await collections.errors
    .find<Pick<ErrorDocument, '_id' | 'id' | 'into'>>({ p, as: userId }, reading('errors.assigned', { id: 1, into: 1 }))
    .toArray();
  const log = logged({ at: now(), kind: 'unassigned', userId: null, details: { assigneeId: userId } });
  const set = { $set: { as: null } };
  const updates = rows.map(({ _id, id, into }) => ({
    _id,
    filter: { as: userId },
    update: into === null || into === id ? { ...set, ...log } : set,
  }));
  await writeErrors(context, p, updates);
}

export async function addNote(
  context: MongoContext,
  p: number,
  errorId: string,
  userId: number,
  text: string,
  now: number,
  agent?: string,
): Promise<Note | null> {
  const { collections } = context;
  const group = await groupOf(context, p, errorId);
  if (group === null) return null;
  const counts = group.members.map(({ _id }) =>
    collections.ownNotes.countDocuments({ _id: noteRange(p, groupHashOf(_id)), p }, reading('own_notes.count')),
  );
  const count = (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
  requireRoomForNote(count);
  const { root } = group;
  const number = await nextId(collections, 'notes');
  const row = { _id: ownNoteKey(p, groupHashOf(root._id), number), p, u: userId, at: now, m: text };
  await collections.ownNotes.insertOne(row, writing('own_notes.insert'));
  const details = definedMembers({ noteId: String(number), agent });
  await writeErrors(context, p, note(group, { at: now, kind: 'note_added', userId, details }));
  return toNote(row, (await peopleOf(context, [userId])).get(userId) ?? null);
}

export async function removeNote(
  context: MongoContext,
  p: number,
  errorId: string,
  noteId: string,
  { userId, ofOthers }: NoteRemover,
  now: number,
): Promise<NoteRemoval> {
  const { collections } = context;
  const number = parseNoteId(noteId);
  const group = number === null ? null : await groupOf(context, p, errorId);
  if (number === null || group === null) return 'unknown';
  const keys = group.members.map(({ _id }) => ownNoteKey(p, groupHashOf(_id), number));
  const row = await collections.ownNotes.findOne({ _id: { $in: keys }, p }, reading('own_notes.by_id', { u: 1 }));
  if (row === null) return 'unknown';
  if (!ofOthers && row.u !== userId) return 'not_own';
  const { deletedCount } = await collections.ownNotes.deleteOne({ _id: row._id, p }, writing('own_notes.delete'));
  if (deletedCount === 0) return 'unknown';
  const entry: ActivityEntry = { at: now, kind: 'note_removed', userId, details: { noteId } };
  await addToLog(context, p, group.root, entry);
  return 'removed';
}

type MutedRow = Pick<ErrorDocument, '_id' | 'p' | 'id' | 'into' | 'res' | 'mt' | 'det' | 'last' | 'env' | 'g'>;

export async function endMutes(context: MongoContext, now: number): Promise<number> {
  const rows = await context.collections.errors
    .find<MutedRow>(
      { mt: { $gt: 0, $lte: now } },
      reading('errors.mutes', { p: 1, id: 1, into: 1, res: 1, mt: 1, det: 1, ...FACT_MEMBERS }),
    )
    .sort({ mt: 1 })
    .limit(MAX_IGNORES_ENDED)
    .toArray();
  const updates = rows.map((row) => {
    const { _id, p, id, into, mt, det } = row;
    const entry = unmuted(mt ?? now, 'until', parseDetails(det ?? null) ?? {});
    const isMember = into !== null && into !== id;
    const update = isMember
      ? unresolvedUpdate(null, { unmutes: true })
      : unresolvedUpdate(entry, { fact: statusEndFact(row, entry), isRoot: row.g !== undefined, unmutes: true });
    // Only while it has the condition that was read, so that it ends once.
    return { _id, p, filter: { st: STATUS_CODES.ignored, mt }, update };
  });
  return writeErrors(context, null, updates);
}
