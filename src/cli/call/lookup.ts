import type { User } from '../../domain/projects/account.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { Project } from '../../domain/projects/project.ts';
import { findGroup, type FoundGroup } from '../../gateway/http/group-lookup.ts';

/** Finds a project by numeric id or full path. Throws `project_not_found`. */
export async function findProject(store: Store, reference: string): Promise<Project> {
  const project = /^\d+$/.test(reference)
    ? await store.projectById(Number(reference))
    : ((await store.projectByPath(reference))?.project ?? null);
  if (project !== null) return project;
  throw new AppError('project_not_found', `there is no project ${reference}; \`errgate project list\` shows them`);
}

/** Finds a group by numeric id or full path, also one that was never made. Throws `group_not_found`. */
export async function groupByReference(store: Store, reference: string): Promise<FoundGroup> {
  const group = await findGroup(store, /^\d+$/.test(reference) ? Number(reference) : reference);
  if (group !== null) return group;
  throw new AppError('group_not_found', `there is no group ${reference}; \`errgate group list\` shows them`);
}

/** Finds a user by numeric id or name. Throws `not_found`. */
export async function findUser(store: Store, reference: string): Promise<User> {
  const user = /^\d+$/.test(reference) ? await store.userById(Number(reference)) : await store.userByName(reference);
  if (user !== null) return user;
  throw new AppError('not_found', `there is no user ${reference}; \`errgate user list\` shows them`);
}
