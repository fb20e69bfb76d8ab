import type { Middleware } from 'koa';

/** Returns the path of an address, without a slash at the end; empty when it has none. */
function pathOf(externalUrl: string): string {
  return URL.canParse(externalUrl) ? new URL(externalUrl).pathname.replace(/\/+$/, '') : '';
}

/** Creates a function that removes the sub-path of the external address from the path of a request. */
export function subPathRemover(externalUrl: () => string): (path: string) => string {
  let known = '';
  let prefix = '';
  return (path) => {
    const url = externalUrl();
    if (url !== known) {
      known = url;
      prefix = pathOf(url);
    }
    return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  };
}

/**
 * Makes routes answer with and without the sub-path of the external address. So both kinds of proxies work: those that
 * remove the sub-path and those that do not.
 */
export function subPath(externalUrl: () => string): Middleware {
  const withoutSubPath = subPathRemover(externalUrl);
  return (ctx, next) => {
    const path = withoutSubPath(ctx.path);
    if (path !== ctx.path) ctx.path = path;
    return next();
  };
}
