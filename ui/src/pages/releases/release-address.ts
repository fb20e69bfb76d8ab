import { projectAddress } from '../../lib/project-path.ts';

const withEnvironment = (environment: string, query: Readonly<Record<string, string>> = {}) =>
  environment === '' ? query : { ...query, environment };

const base = (project: string) => `${projectAddress(project)}/-/error_tracking`;

/** Route of the page of a release. */
export function releaseRoute(project: string, release: string, environment: string) {
  return { path: `${base(project)}/releases/${encodeURIComponent(release)}`, query: withEnvironment(environment) };
}

/** Route of the comparison of a release with another one, the base. */
export function compareRoute(project: string, head: string, baseRelease: string, environment: string) {
  return {
    path: `${base(project)}/releases/${encodeURIComponent(head)}/compare`,
    query: withEnvironment(environment, { base: baseRelease }),
  };
}

/** Route of the list with the errors of a release, in every state. */
export function errorsRoute(project: string, release: string, environment: string) {
  return { path: base(project), query: withEnvironment(environment, { release, status: 'all' }) };
}
