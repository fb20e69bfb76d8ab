import type { ErrorWithIssue } from '../../../domain/ports/stores/link-store.ts';
import { MAX_ERRORS_OF_ISSUE } from '../../../domain/projects/issue-hook.ts';
import type { LinkedIssue } from '../../../domain/projects/project-links.ts';
import {
  afterAll,
  eachAddressOnce,
  newIssues,
  type RemovedIssue,
  requireRoomForIssue,
} from '../../state/linked-issues.ts';
import { addToLog } from '../status/triage-commands.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorKey, groupHashOf } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { requireImported } from '../errors/imported-rows.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { ignoreDuplicates } from '../engine/retry-duplicates.ts';
import { groupOf, type GroupRow } from '../errors/error-groups.ts';
import { linkedIssueKey, linkedIssueRange, type LinkedIssueDocument } from '../documents/link-documents.ts';

/** Returns the issues of errors, oldest first; an address as often as errors have it. */
export async function issueRowsOf(
  { collections }: MongoContext,
  p: number,
  errors: readonly Pick<GroupRow, '_id'>[],
): Promise<LinkedIssueDocument[]> {
  const found = await Promise.all(
    errors.map(({ _id }) =>
      collections.linkedIssues
        .find({ _id: linkedIssueRange(p, groupHashOf(_id)), p }, reading('linked_issues.list'))
        .toArray(),
    ),
  );
  return found.flat().sort((a, b) => a.at - b.at || a.i - b.i);
}

export function toLinkedIssue({ i, url, t, at, u }: LinkedIssueDocument): LinkedIssue {
  return { id: i, url, title: t, at, userId: u };
}

async function shownIssues(context: MongoContext, p: number, members: readonly GroupRow[]): Promise<LinkedIssue[]> {
  return eachAddressOnce((await issueRowsOf(context, p, members)).map(toLinkedIssue));
}

export async function linkedIssues(context: MongoContext, p: number, errorId: string): Promise<LinkedIssue[] | null> {
  const group = await groupOf(context, p, errorId);
  return group === null ? null : shownIssues(context, p, group.members);
}

export async function errorsWithIssue(
  { collections }: MongoContext,
  p: number,
  starts: readonly string[],
): Promise<ErrorWithIssue[]> {
  if (starts.length === 0) return [];
  const $or = starts.map((start) => ({ p, url: { $gte: start, $lt: afterAll(start) } }));
  const rows = await collections.linkedIssues
    .find({ p, $or }, reading('linked_issues.of_address', { url: 1 }))
    .limit(MAX_ERRORS_OF_ISSUE)
    .toArray();
  const hashes = new Set(rows.map(({ _id }) => groupHashOf(_id)));
  const errors = await collections.errors
    .find<Pick<ErrorDocument, '_id' | 'id'>>(
      { _id: { $in: [...hashes].map((hash) => errorKey(p, hash)) }, p },
      reading('errors.with_issue', { id: 1 }),
    )
    .toArray();
  const ids = new Map(errors.map(({ _id, id }) => [groupHashOf(_id), String(id)]));
  return rows.flatMap(({ _id, url }) => {
    const errorId = ids.get(groupHashOf(_id));
    return errorId === undefined ? [] : [{ errorId, url }];
  });
}

/** Adds issues of one error; those whose address it has already stay as they are. */
async function insertIssues(
  { collections }: MongoContext,
  p: number,
  error: Pick<GroupRow, '_id'>,
  issues: readonly Omit<LinkedIssue, 'id'>[],
): Promise<void> {
  const rows: LinkedIssueDocument[] = [];
  for (const { url, title, at, userId } of issues) {
    const _id = linkedIssueKey(p, groupHashOf(error._id), url);
    rows.push({ _id, p, i: await nextId(collections, 'linked_issues'), url, t: title, at, u: userId });
  }
  if (rows.length === 0) return;
  const options = { ...writing('linked_issues.insert'), ordered: false };
  await ignoreDuplicates(collections.linkedIssues.insertMany(rows, options));
}

export async function addLinkedIssue(
  context: MongoContext,
  p: number,
  errorId: string,
  { url, title }: Pick<LinkedIssue, 'url' | 'title'>,
  userId: number,
  now: number,
): Promise<LinkedIssue | null> {
  const group = await groupOf(context, p, errorId);
  if (group === null) return null;
  const { root, members } = group;
  const present = await shownIssues(context, p, members);
  const known = present.find((issue) => issue.url === url);
  if (known !== undefined) return known;
  requireRoomForIssue(present);
  await insertIssues(context, p, root, [{ url, title, at: now, userId }]);
  const details = { issueUrl: url, issueTitle: title };
  await addToLog(context, p, root, { at: now, kind: 'issue_linked', userId, details });
  return (await shownIssues(context, p, members)).find((issue) => issue.url === url) ?? null;
}

export async function putLinkedIssues(
  context: MongoContext,
  p: number,
  errorId: string,
  issues: readonly Omit<LinkedIssue, 'id'>[],
): Promise<void> {
  const { row, group } = await requireImported(context, p, errorId);
  const removed = await removedIssues(context, p, group.members);
  await insertIssues(context, p, row, newIssues(await issueRowsOf(context, p, [row]), issues, removed));
}

/** Returns what the logs of errors tell of removed issues. */
async function removedIssues(
  { collections }: MongoContext,
  p: number,
  members: readonly Pick<GroupRow, '_id'>[],
): Promise<RemovedIssue[]> {
  const rows = await collections.errors
    .find<Pick<ErrorDocument, 'log'>>(
      { _id: { $in: members.map(({ _id }) => _id) }, p },
      reading('errors.activity', { log: 1 }),
    )
    .toArray();
  const entries = rows.flatMap(({ log = [] }) => log).filter(({ k }) => k === 'issue_unlinked');
  return entries.map(({ at, d }) => ({ url: d.issueUrl ?? '', at }));
}

export async function removeLinkedIssue(
  context: MongoContext,
  p: number,
  errorId: string,
  id: number,
  userId: number,
  now: number,
): Promise<boolean> {
  const group = await groupOf(context, p, errorId);
  if (group === null) return false;
  const rows = await issueRowsOf(context, p, group.members);
  const issue = rows.find(({ i }) => i === id);
  if (issue === undefined) return false;
  // Another member may have the same address, which would be shown instead.
  const ids = rows.filter(({ url }) => url === issue.url).map(({ _id }) => _id);
  const options = writing('linked_issues.delete');
  const { deletedCount } = await context.collections.linkedIssues.deleteMany({ _id: { $in: ids }, p }, options);
  if (deletedCount === 0) return false;
  const details = { issueUrl: issue.url, issueTitle: issue.t };
  await addToLog(context, p, group.root, { at: now, kind: 'issue_unlinked', userId, details });
  return true;
}
