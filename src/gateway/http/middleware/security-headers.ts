import type { Middleware } from 'koa';

/** Sets headers of every answer outside ingestion, which has its own. */
export function securityHeaders(): Middleware {
  return (ctx, next) => {
    ctx.set('X-Frame-Options', 'SAMEORIGIN');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'max-age=0, private, must-revalidate');
    ctx.vary('Origin');
    return next();
  };
}
