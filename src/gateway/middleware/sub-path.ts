import type { Middleware } from 'koa';

/** Returns the path of an address, without a slash at the end; empty when it has none. */
function pathOf(externalUrl: string): string {
  return URL.canParse(externalUrl) ? new URL(externalUrl).pathname.replace(/\/+$/, '') : '';
}

/**
 * Makes routes answer with and without the sub-path of the external address. So both kinds of proxies work: those that
 * remove the sub-path and those that do not.
 */
export function subPath(externalUrl: () => string): Middleware {
  let known = '';
  let prefix = '';
  return (ctx, next) => {
    const url = externalUrl();
    if (url !== known) {
      known = url;
      prefix = pathOf(url);
    }
    if (prefix !== '' && ctx.path.startsWith(`${prefix}/`)) ctx.path = ctx.path.slice(prefix.length);
    return next();
  };
}
