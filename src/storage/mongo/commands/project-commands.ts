import type { AccessLevel } from '../../../domain/account.ts';
import type { NewProject, Project, ProjectPatch } from '../../../domain/project.ts';
import { mayBeAssigned } from '../../state/assignees.ts';
import { unassignAll } from './triage-commands.ts';
import type { MongoContext } from '../context.ts';
import { memberKey } from '../command-documents.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { nextId } from '../next-id.ts';
import { reading, writing } from '../operation-options.ts';
import { againWhenRaced } from '../raced-writes.ts';
import { sweepMembership } from '../records/sweep-records.ts';
import { userById } from '../views/account-views.ts';
import { projectById, toProject } from '../views/project-views.ts';
import { pathTaken, unknownProject, unknownUser } from '../../refusals.ts';

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
    const redirect = { $set: { projectId: id } };
    const lower = before.path.toLowerCase();
    await againWhenRaced(() =>
      collections.redirects.updateOne({ _id: lower }, redirect, { ...writing('redirects.add'), upsert: true }),
    );
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

export async function setMember(
  context: MongoContext,
  projectId: number,
  userId: number,
  level: AccessLevel,
): Promise<void> {
  const { collections } = context;
  await requireProject(context, projectId);
  if ((await userById(context, userId)) === null) {
    throw unknownUser(userId);
  }
  const _id = memberKey(projectId, userId);
  const update = { $set: { projectId, userId, accessLevel: level } };
  await againWhenRaced(() =>
    collections.members.updateOne({ _id }, update, { ...writing('members.set'), upsert: true }),
  );
  if (!mayBeAssigned(level)) await unassignAll(context, projectId, userId);
}

export async function removeMember(context: MongoContext, projectId: number, userId: number): Promise<boolean> {
  const { collections } = context;
  const _id = memberKey(projectId, userId);
  const { deletedCount } = await collections.members.deleteOne({ _id }, writing('members.remove'));
  // Also when it was removed before: that request may have ended in between.
  await unassignAll(context, projectId, userId);
  await collections.savedViews.deleteOne({ _id }, writing('saved_views.forget'));
  await sweepMembership(context, projectId, userId);
  return deletedCount > 0;
}

/** Returns the project; throws `project_not_found` when there is none. */
export async function requireProject(context: MongoContext, id: number): Promise<Project> {
  const project = await projectById(context, id);
  if (project === null) throw unknownProject(id);
  return project;
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
