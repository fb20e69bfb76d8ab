import type { ExportedError } from '../../../domain/ports/export-source.ts';
import type { MongoContext } from '../engine/context.ts';
import { type Binary, groupHashOf } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { long } from './export-reading.ts';
import { linkedIssueRange } from '../documents/link-documents.ts';
import { issueRowsOf } from '../links/linked-issues.ts';
import { reading } from '../engine/operation-options.ts';
import { noteNumber, noteRange } from '../status/triage-views.ts';

export type PeopleOfError = Pick<ExportedError, 'assignee' | 'ownNotes' | 'linkedIssues'>;

/** Group hashes of a project's errors that have notes of people, and linked issues. */
export interface ErrorsWithPeople {
  readonly notes: ReadonlySet<string>;
  readonly issues: ReadonlySet<string>;
}

const FIRST_HASH = '0'.repeat(32);
const LAST_HASH = 'f'.repeat(32);

/** Reads which errors have notes and issues: most have none, and are not asked for one by one. One entry per error. */
export async function errorsWithPeople({ collections }: MongoContext, p: number): Promise<ErrorsWithPeople> {
  const all = <T>(range: (p: number, groupHash: string) => { $gte: T; $lte: T }) => ({
    _id: { $gte: range(p, FIRST_HASH).$gte, $lte: range(p, LAST_HASH).$lte },
    p,
  });
  const notes = collections.ownNotes.find(all(noteRange), long('export.with_notes', { _id: 1 }));
  const issues = collections.linkedIssues.find(all(linkedIssueRange), long('export.with_issues', { _id: 1 }));
  return { notes: await hashesOf(notes), issues: await hashesOf(issues) };
}

async function hashesOf(rows: AsyncIterable<{ readonly _id: Binary }>): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>();
  for await (const { _id } of rows) hashes.add(groupHashOf(_id));
  return hashes;
}

/** Reads the assignees, the notes of people and the linked issues of a page of errors, in their order. */
export async function peopleOfErrors(
  context: MongoContext,
  p: number,
  page: readonly ErrorDocument[],
  having: ErrorsWithPeople,
): Promise<PeopleOfError[]> {
  const { collections } = context;
  const issues = await Promise.all(
    page.map(async (row) => (having.issues.has(groupHashOf(row._id)) ? issueRowsOf(context, p, [row]) : [])),
  );
  const notes = await Promise.all(
    page.map(async ({ _id }) =>
      having.notes.has(groupHashOf(_id))
        ? collections.ownNotes
            .find({ _id: noteRange(p, groupHashOf(_id)), p }, reading('own_notes.list'))
            .sort({ _id: 1 })
            .toArray()
        : [],
    ),
  );
  const ids = new Set([
    ...page.map((row) => row.as ?? null),
    ...notes.flat().map(({ u }) => u),
    ...issues.flat().map(({ u }) => u),
  ]);
  const names = { username: 1, name: 1, email: 1 };
  const wanted = [...ids].filter((id) => id !== null);
  const users =
    wanted.length === 0
      ? []
      : await collections.users.find({ _id: { $in: wanted } }, reading('users.names', names)).toArray();
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
