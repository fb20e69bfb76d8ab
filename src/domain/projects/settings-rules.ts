import type { TrackingSettings } from './tracking-settings.ts';

/** Settings that error tracking needs before it can be switched on. */
export type ActivationFields = Pick<TrackingSettings, 'active' | 'integrated' | 'apiUrl' | 'sealedToken'>;

/**
 * Trackers may have a sub-path; then follow `/api/0/projects/` and, for a chosen project, `<organization>/<project>/`.
 */
const API_PATH = /^(?:\/[^/]+)*?\/api\/0\/projects\/(?<project>[^/]+\/[^/]+\/?)?$/;

function apiUrlProblem(apiUrl: string): string | null {
  const path = URL.canParse(apiUrl) ? new URL(apiUrl).pathname : '';
  const match = API_PATH.exec(path);
  if (match === null) return 'Api url is invalid';
  return match.groups?.project === undefined ? 'Project is a required field' : null;
}

/**
 * Describes why these settings cannot be saved, for users; empty for valid ones. The rules apply to active settings
 * with an external tracker: it needs an address, a token and a project.
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

/** Fields with one reported problem at most, because the others follow from it. */
const REPORTED_ONCE = ['Api url ', 'Token '];

/** Problems that follow from one with the given prefix. */
const IMPLIED: ReadonlyMap<string, string> = new Map([['Project is a required field', 'Project slug is invalid']]);

/** Keeps the order, and only the first problem of each field. */
export function withoutRepeats(problems: readonly string[]): string[] {
  return problems.filter((problem, index) => {
    const cause = IMPLIED.get(problem);
    if (cause !== undefined && problems.some((other) => other.startsWith(cause))) return false;
    const field = REPORTED_ONCE.find((name) => problem.startsWith(name));
    return field === undefined || problems.findIndex((other) => other.startsWith(field)) === index;
  });
}

/** Returns true when the integrated backend is selected and available in this installation. */
export function servedByIntegrated(settings: Pick<TrackingSettings, 'integrated'>, offered: boolean): boolean {
  return offered && settings.integrated;
}
