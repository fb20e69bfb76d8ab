import { groupOfPath, isSamePath, pathAfterMove } from '../../../domain/projects/group-paths.ts';
import type { Group, GroupPlace } from '../../../domain/projects/group.ts';
import type { Project, ProjectPatch } from '../../../domain/projects/project.ts';
import { groups, toGroup } from '../../records/kinds/group-kinds.ts';
import { change } from '../../records/writes.ts';
import { requireMovable } from '../../state/group-rules.ts';
import { loweredUsers } from '../../state/members.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { groupsBelow } from '../projects/groups.ts';
import * as projects from '../projects/project-commands.ts';
import { projectById } from '../projects/project-views.ts';
import { listMembers, projectsBelow } from '../projects/roles.ts';
import { getRecord, writeRecords } from '../records/record-statements.ts';
import { settleRole } from './member-commands.ts';

export function updateProject(context: WriteContext, id: number, patch: ProjectPatch): Project | null {
  const { db } = context;
  const { path } = patch;
  const before = path === undefined ? null : projectById(db, id);
  if (before === null || isSamePath(groupOfPath(before.path) ?? '', groupOfPath(path ?? '') ?? '')) {
    return projects.updateProject(context, id, patch);
  }
  return settling(context, [id], () => projects.updateProject(context, id, patch));
}

export function moveGroup(context: WriteContext, id: number, place: GroupPlace): Group | null {
  const { db } = context;
  const group = getRecord(db, groups, { id });
  if (group === null) return null;
  const from = group.path;
  const { path: to, parentId } = place;
  const parent = parentId === null ? null : getRecord(db, groups, { id: parentId });
  requireMovable({ from, to: place, parentPath: parent?.path ?? null, used: usedAt(db, to) });
  const below = projectsBelow(db, from);
  const ids = below.map((project) => project.id);
  return settling(context, ids, () => {
    const subgroups = groupsBelow(db, from).map(({ id: subgroup, path }) =>
      change(groups, { id: subgroup }, { path: pathAfterMove(path, from, to) }),
    );
    writeRecords(db, [change(groups, { id }, { path: to }), ...subgroups]);
    for (const project of below) {
      projects.updateProject(context, project.id, { path: pathAfterMove(project.path, from, to) });
    }
    return toGroup({ ...group, path: to });
  });
}

/** Returns the paths in use at a path and below. */
function usedAt(db: SqliteDatabase, path: string): string[] {
  const sql = 'SELECT path FROM groups WHERE path = ?1 UNION ALL SELECT path FROM projects WHERE path = ?1';
  const there = db.all(sql, path).map((row) => row.path as string);
  return [...there, ...[...groupsBelow(db, path), ...projectsBelow(db, path)].map((each) => each.path)];
}

/** Changes paths, then takes from people what their new roles in the projects do not allow any more. */
function settling<T>(context: WriteContext, projectIds: readonly number[], changePaths: () => T): T {
  const before = projectIds.map((id) => [id, listMembers(context.db, id)] as const);
  const result = changePaths();
  for (const [id, members] of before) {
    for (const userId of loweredUsers(members, listMembers(context.db, id))) settleRole(context, id, userId);
  }
  return result;
}
