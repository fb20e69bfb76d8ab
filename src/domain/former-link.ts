/** Paths of issues in other trackers, below their sub-path; the group is the id, short id or share id. */
const PATHS: readonly RegExp[] = [
  // Sentry and Urgentry: /organizations/acme/issues/4711/…, /acme/shop/issues/4711/…, /issues/4711/
  /\/issues\/(?!issue\/)([\w-]{1,64})(?:\/|$)/,
  // Sentry: /share/issue/0123456789abcdef/
  /\/share\/issue\/([\w-]{1,64})(?:\/|$)/,
  // Bugsink: /issues/issue/0f1e…-…/event/last/
  /\/issues\/issue\/([\w-]{1,64})(?:\/|$)/,
];

/** An id, short id or share id by itself. */
const ID = /^[\w-]{1,64}$/;

/**
 * Returns the id in an address of another tracker: a whole URL, a path, a search for a short id, or the id itself. Null
 * for anything else.
 */
export function formerIdIn(reference: string): string | null {
  const text = reference.trim();
  if (ID.test(text)) return text;
  const base = 'http://former.invalid';
  if (!URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  for (const path of PATHS) {
    const found = path.exec(url.pathname)?.[1];
    if (found !== undefined) return found;
  }
  // Sentry: /organizations/acme/issues/?query=SHOP-1A
  const query = /\/issues\/?$/.test(url.pathname) ? url.searchParams.get('query') : null;
  return query !== null && ID.test(query) ? query : null;
}
