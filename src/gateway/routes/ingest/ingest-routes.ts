import { Readable } from 'node:stream';
import type Koa from 'koa';
import { cleanClient, readCredentials, readDsn } from '../../../auth/ingest-credentials.ts';
import type { IngestKeys } from '../../../auth/ingest-keys.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { IngestAnswer, IngestGrant, Intake } from '../../../domain/ports/intake.ts';
import type { Logger } from '../../../observability/logger.ts';
import { clientIp } from '../../middleware/client-ip.ts';
import { setIngestCors } from '../../middleware/cors.ts';
import { answerIngestError } from './ingest-errors.ts';
import { ingestPathMatcher, type IngestTarget } from './ingest-path.ts';
import { announceNeverKept, setRateLimits } from './rate-limit-headers.ts';
import type { RefusalThrottle } from './refusal-throttle.ts';
import type { RefusalCounts } from './refused-requests.ts';

export interface IngestRoutesDeps {
  /** Sub-path of the external URL, such as `/errgate`; empty when it has none. */
  readonly basePath: string;
  readonly intake: Intake;
  readonly keys: Pick<IngestKeys, 'check'>;
  /** Called for every refused request. */
  readonly refusals: Pick<RefusalCounts, 'note'>;
  /** Delays answers to refused requests when there are too many. */
  readonly throttle: Pick<RefusalThrottle, 'hold'>;
  readonly logger: Pick<Logger, 'error'>;
  /** Announces never-stored categories to SDKs, so that they stop sending them. */
  readonly announceNeverKept: boolean;
}

/** Transparent image of one pixel: the answer to an image request with an event in its address. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Creates the ingestion routes. They must be first in the application: no body parser, session or timer of other routes
 * may handle an SDK's request. Other paths pass through. Error answers are specific, with CORS.
 */
export function ingestRoutes(deps: IngestRoutesDeps): Koa.Middleware {
  const targetOf = ingestPathMatcher(deps.basePath);
  return async (ctx, next) => {
    const target = targetOf(ctx.path);
    if (target === null) {
      await next();
      return;
    }
    setIngestCors(ctx, target.kind === 'store' ? 'POST, GET, OPTIONS' : 'POST, OPTIONS');
    try {
      await answer(deps, ctx, target);
    } catch (error) {
      const { reason, unexpected } = answerIngestError(ctx, error);
      if (deps.announceNeverKept && ctx.status === 429) {
        announceNeverKept(ctx);
      }
      deps.refusals.note(reason, target.projectId);
      if (unexpected) {
        deps.logger.error({ err: error }, 'an ingestion request failed unexpectedly');
      }
      await putOff(deps, ctx);
    }
  };
}

/**
 * Delays the answer to a refused request. Counts its time in another group, because it is not the time of accepting
 * events.
 */
async function putOff(deps: IngestRoutesDeps, ctx: Koa.Context): Promise<void> {
  const held = deps.throttle.hold(ctx.status, () => clientIp(ctx));
  if (held === null) return;
  ctx.state.group = 'ingest_held';
  // The rest of the body must not wait in memory.
  ctx.req.resume();
  await held;
}

/** Target with a valid project id. */
type ProjectTarget = IngestTarget & { readonly projectId: number };

function namesProject(target: IngestTarget): target is ProjectTarget {
  return target.projectId !== null;
}

async function answer(deps: IngestRoutesDeps, ctx: Koa.Context, target: IngestTarget): Promise<void> {
  // Browsers send OPTIONS first; without an answer they could not read why the event itself is refused.
  if (ctx.method === 'OPTIONS') {
    ctx.status = 204;
    return;
  }
  if (!namesProject(target)) {
    throw new AppError('project_not_found', 'The address has no valid project id: copy the whole DSN again.');
  }
  switch (ctx.method) {
    case 'POST': {
      const { eventId, limits } = await accept(deps, ctx, target, ctx.req);
      if (limits.length > 0) {
        setRateLimits(ctx, limits, false);
      }
      if (deps.announceNeverKept) {
        announceNeverKept(ctx);
      }
      ctx.set('Content-Type', 'application/json');
      ctx.body = eventId === null ? '{}' : `{"id":"${eventId}"}`;
      return;
    }
    case 'GET': {
      const data = target.kind === 'store' ? ctx.query['sentry_data'] : undefined;
      if (typeof data === 'string') {
        await accept(deps, ctx, target, Readable.from([Buffer.from(`sentry_data=${encodeURIComponent(data)}`)]));
        ctx.set('Content-Type', 'image/gif');
        ctx.body = PIXEL;
        return;
      }
    }
  }
  throw new AppError('method_not_allowed', 'Events are sent with POST.', { details: { allow: 'POST, OPTIONS' } });
}

async function accept(
  deps: IngestRoutesDeps,
  ctx: Koa.Context,
  target: ProjectTarget,
  body: Readable,
): Promise<IngestAnswer> {
  const headers = ctx.req.headers;
  const credentials = readCredentials({
    sentryAuth: headerText(headers['x-sentry-auth']),
    authorization: headers.authorization,
    query: ctx.querystring,
  });
  const { publicKey } = credentials;
  const own = publicKey === null ? null : { publicKey, grant: await check(deps, target, publicKey) };
  const opened = await deps.intake.open({
    kind: target.kind,
    body,
    contentEncoding: body === ctx.req ? headers['content-encoding'] : undefined,
    contentType: headers['content-type'],
    clientIp: clientIp(ctx),
    client: credentials.client ?? cleanClient(headers['user-agent'] ?? ''),
    grant: own?.grant ?? null,
  });
  let grant: IngestGrant;
  try {
    grant = await authorise(deps, target, own, opened.dsn);
  } catch (error) {
    opened.refuse(error);
    throw error;
  }
  return opened.keep(grant);
}

/** Client key of the request itself, and its grant. */
interface OwnKey {
  readonly publicKey: string;
  readonly grant: IngestGrant;
}

/**
 * Checks that the key may send to the project in the address. Counts a known key without this permission for its
 * project.
 */
async function check(
  { keys, intake }: IngestRoutesDeps,
  target: ProjectTarget,
  publicKey: string,
): Promise<IngestGrant> {
  try {
    return await keys.check(publicKey, target.projectId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'ingest_forbidden') {
      const { grant, reason } = error.details ?? {};
      if (grant !== undefined && reason !== undefined) intake.countRefused(grant, target.kind, reason);
    }
    throw error;
  }
}

/** Checks the `dsn` of an envelope against the key of the request; null: the envelope has none. */
async function authorise(
  deps: IngestRoutesDeps,
  target: ProjectTarget,
  own: OwnKey | null,
  dsn: string | null,
): Promise<IngestGrant> {
  const inDsn = dsn === null ? null : readDsn(dsn);
  if (inDsn === null) {
    if (own === null) {
      throw new AppError(
        'ingest_unauthorized',
        'The request has no valid client key: send it in X-Sentry-Auth, as sentry_key in the query, or in the DSN of the envelope.',
      );
    }
    return own.grant;
  }
  if (own !== null && own.publicKey !== inDsn.publicKey) {
    throw new AppError('ingest_unauthorized', 'The request and the DSN of its envelope carry different client keys.');
  }
  if (inDsn.projectId !== target.projectId) {
    throw new AppError('ingest_forbidden', 'The DSN of the envelope is for another project than the address.', {
      details: { reason: 'other_project' },
    });
  }
  return own?.grant ?? check(deps, target, inDsn.publicKey);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
