import { type Note, type NoteRemoval, type NoteRemover } from '../../../domain/errors/error-state.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { requireAssignable } from '../../state/assignees.ts';
import { unmuted } from '../../state/status-end.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { groupOf, membersOf, type ErrorGroup } from '../errors/error-groups.ts';
import { accessLevel } from '../projects/roles.ts';
import { personById, toNote } from './triage-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { logActivity } from '../updates/activity-rows.ts';
import { addStatusFact, originOf } from '../updates/fact-rows.ts';
import { endReview } from '../updates/mark-rows.ts';
import { makeUnresolved } from '../updates/status-rows.ts';
import { MAX_IGNORES_ENDED } from '../../limits.ts';
import { requireRoomForNote } from '../../refusals.ts';
import { parseNoteId } from '../../errors/note-id.ts';

export function setAssignee(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  assigneeId: number | null,
  userId: number | null,
  now: number,
): boolean {
  const group = groupOf(db, projectId, errorId);
  if (group === null) return false;
  requireAssignee(db, projectId, assigneeId);
  assign(db, group, assigneeId, userId, now);
  return true;
}

/** Throws `bad_request` when errors of a project may not be assigned to a user; null: none. */
export function requireAssignee(db: SqliteDatabase, projectId: number, userId: number | null): void {
  if (userId !== null) requireAssignable(accessLevel(db, projectId, userId));
}

/** Assigns all members of an error. A person that does so has looked at it. */
export function assign(
  db: SqliteDatabase,
  group: ErrorGroup,
  assigneeId: number | null,
  userId: number | null,
  now: number,
): void {
  const before = db.get('SELECT assignee_id FROM errors WHERE id = ?', group.root)?.assignee_id ?? null;
  const assign = 'UPDATE errors SET assignee_id = ? WHERE id IN (SELECT value FROM json_each(?))';
  db.run(assign, assigneeId, JSON.stringify(group.members));
  db.run('UPDATE error_groups SET assignee_id = ? WHERE id = ?', assigneeId, group.root);
  if (userId !== null) endReview(db, group);
  if (before !== assigneeId) {
    const details = { assigneeId: (assigneeId ?? before) as number };
    logActivity(db, group.root, { at: now, kind: assigneeId === null ? 'unassigned' : 'assigned', userId, details });
  }
}

export function addNote(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  userId: number,
  text: string,
  now: number,
  agent?: string,
): Note | null {
  const group = groupOf(db, projectId, errorId);
  if (group === null) return null;
  const { root, members } = group;
  const count = 'SELECT count(*) FROM own_notes WHERE error_id IN (SELECT value FROM json_each(?))';
  requireRoomForNote(db.number(count, JSON.stringify(members)));
  const insert = 'INSERT INTO own_notes (error_id, user_id, at, text) VALUES (?, ?, ?, ?)';
  const id = db.insert(insert, root, userId, now, text);
  endReview(db, group);
  logActivity(db, root, {
    at: now,
    kind: 'note_added',
    userId,
    details: definedMembers({ noteId: String(id), agent }),
  });
  return toNote({ id, at: now, text }, personById(db, userId));
}

export function removeNote(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  noteId: string,
  { userId, ofOthers }: NoteRemover,
  now: number,
): NoteRemoval {
  const group = groupOf(db, projectId, errorId);
  const id = parseNoteId(noteId);
  if (group === null || id === null) return 'unknown';
  const find = 'SELECT user_id FROM own_notes WHERE id = ? AND error_id IN (SELECT value FROM json_each(?))';
  const note = db.get(find, id, JSON.stringify(group.members));
  if (note === undefined) return 'unknown';
  if (!ofOthers && note.user_id !== userId) return 'not_own';
  db.run('DELETE FROM own_notes WHERE id = ?', id);
  logActivity(db, group.root, { at: now, kind: 'note_removed', userId, details: { noteId } });
  return 'removed';
}

/** Unassigns the errors of a user that may not read them any more. */
export function unassignAll({ db, now }: WriteContext, projectId: number, userId: number): void {
  const rows = db.all('SELECT id, merged_into FROM errors WHERE project_id = ? AND assignee_id = ?', projectId, userId);
  for (const { id, merged_into: root } of rows) {
    db.run('UPDATE errors SET assignee_id = NULL WHERE id = ?', id as number);
    if (root !== null && root !== id) continue;
    db.run('UPDATE error_groups SET assignee_id = NULL WHERE id = ?', id as number);
    const details = { assigneeId: userId };
    logActivity(db, id as number, { at: now(), kind: 'unassigned', userId: null, details });
  }
}

export function endMutes(context: WriteContext, now: number): number {
  const { db } = context;
  const sql = `SELECT id, merged_into, resolved_at, muted_until, status_details FROM errors
    WHERE muted_until <= ? ORDER BY muted_until LIMIT ${MAX_IGNORES_ENDED}`;
  const rows = db.all(sql, now);
  makeUnresolved(
    db,
    rows.map(({ id }) => id as number),
  );
  for (const row of rows) {
    const { merged_into: root, muted_until: until, status_details: json } = row;
    const id = row.id as number;
    if (root !== null && root !== id) continue;
    const shown = 'UPDATE error_groups SET status = ?, status_details = NULL WHERE id = ?';
    db.run(shown, STATUS_CODES.unresolved, id);
    const end = unmuted(until as number, 'until', parseDetails(json as string | null) ?? {});
    logActivity(db, id, end);
    addStatusFact(context, id, row, end, originOf(db, root === null ? [id] : membersOf(db, id)));
  }
  return rows.length;
}
