/** A host with a dot, a port or in brackets: what people type without a scheme. One bare word is none. */
const BARE_HOST =
  /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)+|localhost|[a-z0-9_-]+(?=:\d))(?::\d+)?(?:[/?#]|$)/i;
/** Where addresses of pages begin, below the address of the tracker. */
const PAGE = /\/(?:organizations|settings|auth|login|issues|projects|profile|account|onboarding)(?:\/|$)/;
/** Where sentry.io takes events; its API is elsewhere. */
const INGEST_HOST = /^o\d+\.ingest\.(?:(us|de)\.)?sentry\.io$/;
/** The project in a DSN. */
const DSN_PROJECT = /\/(?:\d+|[0-9a-f]{32}|[0-9a-f-]{36})\/?$/;

const withoutSlashes = (text: string): string => text.replace(/\/+$/, '');

function ofDsn({ protocol, host, pathname }: URL): string {
  const region = INGEST_HOST.exec(host);
  if (region !== null) return `https://${region[1] === undefined ? '' : `${region[1]}.`}sentry.io`;
  return withoutSlashes(`${protocol}//${host}${pathname.replace(DSN_PROJECT, '')}`);
}

function isDsn({ username, pathname }: URL): boolean {
  return /^\w{1,255}$/.test(username) && DSN_PROJECT.test(pathname);
}

/**
 * Addresses at which the tracker may be that a person means, the most literal first: as typed, above the path of a
 * page, at the root of the host. A DSN leads to its host, a host without a scheme to https. Text that is none of
 * these is all there is in the list. All are on one host.
 */
export function trackerAddresses(typed: string): readonly [string, ...string[]] {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  if (!hasScheme && !BARE_HOST.test(text)) return [text];
  const written = hasScheme ? text : `https://${text}`;
  if (!URL.canParse(written)) return [written];
  const url = new URL(written);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return [written];
  if (isDsn(url)) return [ofDsn(url)];
  // A user in an address that is no DSN is refused, and not passed over.
  if (url.username !== '' || url.password !== '') return [written];
  const path = withoutSlashes(url.pathname.replace(/\/api\/0(?:\/.*)?$/, ''));
  const page = PAGE.exec(path);
  const above = page === null ? [] : [url.origin + path.slice(0, page.index)];
  return [written, ...above, ...(path === '' ? [] : [url.origin])];
}

/** Whether the address is what was typed, but for blanks, slashes at the end and letters of the host. */
export function isAsTyped(typed: string, base: string): boolean {
  return withoutSlashes(typed.trim()).toLowerCase() === base.toLowerCase();
}
