import type { Project } from './project.ts';

/** Returns the name that build tools use for the group of a project: the first part of its path. */
export function organizationOf({ path }: Pick<Project, 'path'>): string {
  return path.slice(0, path.indexOf('/'));
}

/** Returns the name that build tools use for a project: the rest of its path, with `-` between the parts. */
export function slugOf({ path }: Pick<Project, 'path'>): string {
  return path.slice(path.indexOf('/') + 1).replaceAll('/', '-');
}

/**
 * Finds the project that a build tool names by slug or by id, in any case. Null for none, and for a slug that two
 * projects have (`a/b-c` and `a/b/c`): those are named by id.
 */
export function projectOfSlug<P extends Pick<Project, 'id' | 'path'>>(projects: readonly P[], name: string): P | null {
  const lower = name.toLowerCase();
  const found = projects.filter((project) => slugOf(project).toLowerCase() === lower);
  return found.length === 1 ? (found[0] ?? null) : (projects.find(({ id }) => String(id) === name) ?? null);
}
