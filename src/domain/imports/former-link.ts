/** What an address of another tracker names. */
export interface FormerLink {
  /** Id, short id or share id of an issue; null: only an event is named. */
  readonly id: string | null;
  /** 32 lower-case hex digits; null: none is named. */
  readonly eventId: string | null;
  /** Segments before the issue: of a sub-path, then organization and project where the tracker names them. */
  readonly names: readonly string[];
  /** Host and port; null for a path. */
  readonly host: string | null;
}

const EVENT = '[0-9a-fA-F]{32}|[0-9a-fA-F-]{36}';

/** Paths of issues and events in other trackers, behind the names of organization and project. */
const PATHS: readonly RegExp[] = [
  // Sentry: /share/issue/0123456789abcdef/
  /^(?<names>.*)\/share\/issue\/(?<id>[\w-]{1,64})(?:\/|$)/,
  // Bugsink: /issues/issue/0f1e…-…/event/…/
  new RegExp(`^(?<names>.*)/issues/issue/(?<id>[\\w-]{1,64})(?:/event/(?<event>${EVENT}))?(?:/|$)`),
  // /organizations/acme/issues/4711/events/…/, /acme/shop/issues/4711/, /acme/issues/4711, /issues/4711/
  new RegExp(`^(?<names>.*)/issues/(?!issue/)(?<id>[\\w-]{1,64})(?:/events/(?<event>${EVENT}))?(?:/|$)`),
  // Sentry: /organizations/acme/projects/shop/events/…/, /acme/shop/events/…/
  new RegExp(`^(?<names>.+)/events/(?<event>${EVENT})(?:/|$)`),
];

/** Lists of issues, whose search may be a short id: /organizations/acme/issues/?query=SHOP-1A */
const LIST = /^(?<names>.*)\/issues\/?$/;

/** An id, short id or share id by itself. */
const ID = /^[\w-]{1,64}$/;

/** Maximum of segments before an issue that are looked at. */
const MAX_NAMES = 8;

/** Returns an event id as 32 lower-case hex digits, without the dashes of a UUID; null for anything else. */
function eventIdOf(text: string | undefined): string | null {
  const digits = (text ?? '').replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : null;
}

const namesOf = (path: string): string[] =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== 'organizations' && name !== 'projects')
    .slice(-MAX_NAMES);

/**
 * Reads an address of another tracker: a whole URL, a path, a search for a short id, or an id itself. Null for anything
 * else.
 */
export function formerLinkIn(reference: string): FormerLink | null {
  const text = reference.trim();
  if (ID.test(text)) return { id: text, eventId: eventIdOf(text), names: [], host: null };
  const base = 'http://former.invalid';
  if (!URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  // Addresses of our own projects have this part.
  if (url.pathname.includes('/-/')) return null;
  const host = url.origin === base ? null : url.host;
  for (const path of PATHS) {
    const found = path.exec(url.pathname)?.groups;
    if (found === undefined) continue;
    const { id = null, event, names = '' } = found;
    return { id, eventId: eventIdOf(event), names: namesOf(names), host };
  }
  const list = LIST.exec(url.pathname)?.groups;
  const query = list === undefined ? null : (url.searchParams.get('query')?.trim() ?? null);
  if (list === undefined || query === null || !ID.test(query)) return null;
  return { id: query, eventId: null, names: namesOf(list['names'] ?? ''), host };
}
