import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { fromTrustedProxy } from './client-ip.ts';

/** Accepted form of ids from proxies, safe for logs and headers. */
const HANDED_ON = /^[\w.-]{1,128}$/;

function handedOn(ctx: Context): string | null {
  const id = ctx.get('X-Request-Id');
  return HANDED_ON.test(id) && fromTrustedProxy(ctx) ? id : null;
}

/** Gives each request an id, for the log and `X-Request-Id`. */
export function requestId(): Middleware {
  return (ctx, next) => {
    const id = handedOn(ctx) ?? randomUUID();
    ctx.state.requestId = id;
    ctx.set('X-Request-Id', id);
    return next();
  };
}

export function requestIdOf(ctx: Context): string {
  return String(ctx.state.requestId);
}
