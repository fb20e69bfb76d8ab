import type { AccessLevel } from '../../../domain/projects/account.ts';
import { rolePathsOf } from '../../../domain/projects/group-paths.ts';
import { highest, inheritedLevel, type GroupMember, type GroupRole } from '../../../domain/projects/group.ts';
import type { Member, Project } from '../../../domain/projects/project.ts';
import { membersOfRoles, type GivenRole } from '../../state/members.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { PROJECT_COLUMNS, toProject } from '../engine/rows.ts';

export function groupRoles(db: SqliteDatabase, userId: number): GroupRole[] {
  const sql = `SELECT g.path, m.level FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = ?1
    UNION ALL SELECT path, level FROM granted_roles WHERE user_id = ?1`;
  return db
    .all(sql, userId)
    .map((row) => ({ path: row.path as string, movedFrom: null, level: row.level as AccessLevel }));
}

export function accessLevel(db: SqliteDatabase, projectId: number, userId: number): AccessLevel | null {
  const row = db.get('SELECT access_level FROM members WHERE project_id = ? AND user_id = ?', projectId, userId);
  const own = (row?.access_level ?? null) as AccessLevel | null;
  const roles = groupRoles(db, userId);
  if (roles.length === 0) return own;
  const project = db.get('SELECT path FROM projects WHERE id = ?', projectId);
  return project === undefined ? null : highest([own, inheritedLevel(roles, project.path as string)]);
}

/** Lists the members of a project, also while its path changes in the same transaction. */
export function listMembers(db: SqliteDatabase, projectId: number): Member[] {
  const project = db.get('SELECT path FROM projects WHERE id = ?', projectId);
  if (project === undefined) return [];
  const path = project.path as string;
  const own = db.all('SELECT user_id, access_level FROM members WHERE project_id = ?', projectId).map((row) => ({
    userId: row.user_id as number,
    origin: { kind: 'project' as const, path, accessLevel: row.access_level as AccessLevel },
  }));
  return withUsers(db, [...own, ...inheritedRoles(db, path)]).map((member) => ({ ...member, projectId }));
}

export function listGroupMembers(db: SqliteDatabase, path: string): GroupMember[] {
  return withUsers(db, inheritedRoles(db, path));
}

function inheritedRoles(db: SqliteDatabase, path: string): GivenRole[] {
  const paths = rolePathsOf(path);
  return [...grantedRolesOn(db, paths), ...rolesInGroups(db, paths)];
}

/** Returns the roles that groups of an identity provider give on some paths. */
function grantedRolesOn(db: SqliteDatabase, paths: readonly string[]): GivenRole[] {
  const sql = 'SELECT user_id, path, level FROM granted_roles WHERE path IN (SELECT lower(value) FROM json_each(?))';
  return db.all(sql, JSON.stringify(paths)).map((row) => ({
    userId: row.user_id as number,
    origin: { kind: 'identity_provider', path: row.path as string, accessLevel: row.level as AccessLevel },
  }));
}

/** Returns the memberships of the groups at some paths. */
function rolesInGroups(db: SqliteDatabase, paths: readonly string[]): GivenRole[] {
  const sql = `SELECT m.user_id, m.level, g.path FROM groups g JOIN group_members m ON m.group_id = g.id
    WHERE g.path IN (SELECT value FROM json_each(?))`;
  return db.all(sql, JSON.stringify(paths)).map((row) => ({
    userId: row.user_id as number,
    origin: { kind: 'group', path: row.path as string, accessLevel: row.level as AccessLevel },
  }));
}

function withUsers(db: SqliteDatabase, roles: readonly GivenRole[]): GroupMember[] {
  const ids = JSON.stringify([...new Set(roles.map(({ userId }) => userId))]);
  const rows = db.all(
    'SELECT id, username, name, blocked FROM users WHERE id IN (SELECT value FROM json_each(?))',
    ids,
  );
  const users = rows.map((row) => ({
    id: row.id as number,
    username: row.username as string,
    name: row.name as string,
    blocked: row.blocked === 1,
  }));
  return membersOfRoles(roles, users);
}

export function projectsOfUser(db: SqliteDatabase, userId: number): Project[] {
  const sql = `SELECT ${PROJECT_COLUMNS} FROM members m JOIN projects p ON p.id = m.project_id
    WHERE m.user_id = ? ORDER BY p.id`;
  const own = db.all(sql, userId).map(toProject);
  const inherited = groupRoles(db, userId).flatMap(({ path }) => projectsAt(db, path));
  if (inherited.length === 0) return own;
  const all = new Map([...own, ...inherited].map((project) => [project.id, project]));
  return [...all.values()].sort((a, b) => a.id - b.id);
}

/** Returns the project at a path and those below: a role at the path holds in all of them. */
export function projectsAt(db: SqliteDatabase, path: string): Project[] {
  const at = db.all(`SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.path = ?`, path).map(toProject);
  return [...at, ...projectsBelow(db, path)];
}

export function projectsBelow(db: SqliteDatabase, path: string): Project[] {
  // `0` is the character after `/`.
  const sql = `SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.path > ? AND p.path < ?`;
  const found = db.all(sql, `${path}/`, `${path}0`).map(toProject);
  return found.sort((a, b) => a.id - b.id);
}
