/** The part of an API address that belongs to one project: `/api/0/projects/<organization>/<project>/`. */
const PROJECT_PATH = /\/api\/0\/projects\/(?:([^/]+)\/([^/]+)\/?)?$/;

/**
 * The address that is stored for a project of a tracker. `apiHost` is what people enter: scheme and host, a
 * sub-path where the tracker has one; an `/api/0/…`, a query or a fragment they copied along is cut off. Null
 * for a blank host. Nothing is checked here: what cannot be an address stays none.
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
  /** Scheme, host, port and sub-path, without a slash at the end. */
  readonly base: string;
  /** Slugs, decoded; null where no project is named. */
  readonly organization: string | null;
  readonly project: string | null;
}

/** What an address as `buildApiUrl` makes it consists of; null for other texts. */
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

/** Whether two stored addresses are of the same tracker: a token for one may be sent to the other. */
export function sameTracker(one: string | null, other: string | null): boolean {
  const base = parseApiUrl(one)?.base;
  // An origin that is none (`null`, of schemes without one) is the same as no other.
  return base !== undefined && base === parseApiUrl(other)?.base && /^https?:/.test(base);
}
