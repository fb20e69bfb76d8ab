import type { Project } from './project.ts';

/** Returns the name that build tools use for the group of a project: the first part of its path. */
export function organizationOf({ path }: Pick<Project, 'path'>): string {
  return path.slice(0, path.indexOf('/'));
}

/** Returns the name that build tools use for a project: the rest of its path, with `-` between the parts. */
export function slugOf({ path }: Pick<Project, 'path'>): string {
  return path.slice(path.indexOf('/') + 1).replaceAll('/', '-');
}

interface Named extends Pick<Project, 'id' | 'path'> {
  /** Paths that tools may still use; absent: none. */
  readonly formerPaths?: readonly string[];
}

/**
 * Finds the project that a build tool names by slug or by id, in any case, else by a slug that it had. Null for none, and
 * for a slug that two projects have (`a/b-c` and `a/b/c`): those are named by id.
 */
export function projectOfSlug<P extends Named>(projects: readonly P[], name: string): P | null {
  const lower = name.toLowerCase();
  const isNamed = (path: string): boolean => slugOf({ path }).toLowerCase() === lower;
  const [found, another] = projects.filter(({ path }) => isNamed(path));
  if (found !== undefined && another === undefined) return found;
  const byId = projects.find(({ id }) => String(id) === name);
  if (byId !== undefined || another !== undefined) return byId ?? null;
  const [former, more] = projects.filter(({ formerPaths = [] }) => formerPaths.some(isNamed));
  return more === undefined ? (former ?? null) : null;
}
