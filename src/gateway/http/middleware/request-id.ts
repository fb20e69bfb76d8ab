import type { Context, Middleware } from 'koa';
import { randomUUID } from 'node:crypto';
import { fromTrustedProxy } from './client-ip.ts';

/** Accepted form of ids from proxies, safe for logs and headers. */
const HANDED_ON = /^[\w.-]{1,128}$/;

/** Returns the id of a request: the one in its header from a trusted proxy, else a new one. */
export function requestIdFor(header: string | undefined, isTrusted: () => boolean): string {
  return header !== undefined && HANDED_ON.test(header) && isTrusted() ? header : randomUUID();
}

/** Gives each request an id, for the log and `X-Request-Id`. */
export function requestId(): Middleware {
  return (ctx, next) => {
    const id = requestIdFor(ctx.get('X-Request-Id'), () => fromTrustedProxy(ctx));
    ctx.state.requestId = id;
    ctx.set('X-Request-Id', id);
    return next();
  };
}

export function requestIdOf(ctx: Context): string {
  return String(ctx.state.requestId);
}
