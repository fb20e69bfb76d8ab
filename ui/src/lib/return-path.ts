/**
 * Where to go after signing in, from the address. Only a path of these pages is followed: an address elsewhere would
 * let a crafted link send people to a page that only looks like this one.
 */
export function safeReturnPath(given: unknown): string {
  if (typeof given !== 'string' || !/^\/(?![/\\])/.test(given)) return '/';
  // A browser drops these and could then read another host.
  return /[\t\n\r\\]/.test(given) ? '/' : given;
}
