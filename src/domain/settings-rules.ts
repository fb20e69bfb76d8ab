import type { TrackingSettings } from './tracking-settings.ts';

/** What has to be there before error tracking can be switched on for a project. */
export type ActivationFields = Pick<TrackingSettings, 'active' | 'integrated' | 'apiUrl' | 'sealedToken'>;

/** Trackers may live under a sub-path; then `/api/0/projects/` and, once a project is chosen, `<organization>/<project>/`. */
const API_PATH = /^(?:\/[^/]+)*?\/api\/0\/projects\/(?<project>[^/]+\/[^/]+\/?)?$/;

function apiUrlProblem(apiUrl: string): string | null {
  const path = URL.canParse(apiUrl) ? new URL(apiUrl).pathname : '';
  const match = API_PATH.exec(path);
  if (match === null) return 'Api url is invalid';
  return match.groups?.project === undefined ? 'Project is a required field' : null;
}

/**
 * Why these settings may not be saved, as people read it; empty when they may. The rules bind only
 * settings that are active with an external tracker: it needs an address, a token and a project.
 */
export function activationProblems(settings: ActivationFields): string[] {
  if (!settings.active || settings.integrated) return [];
  const problems: (string | null)[] = [
    settings.apiUrl === null ? 'Api url is a required field' : null,
    settings.sealedToken === null ? 'Token is a required field' : null,
    settings.apiUrl === null ? null : apiUrlProblem(settings.apiUrl),
  ];
  return problems.filter((problem) => problem !== null);
}

/** Fields about which one problem is enough: the others follow from it. */
const TOLD_ONCE = ['Api url ', 'Token '];

/** What follows from a problem that begins like this. */
const IMPLIED: ReadonlyMap<string, string> = new Map([['Project is a required field', 'Project slug is invalid']]);

/** The problems in their order; of each field only the first, which says most. */
export function withoutRepeats(problems: readonly string[]): string[] {
  return problems.filter((problem, index) => {
    const cause = IMPLIED.get(problem);
    if (cause !== undefined && problems.some((other) => other.startsWith(cause))) return false;
    const field = TOLD_ONCE.find((name) => problem.startsWith(name));
    return field === undefined || problems.findIndex((other) => other.startsWith(field)) === index;
  });
}

/** Whether the integrated backend serves the project: stored as such, and offered by this installation. */
export function servedByIntegrated(settings: Pick<TrackingSettings, 'integrated'>, offered: boolean): boolean {
  return offered && settings.integrated;
}
