import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { fromTrustedProxy } from './client-ip.ts';

/** Ids that proxies hand on, narrow enough to be put into logs and headers as they are. */
const HANDED_ON = /^[\w.-]{1,128}$/;

function handedOn(ctx: Context): string | null {
  const id = ctx.get('X-Request-Id');
  return HANDED_ON.test(id) && fromTrustedProxy(ctx) ? id : null;
}

/** Names each request, in the log and in `X-Request-Id`. */
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
