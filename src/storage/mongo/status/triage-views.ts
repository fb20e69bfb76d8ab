import type { Activity, Note, Person } from '../../../domain/errors/error-state.ts';
import { joinMerges } from '../../state/join-merges.ts';
import { memberKey } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { groupHashOf, ownNoteKey, type Binary } from '../documents/document-keys.ts';
import type { ErrorDocument, OwnNoteDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { groupOf } from '../errors/error-groups.ts';
import { notesOf } from '../errors/import-views.ts';
import { levelsOf } from '../projects/roles.ts';

/** Returns users by their ids; unknown ones are missing. */
export async function peopleOf(
  { collections }: MongoContext,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number | null, Person>> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return new Map();
  const rows = await collections.users
    .find({ _id: { $in: known } }, reading('users.names', { username: 1, name: 1 }))
    .toArray();
  return new Map(rows.map(({ _id, username, name }) => [_id, { id: _id, username, name }]));
}

type Assigned = Pick<ErrorDocument, 'p' | 'as'>;

/** Returns the assignees of errors; only those that have a role in the project. */
export async function assigneesOf(
  context: MongoContext,
  rows: readonly Assigned[],
): Promise<(row: Assigned) => Person | null> {
  const pairs = rows.flatMap(({ p, as }) => (typeof as === 'number' ? [{ projectId: p, userId: as }] : []));
  if (pairs.length === 0) return () => null;
  const [levels, people] = await Promise.all([
    levelsOf(context, pairs),
    peopleOf(
      context,
      pairs.map(({ userId }) => userId),
    ),
  ]);
  return ({ p, as }) => (typeof as === 'number' && levels.has(memberKey(p, as)) ? (people.get(as) ?? null) : null);
}

/** Returns the range of the notes of an error. */
export function noteRange(p: number, groupHash: string): { $gte: Binary; $lte: Binary } {
  return { $gte: ownNoteKey(p, groupHash, 0), $lte: ownNoteKey(p, groupHash, 0xffff_ffff) };
}

export async function listNotes(context: MongoContext, p: number, errorId: string): Promise<Note[] | null> {
  const group = await groupOf(context, p, errorId);
  if (group === null) return null;
  const found = await Promise.all(
    group.members.map(({ _id }) =>
      context.collections.ownNotes
        .find({ _id: noteRange(p, groupHashOf(_id)), p }, reading('own_notes.list'))
        .toArray(),
    ),
  );
  const rows = found.flat().sort((a, b) => noteNumber(a) - noteNumber(b));
  const [people, imported] = await Promise.all([
    peopleOf(
      context,
      rows.map(({ u }) => u),
    ),
    notesOf(context, p, group.members),
  ]);
  const there = imported.map(({ externalId, author, at, text }) => ({
    ...{ id: `imported:${externalId}`, author: null, authorName: author, at, text, imported: true },
  }));
  const own = rows.map((row) => toNote(row, people.get(row.u) ?? null));
  return [...there, ...own].sort((a, b) => a.at - b.at);
}

/** Returns the number of a note. */
export function noteNumber({ _id }: Pick<OwnNoteDocument, '_id'>): number {
  return Buffer.from(_id.buffer).readUInt32BE(20);
}

export function toNote(row: OwnNoteDocument, author: Person | null): Note {
  return {
    id: String(noteNumber(row)),
    author,
    authorName: author?.name ?? 'removed user',
    at: row.at,
    text: row.m,
    imported: false,
  };
}

export async function listActivity(context: MongoContext, p: number, errorId: string): Promise<Activity[] | null> {
  const group = await groupOf(context, p, errorId);
  if (group === null) return null;
  const keys = group.members.map(({ _id }) => _id);
  const rows = await context.collections.errors
    .find<Pick<ErrorDocument, 'log'>>({ _id: { $in: keys }, p }, reading('errors.activity', { log: 1 }))
    .toArray();
  // Later entries of one time are newer.
  const stored = rows.flatMap(({ log = [] }) => [...log].reverse()).sort((a, b) => b.at - a.at);
  const entries = joinMerges(stored.map(({ at, k, u, d }) => ({ at, kind: k, userId: u, details: d })));
  const people = await peopleOf(
    context,
    entries.flatMap(({ userId, details }) => [userId, details.assigneeId ?? null]),
  );
  return entries.map(({ userId, ...entry }) => ({
    ...entry,
    user: people.get(userId) ?? null,
    assignee: people.get(entry.details.assigneeId ?? null) ?? null,
  }));
}
