import type { Context, Middleware } from 'koa';
import { AppError } from '../../domain/app-error.ts';

interface MatchedLayer {
  readonly methods: readonly string[];
}

/** The methods of the routes whose path fitted, sorted; empty when none did. */
function allowedMethods(ctx: Context): string[] {
  const layers = (ctx as { matched?: readonly MatchedLayer[] }).matched ?? [];
  return [...new Set(layers.flatMap((layer) => layer.methods))].sort();
}

/** Runs where no route has answered. */
export function unmatched(): Middleware {
  return (ctx) => {
    if (/^\/api\/v3(\/|$)/.test(ctx.path)) throw new AppError('api_version_gone', 'API V3 is gone');
    const allowed = allowedMethods(ctx);
    if (allowed.length > 0 && !allowed.includes(ctx.method)) {
      throw new AppError('method_not_allowed', 'another method is needed', { details: { allow: allowed.join(', ') } });
    }
    throw new AppError('route_not_found', 'there is no such route');
  };
}
