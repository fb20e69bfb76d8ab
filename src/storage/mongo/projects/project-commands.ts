import type { NewProject, Project, ProjectPatch } from '../../../domain/projects/project.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import { projectById, toProject } from './project-views.ts';
import { pathTaken } from '../../refusals.ts';

/** Creates a project. Ids are never reused. */
export async function createProject({ collections, now }: MongoContext, project: NewProject): Promise<Project> {
  const { path, name, visibility } = project;
  const _id = await nextId(collections, 'projects');
  const row = { _id, path, lower: path.toLowerCase(), name, visibility, monitorEnabled: true, createdAt: now() };
  await orTaken(collections.projects.insertOne(row, writing('projects.insert')), path);
  await endRedirect({ collections }, path);
  return toProject(row);
}

/** Updates a project. Writes the redirect first: it has no effect while the project has its path. */
export async function updateProject(context: MongoContext, id: number, patch: ProjectPatch): Promise<Project | null> {
  const { collections } = context;
  const before = await projectById(context, id);
  if (before === null) return null;
  const { path, name, visibility, monitorEnabled } = patch;
  const moves = path !== undefined && path.toLowerCase() !== before.path.toLowerCase();
  if (moves) {
    await requireFreePath(context, path);
    await addRedirect(context, before.path.toLowerCase(), id);
  }
  const members = {
    ...(path === undefined ? {} : { path, lower: path.toLowerCase() }),
    ...(name === undefined ? {} : { name }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(monitorEnabled === undefined ? {} : { monitorEnabled }),
  };
  if (Object.keys(members).length === 0) return before;
  // `updateOne`, because some engines do not report a taken path as a duplicate key from `findOneAndUpdate`.
  const update = collections.projects.updateOne({ _id: id }, { $set: members }, writing('projects.update'));
  await orTaken(update, path);
  if (moves) await endRedirect(context, path);
  return projectById(context, id);
}

/**
 * Gives a project another path, as part of the move of its group. Does nothing when its path is no longer the one that
 * was read. Throws `conflict` when the new path is taken.
 */
export async function moveProject(context: MongoContext, { id, path: before }: Project, path: string): Promise<void> {
  const { collections } = context;
  const [from, to] = [before.toLowerCase(), path.toLowerCase()];
  if (from !== to) await addRedirect(context, from, id);
  const update = { $set: { path, lower: to } };
  const write = collections.projects.updateOne({ _id: id, lower: from }, update, writing('projects.move'));
  await orTaken(write, path);
  if (from !== to) await endRedirect(context, path);
}

async function addRedirect({ collections }: MongoContext, lower: string, projectId: number): Promise<void> {
  const redirect = { $set: { projectId } };
  await retryFirstUpsert(() =>
    collections.redirects.updateOne({ _id: lower }, redirect, { ...writing('redirects.add'), upsert: true }),
  );
}

async function requireFreePath({ collections }: MongoContext, path: string): Promise<void> {
  const lower = path.toLowerCase();
  if ((await collections.projects.findOne({ lower }, reading('projects.path_taken', { _id: 1 }))) !== null) {
    throw pathTaken(path);
  }
}

async function endRedirect({ collections }: Pick<MongoContext, 'collections'>, path: string): Promise<void> {
  await collections.redirects.deleteOne({ _id: path.toLowerCase() }, writing('redirects.end'));
}

async function orTaken<T>(write: Promise<T>, path: string | undefined): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isDuplicateKey(error) && path !== undefined ? pathTaken(path) : error;
  }
}
