import {
  MAX_ACTIVITY,
  type Activity,
  type ActivityDetails,
  type ActivityKind,
  type Note,
  type Person,
} from '../../../domain/errors/error-state.ts';
import { MAX_GROUP } from '../../merge/group.ts';
import { joinMerges } from '../../state/join-merges.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { groupOf } from '../errors/error-groups.ts';
import { notesOf } from '../errors/import-views.ts';
import { accessLevel } from '../projects/roles.ts';

/** Returns users by their ids; unknown ones are missing. */
function peopleOf(db: SqliteDatabase, ids: readonly (number | null)[]): ReadonlyMap<number | null, Person> {
  const rows = db.all(
    'SELECT id, username, name FROM users WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify([...new Set(ids.filter((id) => id !== null))]),
  );
  return new Map(rows.map((row) => [row.id as number, toPerson(row)]));
}

function toPerson(row: Row): Person {
  return { id: row.id as number, username: row.username as string, name: row.name as string };
}

/** Returns the assignees of displayed rows, by the id of the error; only those that have a role in the project. */
export function assigneesOf(db: SqliteDatabase, rows: readonly Row[]): (errorId: number) => Person | null {
  const assigned = rows.filter((row) => row.assignee_id !== null);
  if (assigned.length === 0) return () => null;
  const people = peopleOf(
    db,
    assigned.map((row) => row.assignee_id as number),
  );
  const known = new Map<string, Person | null>();
  const keys = new Map<number, string>();
  for (const { id, project_id: project, assignee_id: user } of assigned) {
    const key = `${String(project)} ${String(user)}`;
    keys.set(id as number, key);
    if (known.has(key)) continue;
    const isMember = accessLevel(db, project as number, user as number) !== null;
    known.set(key, isMember ? (people.get(user as number) ?? null) : null);
  }
  return (errorId) => known.get(keys.get(errorId) ?? '') ?? null;
}

export function listNotes(db: SqliteDatabase, projectId: number, errorId: string): Note[] | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    if (group === null) return null;
    const ids = JSON.stringify(group.members);
    const rows = db.all(
      'SELECT id, user_id, at, text FROM own_notes WHERE error_id IN (SELECT value FROM json_each(?)) ORDER BY id',
      ids,
    );
    const people = peopleOf(
      db,
      rows.map((row) => row.user_id as number),
    );
    const own = rows.map((row) => toNote(row, people.get(row.user_id as number) ?? null));
    const imported = notesOf(db, ids).map(({ externalId, author, at, text }) => ({
      ...{ id: `imported:${externalId}`, author: null, authorName: author, at, text, imported: true },
    }));
    return [...imported, ...own].sort((a, b) => a.at - b.at);
  });
}

export function toNote(row: Row, author: Person | null): Note {
  return {
    id: String(row.id),
    author,
    authorName: author?.name ?? 'removed user',
    at: row.at as number,
    text: row.text as string,
    imported: false,
  };
}

/** True when errors are ignored until a time that has passed. */
export function hasDueMutes(db: SqliteDatabase, now: number): boolean {
  return db.get('SELECT 1 FROM errors WHERE muted_until <= ? LIMIT 1', now) !== undefined;
}

export function personById(db: SqliteDatabase, userId: number): Person | null {
  return peopleOf(db, [userId]).get(userId) ?? null;
}

export function listActivity(db: SqliteDatabase, projectId: number, errorId: string): Activity[] | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    if (group === null) return null;
    const rows = db.all(
      `SELECT at, kind, user_id, details FROM error_activity WHERE error_id IN (SELECT value FROM json_each(?))
        ORDER BY at DESC, id DESC LIMIT ${MAX_ACTIVITY + MAX_GROUP}`,
      JSON.stringify(group.members),
    );
    const stored = rows.map((row) => ({
      at: row.at as number,
      kind: row.kind as ActivityKind,
      userId: row.user_id as number | null,
      details: JSON.parse(row.details as string) as ActivityDetails,
    }));
    const entries = joinMerges(stored);
    const people = peopleOf(
      db,
      entries.flatMap(({ userId, details }) => [userId, details.assigneeId ?? null]),
    );
    return entries.map(({ userId, ...entry }) => ({
      ...entry,
      user: people.get(userId) ?? null,
      assignee: people.get(entry.details.assigneeId ?? null) ?? null,
    }));
  });
}
