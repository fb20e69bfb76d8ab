import type { User } from '../../domain/projects/account.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { Project } from '../../domain/projects/project.ts';

/** Finds a project by numeric id or full path. Throws `project_not_found`. */
export async function findProject(store: Store, reference: string): Promise<Project> {
  const project = /^\d+$/.test(reference)
    ? await store.projectById(Number(reference))
    : ((await store.projectByPath(reference))?.project ?? null);
  if (project !== null) return project;
  throw new AppError('project_not_found', `there is no project ${reference}; \`errgate project list\` shows them`);
}

/** Finds a user by numeric id or name. Throws `not_found`. */
export async function findUser(store: Store, reference: string): Promise<User> {
  const user = /^\d+$/.test(reference) ? await store.userById(Number(reference)) : await store.userByName(reference);
  if (user !== null) return user;
  throw new AppError('not_found', `there is no user ${reference}; \`errgate user list\` shows them`);
}
