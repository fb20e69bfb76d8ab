/**
 * Path to open after signing in. Only paths of this service are followed: a crafted link could lead to a page that
 * imitates this one.
 */
export function safeReturnPath(given: unknown): string {
  if (typeof given !== 'string' || !/^\/(?![/\\])/.test(given)) return '/';
  // Browsers drop these characters, and could then read another host.
  return /[\t\n\r\\]/.test(given) ? '/' : given;
}
