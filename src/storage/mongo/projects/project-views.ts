import type { FormerPath, Project } from '../../../domain/projects/project.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ProjectDocument } from '../documents/command-documents.ts';
import { unknownProject } from '../../refusals.ts';
import { reading } from '../engine/operation-options.ts';

/** Projection of a project. */
export const PROJECT = { path: 1, name: 1, visibility: 1, monitorEnabled: 1, createdAt: 1 } as const;

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

export function toProject(row: Pick<ProjectDocument, '_id' | keyof typeof PROJECT>): Project {
  const { _id, path, name, visibility, monitorEnabled, createdAt } = row;
  return { id: _id, path, name, visibility, monitorEnabled, createdAt };
}

function orNull(row: Parameters<typeof toProject>[0] | null): Project | null {
  return row === null ? null : toProject(row);
}
