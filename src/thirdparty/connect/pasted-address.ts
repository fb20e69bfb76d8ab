/** Host without scheme: with a dot, a port or brackets, but not a single word. */
const BARE_HOST =
  /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)+|localhost|[a-z0-9_-]+(?=:\d))(?::\d+)?(?:[/?#]|$)/i;
/** Start of page paths, below the address of the tracker. */
const PAGE = /\/(?:organizations|settings|auth|login|issues|projects|profile|account|onboarding)(?:\/|$)/;
/** Ingestion host of sentry.io; its API has another host. */
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
 * Lists possible tracker addresses for the input, the most literal first: as entered, above the path of a page, root of
 * the host. A DSN gives its host; a host without scheme gets https. Any other text is the only entry. All are on one
 * host.
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
  // Credentials in an address other than a DSN are refused, not ignored.
  if (url.username !== '' || url.password !== '') return [written];
  const path = withoutSlashes(url.pathname.replace(/\/api\/0(?:\/.*)?$/, ''));
  const page = PAGE.exec(path);
  const above = page === null ? [] : [url.origin + path.slice(0, page.index)];
  return [written, ...above, ...(path === '' ? [] : [url.origin])];
}

/** Compares the address with the input, ignoring blanks, trailing slashes and the case of the host. */
export function isAsTyped(typed: string, base: string): boolean {
  return withoutSlashes(typed.trim()).toLowerCase() === base.toLowerCase();
}
