import type { ErrorWithIssue } from '../../../domain/ports/stores/link-store.ts';
import { MAX_ERRORS_OF_ISSUE } from '../../../domain/projects/issue-hook.ts';
import type { LinkedIssue } from '../../../domain/projects/project-links.ts';
import type { SavedView } from '../../../domain/search/saved-view.ts';
import { afterAll, eachAddressOnce } from '../../state/linked-issues.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { groupOf } from '../errors/error-groups.ts';

export function toLinkedIssue(row: Row): LinkedIssue {
  return {
    id: row.id as number,
    url: row.url as string,
    title: row.title as string,
    at: row.at as number,
    userId: row.user_id as number | null,
  };
}

/** Returns the issues of all members of an error, oldest first; an address as often as members have it. */
export function issuesOf(db: SqliteDatabase, members: readonly number[]): LinkedIssue[] {
  const sql = 'SELECT * FROM linked_issues WHERE error_id IN (SELECT value FROM json_each(?)) ORDER BY at, id';
  return db.all(sql, JSON.stringify(members)).map(toLinkedIssue);
}

export function linkedIssues(db: SqliteDatabase, projectId: number, errorId: string): LinkedIssue[] | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    return group === null ? null : eachAddressOnce(issuesOf(db, group.members));
  });
}

/** Links of a project whose address begins with a text. */
const WITH_ISSUE = `SELECT i.error_id, i.url FROM linked_issues i JOIN errors e ON e.id = i.error_id
  WHERE i.url >= ? AND i.url < ? AND e.project_id = ? ORDER BY i.url LIMIT ?`;

export function errorsWithIssue(db: SqliteDatabase, projectId: number, starts: readonly string[]): ErrorWithIssue[] {
  const found = starts.flatMap((start) => db.all(WITH_ISSUE, start, afterAll(start), projectId, MAX_ERRORS_OF_ISSUE));
  return found
    .slice(0, MAX_ERRORS_OF_ISSUE)
    .map(({ error_id: id, url }) => ({ errorId: String(id), url: url as string }));
}

export function toSavedView(row: Row): SavedView {
  return {
    id: row.id as number,
    name: row.name as string,
    query: row.query as string,
    isDefault: row.is_default === 1,
  };
}

export function savedViews(db: SqliteDatabase, projectId: number, userId: number): SavedView[] {
  const sql = 'SELECT * FROM saved_views WHERE project_id = ? AND user_id = ? ORDER BY name';
  return db.all(sql, projectId, userId).map(toSavedView);
}
