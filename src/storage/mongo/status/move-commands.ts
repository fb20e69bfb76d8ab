import { AppError } from '../../../domain/app-error.ts';
import { groupOfPath, isSamePath, pathAfterMove } from '../../../domain/projects/group-paths.ts';
import type { Group, GroupPlace } from '../../../domain/projects/group.ts';
import type { Project, ProjectPatch } from '../../../domain/projects/project.ts';
import { groups, toGroup, type StoredGroup } from '../../records/kinds/group-kinds.ts';
import { meta } from '../../records/kinds/value-kinds.ts';
import { change, insert, remove } from '../../records/writes.ts';
import { groupPathTaken } from '../../refusals.ts';
import { requireMovable } from '../../state/group-rules.ts';
import { loweredUsers } from '../../state/members.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { groupsBelow, usedAt } from '../projects/groups.ts';
import * as projects from '../projects/project-commands.ts';
import { projectById } from '../projects/project-views.ts';
import { listMembers, projectsBelow } from '../projects/roles.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import { settleRole } from './member-commands.ts';

/** Shared value that names the only move of a group in progress. */
const MOVE = 'group_move';

/** The move that the shared value names, as JSON. */
interface Move {
  readonly id: number;
  readonly to: GroupPlace;
}

/** Maximum moves of others that one move completes before it gives up. */
const MAX_HELPED = 20;

export async function updateProject(context: MongoContext, id: number, patch: ProjectPatch): Promise<Project | null> {
  const { path } = patch;
  const before = path === undefined ? null : await projectById(context, id);
  if (before === null || isSamePath(groupOfPath(before.path) ?? '', groupOfPath(path ?? '') ?? '')) {
    return projects.updateProject(context, id, patch);
  }
  return settling(context, id, () => projects.updateProject(context, id, patch));
}

/** Changes the path of a project, then takes from people what their new role does not allow any more. */
async function settling<T>(context: MongoContext, id: number, changePath: () => Promise<T>): Promise<T> {
  const before = await listMembers(context, id);
  const result = await changePath();
  for (const userId of loweredUsers(before, await listMembers(context, id))) await settleRole(context, id, userId);
  return result;
}

/**
 * Moves a group. Only one moves at a time: a row of `meta` names it, and each step may be repeated and done by several
 * processes at once. A process that finds the row of another one completes that move first, so that no lease has to end.
 */
export async function moveGroup(context: MongoContext, id: number, to: GroupPlace): Promise<Group | null> {
  const records = mongoRecords(context);
  const value = JSON.stringify({ id, to } satisfies Move);
  for (let helped = 0; helped < MAX_HELPED; helped += 1) {
    if ((await records.get(groups, { id })) === null) return null;
    const [claimed] = await records.write([insert(meta, { key: MOVE, value })]);
    if (claimed === null) {
      await finishGroupMove(context);
      continue;
    }
    const refusal = await carryOut(context, value);
    if (refusal !== null) throw refusal;
    const moved = await records.get(groups, { id });
    return moved === null ? null : toGroup(moved);
  }
  throw new AppError('conflict', 'other groups are being moved: try again in a moment');
}

/** Completes a move of a group whose process ended in between; does nothing without one. */
export async function finishGroupMove(context: MongoContext): Promise<void> {
  const begun = await mongoRecords(context).get(meta, { key: MOVE });
  if (begun !== null) await carryOut(context, begun.value);
}

/** Does what is left of a move; returns why it cannot begin. A failure of the store leaves it for the next one. */
async function carryOut(context: MongoContext, value: string): Promise<AppError | null> {
  const records = mongoRecords(context);
  const { id, to } = JSON.parse(value) as Move;
  const group = await records.get(groups, { id });
  const refusal = group === null || group.movedFrom !== null ? null : await begin(context, group, to);
  if (refusal === null) await moveBelow(context, id);
  await records.write([remove(meta, { key: MOVE }, { is: { value } })]);
  return refusal;
}

/** Gives the group its path, which no other one can take then. Its roles hold at both paths until the end. */
async function begin(context: MongoContext, group: StoredGroup, to: GroupPlace): Promise<AppError | null> {
  const { id, path } = group;
  const records = mongoRecords(context);
  if (path === to.path) return null;
  try {
    const parent = to.parentId === null ? null : await records.get(groups, { id: to.parentId });
    requireMovable({ from: path, to, parentPath: parent?.path ?? null, used: await usedAt(context, to.path) });
    const set = { path: to.path, movedFrom: path.toLowerCase() };
    await records.write([change(groups, { id }, set, { path, movedFrom: null })]);
    return null;
  } catch (error) {
    if (isDuplicateKey(error)) return groupPathTaken(to.path);
    if (error instanceof AppError && error.code === 'conflict') return error;
    throw error;
  }
}

async function moveBelow(context: MongoContext, id: number): Promise<void> {
  const records = mongoRecords(context);
  const group = await records.get(groups, { id });
  const from = group?.movedFrom ?? null;
  if (group === null || from === null) return;
  // The second time for what was made during the first.
  for (const _time of isSamePath(from, group.path) ? [1] : [1, 2]) {
    for (const below of await groupsBelow(context, from)) {
      const path = pathAfterMove(below.path, from, group.path);
      const write = change(groups, { id: below.id }, { path }, { path: below.path });
      await unlessTaken(records.write([write]));
    }
    for (const project of await projectsBelow(context, from)) {
      const path = pathAfterMove(project.path, from, group.path);
      await unlessTaken(settling(context, project.id, () => projects.moveProject(context, project, path)));
    }
  }
  await records.write([change(groups, { id }, { movedFrom: null }, { movedFrom: from })]);
}

/** Leaves what is in the way of something that was made at the new path meanwhile. */
async function unlessTaken(move: Promise<unknown>): Promise<void> {
  await move.catch((error: unknown) => {
    const isTaken = isDuplicateKey(error) || (error instanceof AppError && error.code === 'conflict');
    if (!isTaken) throw error;
  });
}
