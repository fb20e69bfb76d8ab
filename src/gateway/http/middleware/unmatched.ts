import type { Context, Middleware } from 'koa';
import { AppError } from '../../../domain/app-error.ts';
import { isPlainErrorId } from '../path-ids.ts';

interface MatchedLayer {
  readonly methods: readonly string[];
  captures(path: string): string[];
  params(path: string, captures: string[]): Readonly<Record<string, string>>;
}

/**
 * Returns false when the error's id is a fixed segment of another route: `projects.json` is not the address of an
 * error.
 */
function canBeMeant(layer: MatchedLayer, { path }: Context): boolean {
  const { error_id: errorId } = layer.params(path, layer.captures(path));
  return errorId === undefined || isPlainErrorId(errorId);
}

/** Returns the methods of the routes whose path matched, sorted; empty when none did. */
function allowedMethods(ctx: Context): string[] {
  const matched = (ctx as { matched?: readonly MatchedLayer[] }).matched ?? [];
  const layers = matched.filter((layer) => canBeMeant(layer, ctx));
  return [...new Set(layers.flatMap((layer) => layer.methods))].sort();
}

/** Answer to tracker tools such as sentry-cli and bundler plugins. */
const TRACKER_ROUTE_ABSENT =
  'errgate does not have this route: under /api/0/ it has what build tools need for releases and source maps. ' +
  'SDKs send events to the address of their DSN; settings, keys, errors and events are under /api/v4 (see /api/v4/openapi.json).';

/** Answers requests that no route has answered. */
export function unmatched(): Middleware {
  return (ctx) => {
    // Tools read `detail`, and take 405 for a fault of theirs.
    if (/^\/api\/0(\/|$)/.test(ctx.path)) throw new AppError('tracker_route_absent', TRACKER_ROUTE_ABSENT);
    if (/^\/api\/v3(\/|$)/.test(ctx.path)) throw new AppError('api_version_gone', 'API V3 is gone');
    const allowed = allowedMethods(ctx);
    if (allowed.length > 0 && !allowed.includes(ctx.method)) {
      throw new AppError('method_not_allowed', 'another method is needed', { details: { allow: allowed.join(', ') } });
    }
    throw new AppError('route_not_found', 'there is no such route');
  };
}
