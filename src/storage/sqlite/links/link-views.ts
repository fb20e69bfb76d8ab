import type { LinkedIssue } from '../../../domain/projects/project-links.ts';
import type { SavedView } from '../../../domain/search/saved-view.ts';
import { eachAddressOnce } from '../../state/linked-issues.ts';
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
