import { unknownProject } from '../refusals.ts';
import type { Reference } from './kind.ts';
import { exists, required, type Check, type Requirement } from './writes.ts';

/** Rows of other code that records refer to. */
export const projects: Reference<{ readonly id: number }> = { name: 'projects', key: ['id'] };
export const users: Reference<{ readonly id: number }> = { name: 'users', key: ['id'] };

export const isProject = (id: number): Check => exists(projects, { id });

/** Throws `project_not_found` without a project of the id. */
export const requiredProject = (id: number): Requirement => required(isProject(id), unknownProject(id));
