import type { ProjectOverview } from '../api/projects-api.ts';

/**
 * Routes that every project has. Routes about one error are missing here: they lead to the list of the other project.
 */
const EVERYWHERE: readonly unknown[] = ['errors', 'setup', 'members'];
const FOR_MAINTAINERS: readonly unknown[] = ['settings', 'alerts', 'outcomes'];

/** Routes of projects whose errors errgate stores. */
const WITH_INTEGRATED: readonly unknown[] = ['releases', 'user-reports'];

export interface SwitchedTo {
  /** Whether errgate stores the errors of the project. */
  readonly integrated: boolean;
  /** Whether the user has the Maintainer role in the project. */
  readonly maintains: boolean;
}

/** Route to open in another project: the current one if available there, otherwise the error list. */
export function switchTarget(route: unknown, to: SwitchedTo): string {
  const same =
    EVERYWHERE.includes(route) ||
    (FOR_MAINTAINERS.includes(route) && to.maintains) ||
    (WITH_INTEGRATED.includes(route) && to.integrated);
  return same ? String(route) : 'errors';
}

type Named = Pick<ProjectOverview, 'project'>;

/** Projects with every word in their name or path, sorted by path. */
export function matchingProjects<T extends Named>(all: readonly T[], search: string): T[] {
  const words = search.toLowerCase().split(/\s+/);
  return all
    .filter(({ project: { name, path_with_namespace: path } }) => {
      const text = `${name} ${path}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => a.project.path_with_namespace.localeCompare(b.project.path_with_namespace));
}
