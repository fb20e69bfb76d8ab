import type { LinkedIssue } from '../../../domain/projects/project-links.ts';
import { eachAddressOnce, newIssues, type RemovedIssue, requireRoomForIssue } from '../../state/linked-issues.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { groupOf } from '../errors/error-groups.ts';
import { requireImported } from '../errors/imported-rows.ts';
import { issuesOf } from './link-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { logActivity } from '../updates/activity-rows.ts';

const INSERT = 'INSERT INTO linked_issues (error_id, url, title, at, user_id) VALUES (?, ?, ?, ?, ?)';

export function addLinkedIssue(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  { url, title }: Pick<LinkedIssue, 'url' | 'title'>,
  userId: number,
  now: number,
): LinkedIssue | null {
  const group = groupOf(db, projectId, errorId);
  if (group === null) return null;
  const present = eachAddressOnce(issuesOf(db, group.members));
  const known = present.find((issue) => issue.url === url);
  if (known !== undefined) return known;
  requireRoomForIssue(present);
  const id = db.insert(INSERT, group.root, url, title, now, userId);
  const details = { issueUrl: url, issueTitle: title };
  logActivity(db, group.root, { at: now, kind: 'issue_linked', userId, details });
  return { id, url, title, at: now, userId };
}

export function putLinkedIssues(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  issues: readonly Omit<LinkedIssue, 'id'>[],
): void {
  const { id, group } = requireImported(db, projectId, errorId);
  const removed = removedIssues(db, [...new Set([id, ...group.members])]);
  for (const { url, title, at, userId } of newIssues(issuesOf(db, [id]), issues, removed)) {
    db.run(INSERT, id, url, title, at, userId);
  }
}

/** Returns what the logs of errors tell of removed issues. */
function removedIssues(db: SqliteDatabase, ids: readonly number[]): RemovedIssue[] {
  const sql = `SELECT json_extract(details, '$.issueUrl') AS url, at FROM error_activity
    WHERE error_id IN (SELECT value FROM json_each(?)) AND kind = 'issue_unlinked'`;
  return db.all(sql, JSON.stringify(ids)).map((row) => ({ url: row.url as string, at: row.at as number }));
}

export function removeLinkedIssue(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  id: number,
  userId: number,
  now: number,
): boolean {
  const group = groupOf(db, projectId, errorId);
  const issue = group === null ? undefined : issuesOf(db, group.members).find((one) => one.id === id);
  if (group === null || issue === undefined) return false;
  const { url, title } = issue;
  // Another member may have the same address, which would be shown instead.
  const sql = 'DELETE FROM linked_issues WHERE url = ? AND error_id IN (SELECT value FROM json_each(?))';
  db.run(sql, url, JSON.stringify(group.members));
  const details = { issueUrl: url, issueTitle: title };
  logActivity(db, group.root, { at: now, kind: 'issue_unlinked', userId, details });
  return true;
}
