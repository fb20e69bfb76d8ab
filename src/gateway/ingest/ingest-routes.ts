import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { cleanClient, readDsn, rememberingCredentials } from '../../auth/ingest-credentials.ts';
import type { IngestKeys } from '../../auth/ingest-keys.ts';
import { AppError } from '../../domain/app-error.ts';
import type { IngestAnswer, IngestGrant, Intake } from '../../domain/ports/intake.ts';
import type { Logger } from '../../observability/logger.ts';
import { refusalFor } from './ingest-errors.ts';
import { ingestPathMatcher, type IngestPathMatcher, type IngestTarget } from './ingest-path.ts';
import { rateLimitsHeader } from './rate-limit-headers.ts';
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

/** Request of an SDK. */
export interface IngestCall {
  readonly req: IncomingMessage;
  readonly target: IngestTarget;
  /** Query without the question mark. */
  readonly query: string;
  /** Returns the address of the sender, behind trusted proxies that of their client; null when unknown. */
  readonly clientIp: () => string | null;
}

/** Answer to an SDK, before it is written. */
export interface IngestReply {
  readonly status: number;
  /** Flat list (name, value, name, value …), as `ServerResponse.writeHead` takes it. */
  readonly headers: readonly string[];
  /** Null: an answer without a body. */
  readonly body: string | Buffer | null;
  /** True when the answer was delayed, which is not the time of accepting events. */
  readonly held: boolean;
}

/** Routes of ingestion, independent of the framework that writes their answers. */
export interface IngestRoutes {
  /** Returns the target of a path; null for paths of other routes. */
  readonly targetOf: IngestPathMatcher;
  /** Answers every request, also one that fails. */
  answer(call: IngestCall): Promise<IngestReply>;
}

/** Transparent image of one pixel: the answer to an image request with an event in its address. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Headers of every answer of the ingestion routes. Browser SDKs post from every origin, and must be able to read the
 * answer, refusals and rate limits included. No credentials: the key is in the request.
 */
const INGEST_CORS: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Headers',
  [
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication',
    'authorization, content-encoding, transfer-encoding, sentry-trace, baggage, traceparent',
  ].join(', '),
  'Access-Control-Expose-Headers',
  'x-sentry-error, x-sentry-rate-limits, retry-after',
  'Access-Control-Max-Age',
  '3600',
];

/** Returns names and values in turn. */
function ingestCors(methods: string): readonly string[] {
  return ['Access-Control-Allow-Methods', methods, ...INGEST_CORS];
}

const CORS: Readonly<Record<IngestTarget['kind'], readonly string[]>> = {
  store: ingestCors('POST, GET, OPTIONS'),
  envelope: ingestCors('POST, OPTIONS'),
};

/** Creates the ingestion routes. No body parser, session or timer of other routes may handle an SDK's request. */
export function ingestRoutes(given: IngestRoutesDeps): IngestRoutes {
  const deps = { ...given, readCredentials: rememberingCredentials() };
  return {
    targetOf: ingestPathMatcher(deps.basePath),
    async answer(call) {
      try {
        return await accepted(deps, call);
      } catch (error) {
        return await refused(deps, call, error);
      }
    },
  };
}

type Deps = IngestRoutesDeps & { readonly readCredentials: ReturnType<typeof rememberingCredentials> };

/** Counts a refused request and returns its answer, perhaps later. */
async function refused(deps: IngestRoutesDeps, call: IngestCall, error: unknown): Promise<IngestReply> {
  const { status, headers, body, reason, unexpected } = refusalFor(error, deps.announceNeverKept);
  deps.refusals.note(reason, projectNumber(call.target.dsnId));
  if (unexpected) {
    deps.logger.error({ err: error }, 'an ingestion request failed unexpectedly');
  }
  const held = deps.throttle.hold(status, call.clientIp);
  if (held !== null) {
    // The rest of the body must not wait in memory.
    call.req.resume();
    await held;
  }
  return { status, headers: [...CORS[call.target.kind], ...headers], body, held: held !== null };
}

/** Target with a valid project id. */
type ProjectTarget = IngestTarget & { readonly dsnId: string };

function namesProject(target: IngestTarget): target is ProjectTarget {
  return target.dsnId !== null;
}

/** Returns the id of an address as a number; null for a text. */
function projectNumber(dsnId: string | null): number | null {
  const id = dsnId !== null && /^\d+$/.test(dsnId) ? Number(dsnId) : null;
  return Number.isSafeInteger(id) ? id : null;
}

async function accepted(deps: Deps, call: IngestCall): Promise<IngestReply> {
  const { req, target, query } = call;
  const cors = CORS[target.kind];
  // Browsers send OPTIONS first; without an answer they could not read why the event itself is refused.
  if (req.method === 'OPTIONS') {
    return { status: 204, headers: cors, body: null, held: false };
  }
  if (!namesProject(target)) {
    throw new AppError('project_not_found', 'The address has no valid project id: copy the whole DSN again.');
  }
  if (req.method === 'POST') {
    const { eventId, limits } = await accept(deps, call, target, req);
    const rateLimits = rateLimitsHeader(limits, deps.announceNeverKept);
    const headers = [...cors, ...rateLimits, 'Content-Type', 'application/json'];
    return { status: 200, headers, body: eventId === null ? '{}' : `{"id":"${eventId}"}`, held: false };
  }
  const data = req.method === 'GET' && target.kind === 'store' ? new URLSearchParams(query).get('sentry_data') : null;
  if (data !== null) {
    await accept(deps, call, target, Readable.from([Buffer.from(`sentry_data=${encodeURIComponent(data)}`)]));
    return { status: 200, headers: [...cors, 'Content-Type', 'image/gif'], body: PIXEL, held: false };
  }
  throw new AppError('method_not_allowed', 'Events are sent with POST.', { details: { allow: 'POST, OPTIONS' } });
}

async function accept(
  deps: Deps,
  { req, query, clientIp }: IngestCall,
  target: ProjectTarget,
  body: Readable,
): Promise<IngestAnswer> {
  const { headers } = req;
  const credentials = deps.readCredentials({
    sentryAuth: headerText(headers['x-sentry-auth']),
    authorization: headers.authorization,
    query,
  });
  const { publicKey } = credentials;
  const granted = publicKey === null ? null : check(deps, target, publicKey);
  // A key of the snapshot needs no wait, so that most requests are spared one.
  const grant = granted instanceof Promise ? await granted : granted;
  const own = publicKey === null || grant === null ? null : { publicKey, grant };
  const opened = await deps.intake.open({
    kind: target.kind,
    body,
    contentEncoding: body === req ? headers['content-encoding'] : undefined,
    contentType: headers['content-type'],
    clientIp: clientIp(),
    client: credentials.client ?? cleanClient(headers['user-agent'] ?? ''),
    headers,
    grant: own?.grant ?? null,
  });
  let allowed: IngestGrant;
  try {
    allowed = await authorise(deps, target, own, opened.dsn);
  } catch (error) {
    opened.refuse(error);
    throw error;
  }
  return opened.keep(allowed);
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
function check(
  { keys, intake }: IngestRoutesDeps,
  target: ProjectTarget,
  publicKey: string,
): IngestGrant | Promise<IngestGrant> {
  const granted = keys.check(publicKey, target.dsnId);
  if (!(granted instanceof Promise)) return granted;
  return granted.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'ingest_forbidden') {
      const { grant, reason } = error.details ?? {};
      if (grant !== undefined && reason !== undefined) intake.countRefused(grant, target.kind, reason);
    }
    throw error;
  });
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
  if (inDsn.dsnId !== target.dsnId) {
    throw new AppError('ingest_forbidden', 'The DSN of the envelope is for another project than the address.', {
      details: { reason: 'other_project' },
    });
  }
  return own?.grant ?? check(deps, target, inDsn.publicKey);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
