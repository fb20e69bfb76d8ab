import type { AccessLevel } from '../../../domain/account.ts';
import type { Member, Project } from '../../../domain/project.ts';
import type { MongoContext } from '../context.ts';
import { memberKey } from '../models/member.ts';
import type { ProjectDocument } from '../models/project.ts';
import { reading } from '../operation-options.ts';

const PROJECT = { path: 1, name: 1, visibility: 1, monitorEnabled: 1, createdAt: 1 } as const;

export async function projectById({ models }: MongoContext, id: number): Promise<Project | null> {
  return orNull(await models.projects.findOne({ _id: id }, PROJECT, reading('projects.by_id')).lean());
}

/** A project at the path itself goes before one that left a redirect there. */
export async function projectByPath(
  context: MongoContext,
  path: string,
): Promise<{ project: Project; moved: boolean } | null> {
  const { models } = context;
  const lower = path.toLowerCase();
  const current = orNull(await models.projects.findOne({ lower }, PROJECT, reading('projects.by_path')).lean());
  if (current !== null) return { project: current, moved: false };
  const redirect = await models.redirects.findOne({ _id: lower }, {}, reading('redirects.by_path')).lean();
  const former = redirect === null ? null : await projectById(context, redirect.projectId);
  return former === null ? null : { project: former, moved: true };
}

export async function listProjects({ models }: MongoContext): Promise<Project[]> {
  const rows = await models.projects.find({}, PROJECT, reading('projects.list')).sort({ _id: 1 }).lean();
  return rows.map(toProject);
}

export async function projectForIngest(context: MongoContext, id: number): Promise<Project | null> {
  const own = await projectById(context, id);
  if (own !== null) return own;
  const alias = await context.models.aliases.findOne({ _id: id }, {}, reading('aliases.by_id')).lean();
  return alias === null ? null : projectById(context, alias.projectId);
}

export async function listMembers({ models }: MongoContext, projectId: number): Promise<Member[]> {
  const rows = await models.members.find({ projectId }, {}, reading('members.list')).sort({ userId: 1 }).lean();
  const ids = rows.map(({ userId }) => userId);
  const users = await models.users
    .find({ _id: { $in: ids } }, { username: 1, name: 1, blocked: 1 }, reading('members.names'))
    .lean();
  const people = new Map(users.map(({ _id, username, name, blocked }) => [_id, { username, name, blocked }]));
  return rows.flatMap(({ userId, accessLevel }) => {
    const person = people.get(userId);
    return person === undefined ? [] : [{ projectId, userId, ...person, accessLevel }];
  });
}

export async function accessLevel(
  { models }: MongoContext,
  projectId: number,
  userId: number,
): Promise<AccessLevel | null> {
  const _id = memberKey(projectId, userId);
  const found = await models.members.findOne({ _id }, { accessLevel: 1 }, reading('members.level')).lean();
  return found?.accessLevel ?? null;
}

export async function projectsOfUser({ models }: MongoContext, userId: number): Promise<Project[]> {
  const rows = await models.members.find({ userId }, { projectId: 1 }, reading('members.of_user')).lean();
  const ids = rows.map(({ projectId }) => projectId);
  const filter = { _id: { $in: ids } };
  const projects = await models.projects.find(filter, PROJECT, reading('projects.of_user')).sort({ _id: 1 }).lean();
  return projects.map(toProject);
}

export function toProject(row: Pick<ProjectDocument, '_id' | keyof typeof PROJECT>): Project {
  const { _id, path, name, visibility, monitorEnabled, createdAt } = row;
  return { id: _id, path, name, visibility, monitorEnabled, createdAt };
}

function orNull(row: Parameters<typeof toProject>[0] | null): Project | null {
  return row === null ? null : toProject(row);
}
