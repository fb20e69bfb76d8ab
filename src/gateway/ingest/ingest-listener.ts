import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { accessRecorder, runtimeText } from '../http/middleware/access.ts';
import { clientAddressOf, createClientAddress } from '../http/middleware/client-ip.ts';
import { requestIdFor } from '../http/middleware/request-id.ts';
import { SELF_REPORT_HEADER } from '../http/middleware/self-report.ts';
import { subPathRemover } from '../http/middleware/sub-path.ts';
import type { CommonDeps, OperationDeps } from '../http/route-deps.ts';
import type { IngestTarget } from './ingest-path.ts';
import type { IngestReply, IngestRoutes } from './ingest-routes.ts';

interface Deps extends Pick<CommonDeps, 'externalUrl' | 'logger'>, Pick<OperationDeps, 'metrics'> {
  readonly ingest: IngestRoutes;
  /** CIDRs of trusted proxies, whose `X-Forwarded-…` headers are used. */
  readonly trustedProxies: readonly string[];
  /** Mark of this service's reports about itself; null: it sends none. */
  readonly selfReportMark: string | null;
}

/** Request to an ingestion route. */
interface Ingestion {
  /** Without the sub-path of the external URL. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly target: IngestTarget;
  readonly requestId: string;
}

/** Address of a request in its usual form: path and query. */
const URL_FORM = /^(\/[^?#\s]*)(?:\?([^#\s]*))?$/;

/**
 * Answers `POST` requests to the ingestion routes before the Koa application, whose chain takes a quarter of the
 * processor time of such a request. All else goes to `application`. It answers these requests in the same way, which a
 * test checks.
 */
export function ingestListener(deps: Deps, application: RequestListener): RequestListener {
  const clients = createClientAddress(deps.trustedProxies);
  const withoutSubPath = subPathRemover(() => deps.externalUrl());
  const record = accessRecorder(deps.metrics, deps.logger);

  function requestIdOf(req: IncomingMessage): string {
    const given = req.headers['x-request-id'];
    const isTrusted = (): boolean => clients.peerIsTrusted(req.socket.remoteAddress);
    return requestIdFor(typeof given === 'string' ? given : undefined, isTrusted);
  }

  async function answer(req: IncomingMessage, res: ServerResponse, { path, query, target, requestId }: Ingestion) {
    const started = performance.now();
    const reply = await deps.ingest.answer({ req, target, query, clientIp: () => clientAddressOf(req, clients) });
    const seconds = (performance.now() - started) / 1000;
    const group = reply.held ? 'ingest_held' : 'ingest';
    record({ group, method: req.method ?? '', path, status: reply.status, seconds, requestId });
    write(res, reply, requestId, seconds);
  }

  return (req, res) => {
    const form = req.method === 'POST' ? URL_FORM.exec(req.url ?? '') : null;
    const path = withoutSubPath(form?.[1] ?? '');
    const target = form === null ? null : deps.ingest.targetOf(path);
    // A report of this gateway about itself needs the context that the application gives it.
    if (target === null || (deps.selfReportMark !== null && SELF_REPORT_HEADER.toLowerCase() in req.headers)) {
      application(req, res);
      return;
    }
    const requestId = requestIdOf(req);
    answer(req, res, { path, query: form?.[2] ?? '', target, requestId }).catch((error: unknown) => {
      deps.logger.error({ request_id: requestId, method: req.method, path, err: error }, 'request failed');
      res.destroy();
    });
  };
}

/** Writes head and body at once: the head is not built header by header. */
function write(res: ServerResponse, { status, headers, body }: IngestReply, requestId: string, seconds: number): void {
  const head = ['X-Request-Id', requestId, ...headers];
  if (body !== null) head.push('Content-Length', String(Buffer.byteLength(body)));
  head.push('X-Runtime', runtimeText(seconds));
  res.writeHead(status, head);
  res.end(body);
}
