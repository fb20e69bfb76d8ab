import type { Context, Middleware } from 'koa';
import type { Logger } from '../../../observability/logger.ts';
import type { Metrics } from '../../../observability/metrics.ts';
import { fromTrustedProxy } from './client-ip.ts';

export interface AuthHeaderDeps {
  /** Name of the header with which a proxy names the signed-in person; null: none is believed. */
  readonly authHeader: string | null;
  readonly metrics: Pick<Metrics, 'authHeadersIgnored'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Removes the header of the proxy's sign-in from every request, before anything else reads it. Keeps its value only when
 * the peer itself is a trusted proxy. From anybody else it is counted, and logged the first time.
 */
export function authHeader({ authHeader: configured, metrics, logger }: AuthHeaderDeps): Middleware {
  if (configured === null) return (_ctx, next) => next();
  const name = configured.toLowerCase();
  let isLogged = false;
  return (ctx, next) => {
    const value = ctx.req.headers[name];
    if (value === undefined) return next();
    Reflect.deleteProperty(ctx.req.headers, name);
    if (fromTrustedProxy(ctx)) {
      // A proxy that appends to the header of a client gives several values, none of which is believed.
      ctx.state.proxiedName = Array.isArray(value) ? value.join(', ') : value.trim();
      return next();
    }
    metrics.authHeadersIgnored.inc();
    if (!isLogged) {
      isLogged = true;
      logger.warn(
        { header: name, peer: ctx.req.socket.remoteAddress },
        'a sender that is no trusted proxy sent the header of the sign-in; it is ignored, see errgate_auth_header_ignored_total for more',
      );
    }
    return next();
  };
}

/** Returns the person that a trusted proxy names, as sent; null: none does. Untrusted text for pages and logs. */
export function proxiedNameOf(ctx: Context): string | null {
  return typeof ctx.state.proxiedName === 'string' ? ctx.state.proxiedName : null;
}
