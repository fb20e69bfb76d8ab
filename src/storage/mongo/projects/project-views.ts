import type { AccessLevel } from '../../../domain/projects/account.ts';
import type { FormerPath, Member, Project } from '../../../domain/projects/project.ts';
import type { MongoContext } from '../engine/context.ts';
import { memberKey } from '../documents/command-documents.ts';
import type { ProjectDocument } from '../documents/command-documents.ts';
import { unknownProject } from '../../refusals.ts';
import { reading } from '../engine/operation-options.ts';

const PROJECT = { path: 1, name: 1, visibility: 1, monitorEnabled: 1, createdAt: 1 } as const;

export async function projectById({ collections }: MongoContext, id: number): Promise<Project | null> {
  return orNull(await collections.projects.findOne({ _id: id }, reading('projects.by_id', PROJECT)));
}

/** Returns the project; throws `project_not_found` when there is none. */
export async function requireProject(context: MongoContext, id: number): Promise<Project> {
  const project = await projectById(context, id);
  if (project === null) throw unknownProject(id);
  return project;
}

/** Finds a project by path. One with the path itself takes precedence over a redirect. */
export async function projectByPath(
  context: MongoContext,
  path: string,
): Promise<{ project: Project; moved: boolean } | null> {
  const { collections } = context;
  const lower = path.toLowerCase();
  const current = orNull(await collections.projects.findOne({ lower }, reading('projects.by_path', PROJECT)));
  if (current !== null) return { project: current, moved: false };
  const redirect = await collections.redirects.findOne({ _id: lower }, reading('redirects.by_path'));
  const former = redirect === null ? null : await projectById(context, redirect.projectId);
  return former === null ? null : { project: former, moved: true };
}

export async function formerPathsIn({ collections }: MongoContext, group: string): Promise<FormerPath[]> {
  const lower = group.toLowerCase();
  // `0` is the character after `/`.
  const filter = { _id: { $gt: `${lower}/`, $lt: `${lower}0` } };
  const rows = await collections.redirects.find(filter, reading('redirects.in_group')).sort({ _id: 1 }).toArray();
  return rows.map(({ _id: path, projectId }) => ({ path, projectId }));
}

export async function listProjects({ collections }: MongoContext): Promise<Project[]> {
  const rows = await collections.projects.find({}, reading('projects.list', PROJECT)).sort({ _id: 1 }).toArray();
  return rows.map(toProject);
}

export async function listMembers({ collections }: MongoContext, projectId: number): Promise<Member[]> {
  const rows = await collections.members.find({ projectId }, reading('members.list')).sort({ userId: 1 }).toArray();
  const ids = rows.map(({ userId }) => userId);
  const users = await collections.users
    .find({ _id: { $in: ids } }, reading('members.names', { username: 1, name: 1, blocked: 1 }))
    .toArray();
  const people = new Map(users.map(({ _id, username, name, blocked }) => [_id, { username, name, blocked }]));
  return rows.flatMap(({ userId, accessLevel }) => {
    const person = people.get(userId);
    return person === undefined ? [] : [{ projectId, userId, ...person, accessLevel }];
  });
}

export async function accessLevel(
  { collections }: MongoContext,
  projectId: number,
  userId: number,
): Promise<AccessLevel | null> {
  const _id = memberKey(projectId, userId);
  const found = await collections.members.findOne({ _id }, reading('members.level', { accessLevel: 1 }));
  return found?.accessLevel ?? null;
}

export async function projectsOfUser({ collections }: MongoContext, userId: number): Promise<Project[]> {
  const rows = await collections.members.find({ userId }, reading('members.of_user', { projectId: 1 })).toArray();
  const ids = rows.map(({ projectId }) => projectId);
  const filter = { _id: { $in: ids } };
  const projects = await collections.projects
    .find(filter, reading('projects.of_user', PROJECT))
    .sort({ _id: 1 })
    .toArray();
  return projects.map(toProject);
}

export function toProject(row: Pick<ProjectDocument, '_id' | keyof typeof PROJECT>): Project {
  const { _id, path, name, visibility, monitorEnabled, createdAt } = row;
  return { id: _id, path, name, visibility, monitorEnabled, createdAt };
}

function orNull(row: Parameters<typeof toProject>[0] | null): Project | null {
  return row === null ? null : toProject(row);
}
