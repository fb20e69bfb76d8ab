import type { StoredLinks } from '../../../domain/ports/link-store.ts';
import type { LinkedIssue, ProjectLinks } from '../../../domain/project-links.ts';
import type { SavedView } from '../../../domain/saved-view.ts';
import { eachAddressOnce, NO_LINKS } from '../../state/linked-issues.ts';
import type { SqliteDatabase } from '../database.ts';
import type { Row } from '../driver.ts';
import { groupOf } from './error-groups.ts';

export function toStoredLinks(row: Row): StoredLinks {
  return {
    repository: fromJson(row.repository) as ProjectLinks['repository'],
    issueTracker: fromJson(row.issue_tracker) as ProjectLinks['issueTracker'],
    sealedToken: row.sealed_token as string | null,
  };
}

export function projectLinks(db: SqliteDatabase, projectId: number): StoredLinks {
  const row = db.get('SELECT * FROM project_links WHERE project_id = ?', projectId);
  return row === undefined ? NO_LINKS : toStoredLinks(row);
}

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

export function favourites(db: SqliteDatabase, userId: number): number[] {
  const rows = db.all('SELECT project_id FROM favourites WHERE user_id = ? ORDER BY project_id', userId);
  return rows.map((row) => row.project_id as number);
}

function fromJson(value: unknown): unknown {
  return value === null ? null : (JSON.parse(value as string) as unknown);
}
