/** The part of an API address that belongs to one project: `/api/0/projects/<organization>/<project>/`. */
const PROJECT_PATH = /\/api\/0\/projects\/(?:([^/]+)\/([^/]+)\/?)?$/;

/**
 * Builds the stored address of a tracker's project. `apiHost` is the input of a user: scheme and host, with an optional
 * sub-path. An `/api/0/…`, a query or a fragment is removed. Null for a blank host. Does not validate the address.
 */
export function buildApiUrl(apiHost: string, organization: string, project: string): string | null {
  const base = apiHost
    .trim()
    .replace(/[?#].*$/s, '')
    .replace(/\/api\/0(\/.*)?$/s, '');
  if (base === '') return null;
  const slugs = [organization, project].map((slug) => encodeURIComponent(slug.trim()));
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(base) ?? [];
  return scheme + `${rest}/api/0/projects/${slugs.join('/')}/`.replace(/\/{2,}/g, '/');
}

export interface ApiUrlParts {
  /** Scheme, host, port and sub-path, without a trailing slash. */
  readonly base: string;
  /** Decoded slugs; null without a project. */
  readonly organization: string | null;
  readonly project: string | null;
}

/** Splits an address of `buildApiUrl` into its parts; null for other texts. */
export function parseApiUrl(apiUrl: string | null): ApiUrlParts | null {
  if (apiUrl === null || !URL.canParse(apiUrl)) return null;
  const { origin, pathname } = new URL(apiUrl);
  const match = PROJECT_PATH.exec(pathname);
  if (match === null) return null;
  const decode = (slug: string | undefined): string | null => {
    try {
      return slug === undefined ? null : decodeURIComponent(slug);
    } catch {
      return null;
    }
  };
  return { base: origin + pathname.slice(0, match.index), organization: decode(match[1]), project: decode(match[2]) };
}

/** Compares the trackers of two stored addresses: a token for one may be sent to the other. */
export function sameTracker(one: string | null, other: string | null): boolean {
  const base = parseApiUrl(one)?.base;
  // Opaque origins (`null`, of schemes without one) never match.
  return base !== undefined && base === parseApiUrl(other)?.base && /^https?:/.test(base);
}
