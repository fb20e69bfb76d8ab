/** Maximum characters of a path that is returned to. */
const MAX_LENGTH = 2000;

/** Where browsers read another host, or drop a character and then read one. */
const HOSTILE = /[\\\p{Cc}]|^\/\//u;

/**
 * Returns the address within this service to which a path leads, for `Location`. Everything else leads to its start: a
 * crafted link could otherwise end at a page that imitates this one. `path`: with or without the sub-path.
 */
export function addressWithin(externalUrl: string, path: string | null): string {
  const base = new URL(`${externalUrl}/`);
  const start = base.href;
  if (path === null || path.length > MAX_LENGTH || !path.startsWith('/') || HOSTILE.test(path)) return start;
  const relative = path.startsWith(base.pathname) ? path.slice(base.pathname.length) : path.slice(1);
  // A relative address with a scheme or a host would leave, so it is made part of a path first.
  if (!URL.canParse(`./${relative}`, base)) return start;
  const { origin, pathname, href } = new URL(`./${relative}`, base);
  const isWithin = origin === base.origin && pathname.startsWith(base.pathname) && !pathname.includes('//');
  const isSignOn = pathname.slice(base.pathname.length).startsWith('users/');
  return isWithin && !isSignOn ? href : start;
}
