import type { ProjectOverview } from '../api/projects-api.ts';

/** Pages that every project has. What is about one error of a project leads to the list of the other one. */
const EVERYWHERE: readonly unknown[] = ['errors', 'setup', 'members'];
const FOR_MAINTAINERS: readonly unknown[] = ['settings', 'outcomes'];

export interface SwitchedTo {
  /** Whether the errors are stored here. */
  readonly integrated: boolean;
  /** Whether the person has the Maintainer role there. */
  readonly maintains: boolean;
}

/** The route of a project that comes nearest to the present one: the same where it has it and the person may see it. */
export function switchTarget(route: unknown, to: SwitchedTo): string {
  const same =
    EVERYWHERE.includes(route) ||
    (FOR_MAINTAINERS.includes(route) && to.maintains) ||
    (route === 'releases' && to.integrated);
  return same ? String(route) : 'errors';
}

type Named = Pick<ProjectOverview, 'project'>;

/** Those with every word in their name or path, by path. */
export function matchingProjects<T extends Named>(all: readonly T[], search: string): T[] {
  const words = search.toLowerCase().split(/\s+/);
  return all
    .filter(({ project: { name, path_with_namespace: path } }) => {
      const text = `${name} ${path}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => a.project.path_with_namespace.localeCompare(b.project.path_with_namespace));
}
