import { unknownProject, unknownUser } from '../refusals.ts';
import { users } from './kinds/account-kinds.ts';
import type { Reference } from './kind.ts';
import { exists, required, type Check, type Requirement } from './writes.ts';

/** Rows of other code to which records belong. */
export const projects: Reference<{ readonly id: number }> = { name: 'projects', key: ['id'] };

export const isProject = (id: number): Check => exists(projects, { id });

/** Throws `project_not_found` without a project of the id. */
export const requiredProject = (id: number): Requirement => required(isProject(id), unknownProject(id));

/** Throws `not_found` without a user of the id. */
export const requiredUser = (id: number): Requirement => required(exists(users, { id }), unknownUser(id));
