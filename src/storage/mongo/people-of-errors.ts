import type { ExportedError } from '../../domain/ports/export-source.ts';
import type { MongoContext } from './context.ts';
import { groupHashOf, type ErrorDocument } from './documents.ts';
import { issueRowsOf } from './links/linked-issues.ts';
import { reading } from './operation-options.ts';
import { noteNumber, noteRange } from './views/triage-views.ts';

export type PeopleOfError = Pick<ExportedError, 'assignee' | 'ownNotes' | 'linkedIssues'>;

/** Reads the assignees, the notes of people and the linked issues of a page of errors, in their order. */
export async function peopleOfErrors(
  context: MongoContext,
  p: number,
  page: readonly ErrorDocument[],
): Promise<PeopleOfError[]> {
  const { collections } = context;
  const issues = await Promise.all(page.map((row) => issueRowsOf(context, p, [row])));
  const notes = await Promise.all(
    page.map(({ _id }) =>
      collections.ownNotes
        .find({ _id: noteRange(p, groupHashOf(_id)), p }, reading('own_notes.list'))
        .sort({ _id: 1 })
        .toArray(),
    ),
  );
  const ids = new Set([
    ...page.map((row) => row.as ?? null),
    ...notes.flat().map(({ u }) => u),
    ...issues.flat().map(({ u }) => u),
  ]);
  const names = { username: 1, name: 1, email: 1 };
  const users = await collections.users
    .find({ _id: { $in: [...ids].filter((id) => id !== null) } }, reading('users.names', names))
    .toArray();
  const known = new Map<number | null, (typeof users)[number]>(users.map((user) => [user._id, user]));
  return page.map((row, index) => {
    const assignee = known.get(row.as ?? null);
    return {
      assignee: assignee === undefined ? null : (assignee.email ?? assignee.username),
      ownNotes: (notes[index] ?? []).map((note) => {
        const author = known.get(note.u);
        const name = author === undefined ? 'removed user' : author.name || author.username;
        return { externalId: `own:${noteNumber(note)}`, author: name, at: note.at, text: note.m };
      }),
      linkedIssues: (issues[index] ?? []).map(({ url, t, at, u }) => {
        const user = known.get(u);
        return { url, title: t, at, user: user === undefined ? null : (user.email ?? user.username) };
      }),
    };
  });
}

/** Returns the e-mail addresses of users, else their usernames, by their ids; removed ones are missing. */
export async function loginsOf(
  { collections }: MongoContext,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number | null, string>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  if (known.length === 0) return new Map();
  const users = await collections.users
    .find({ _id: { $in: known } }, reading('users.names', { username: 1, email: 1 }))
    .toArray();
  return new Map(users.map(({ _id, username, email }) => [_id, email ?? username]));
}
