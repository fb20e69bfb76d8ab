/** What the address of a list of issues in another tracker names. */
export interface FormerList {
  /** Segments of a sub-path, then the organization where the address names it. */
  readonly names: readonly string[];
  /** Slug or id of the project; null: none, so all of the organization. */
  readonly project: string | null;
}

/** Slug or id of a project or an organization. */
const NAME = /^[\w.-]{1,100}$/;
/** Maximum of segments. */
const MAX_NAMES = 8;

/**
 * Reads the address of a list of issues, or of a project, in another tracker: /organizations/acme/issues/?project=5,
 * /organizations/acme/projects/shop/, /acme/shop/issues/, /acme/shop/. Null for anything else, and for several projects.
 */
export function formerListIn(path: string): FormerList | null {
  const base = 'http://former.invalid';
  if (!URL.canParse(path, base)) return null;
  const { pathname, searchParams } = new URL(path, base);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length === 0 || segments.length > MAX_NAMES || !segments.every((one) => NAME.test(one))) return null;
  // Addresses of our own pages have this segment.
  if (segments.includes('-')) return null;
  const isOrganization = segments.includes('organizations');
  const isList = segments.at(-1) === 'issues';
  const names = (isList ? segments.slice(0, -1) : segments).filter(
    (name) => name !== 'organizations' && name !== 'projects',
  );
  if (!isList) return names.length < 2 ? null : { names: names.slice(0, -1), project: names.at(-1) ?? null };
  // Sentry has -1 for all projects.
  const asked = searchParams.getAll('project').filter((id) => id !== '' && id !== '-1');
  if (asked.length > 1) return null;
  const [project = null] = asked;
  if (project !== null || isOrganization || names.length < 2) return { names, project };
  return { names: names.slice(0, -1), project: names.at(-1) ?? null };
}
