import http from 'node:http';
import Koa from 'koa';
import { INGEST_KEY_BOUNDS, IngestKeys } from '../../src/auth/ingest-keys.ts';
import { KeyCache } from '../../src/auth/key-cache.ts';
import type { Intake } from '../../src/domain/ports/intake.ts';
import { listen } from '../../src/gateway/http/http-server.ts';
import { ingestListener } from '../../src/gateway/ingest/ingest-listener.ts';
import { ingestMiddleware } from '../../src/gateway/ingest/ingest-middleware.ts';
import { type IngestRoutes, ingestRoutes } from '../../src/gateway/ingest/ingest-routes.ts';
import type { RefusalThrottle } from '../../src/gateway/ingest/refusal-throttle.ts';
import { RefusalCounts } from '../../src/gateway/ingest/refused-requests.ts';
import type { IntakeLimits } from '../../src/integrated/intake/limits/intake-limits.ts';
import type { LimitsConfig, ScopeLimits } from '../../src/integrated/intake/limits/limit-rules.ts';
import { RateLimits } from '../../src/integrated/intake/limits/rate-limits.ts';
import type { RecordSink } from '../../src/integrated/intake/record-sink.ts';
import type { Allowance } from '../../src/lib/token-bucket.ts';
import { RefusalLedger } from '../../src/integrated/intake/refusal-ledger.ts';
import type { JournalRecord } from '../../src/integrated/intake/journal-record.ts';
import { RequestIntake } from '../../src/integrated/intake/request-intake.ts';
import { createMetrics, type Metrics } from '../../src/observability/metrics.ts';
import { FakeKeyStore } from './fake-key-store.ts';
import { fakeLogger } from './fake-logger.ts';

/** Default limits of the configuration. */
export const LIMITS: IntakeLimits = {
  maxRequestBytes: 20 * 1024 * 1024,
  maxInflatedBytes: 20 * 1024 * 1024,
  maxEventBytes: 1024 * 1024,
  bodyTimeoutMs: 30_000,
  maxRequestsInFlight: 5000,
};

const NO_LIMIT: ScopeLimits = { eventsPerMinute: 0, eventsBurst: 0, sessionsPerMinute: 0, sessionsBurst: 0 };

/** Builds the `limits` of a configuration from the given ones. */
export function limitsWith(
  given: {
    readonly key?: Partial<ScopeLimits>;
    readonly project?: Partial<ScopeLimits>;
    readonly instance?: Partial<ScopeLimits>;
    readonly spikeGuard?: Partial<LimitsConfig['spikeGuard']>;
    readonly projects?: LimitsConfig['projects'];
  } = {},
): LimitsConfig {
  return {
    key: { ...NO_LIMIT, ...given.key },
    project: { ...NO_LIMIT, ...given.project },
    instance: { ...NO_LIMIT, ...given.instance },
    spikeGuard: { enabled: false, factor: 10, minimumPerMinute: 100, ...given.spikeGuard },
    projects: given.projects ?? {},
  };
}

export const NOW = Date.UTC(2026, 10, 20, 12);

/** Sink that keeps appended records in memory; fails while `error` is set. */
export class MemorySink implements RecordSink {
  records: JournalRecord[] = [];
  appends = 0;
  error: Error | null = null;

  async append(records: readonly JournalRecord[]): Promise<void> {
    if (this.error !== null) {
      throw this.error;
    }
    this.appends += 1;
    this.records.push(...records);
  }

  get eventIds(): (string | null)[] {
    return this.records.flatMap(({ item, eventId }) => (item === undefined && eventId !== null ? [eventId] : []));
  }

  /** Types of the stored non-event items, in order. */
  get items(): string[] {
    return this.records.flatMap(({ item }) => item ?? []);
  }

  /** Stored outcomes as `category outcome/reason quantity`, in order. */
  get outcomes(): string[] {
    return this.records.flatMap((record) =>
      record.outcomes.map((one) => `${one.category} ${one.outcome}/${one.reason} ${one.quantity}`),
    );
  }
}

export interface IngestAnswerOverHttp {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Sends in chunks of this many bytes, without Content-Length. */
  readonly chunkBytes?: number;
}

export interface IngestApp {
  readonly port: number;
  /** Routes behind it, for other servers. */
  readonly routes: IngestRoutes;
  readonly sink: MemorySink;
  readonly store: FakeKeyStore;
  readonly metrics: Metrics;
  readonly refusals: RefusalCounts;
  readonly logged: unknown[];
  readonly passed: string[];
  /** Clock that only tests advance. */
  readonly clock: { at: number; now(): number };
  readonly ledger: RefusalLedger;
  /** Writes the refusals so far to the sink; returns them as `category outcome/reason quantity`, in order. */
  readonly refusedOutcomes: () => Promise<string[]>;
  readonly send: (path: string, options?: SendOptions) => Promise<IngestAnswerOverHttp>;
  /** Reads a counter with the given labels. */
  readonly count: (name: 'accepted' | 'dropped' | 'refused', labels?: Record<string, string>) => Promise<number>;
  readonly close: () => Promise<void>;
}

export interface IngestAppOptions {
  readonly limits?: Partial<IntakeLimits>;
  readonly rates?: LimitsConfig;
  /** Allowance of the spike guard. */
  readonly usual?: Allowance | null;
  readonly announceNeverKept?: boolean;
  readonly basePath?: string;
  readonly integratedEnabled?: boolean;
  readonly intake?: Intake;
  readonly throttle?: Pick<RefusalThrottle, 'hold'>;
}

/** Starts an application with only the ingestion routes, an in-memory sink and a fake store. */
export async function startIngestApp(options: IngestAppOptions = {}): Promise<IngestApp> {
  const sink = new MemorySink();
  const store = new FakeKeyStore();
  const metrics = createMetrics();
  const logged: unknown[] = [];
  const logger = fakeLogger((level) => (...parts) => {
    if (level === 'error') logged.push(parts);
  });
  const passed: string[] = [];
  const clock = { at: NOW, now: () => clock.at };
  const ledger = new RefusalLedger({ sink, clock, metrics, logger: { warn: () => undefined } });
  const rates = new RateLimits({
    config: options.rates ?? limitsWith(),
    own: () => undefined,
    clock,
    projectPath: (id) => `g/p${id}`,
    usual: () => options.usual ?? null,
  });
  const limits = { ...LIMITS, ...options.limits };
  const refusals = new RefusalCounts({ clock, metrics });
  const routes = ingestRoutes({
    basePath: options.basePath ?? '/errgate',
    intake: options.intake ?? new RequestIntake({ sink, clock, limits, rates, ledger, metrics }),
    announceNeverKept: options.announceNeverKept ?? false,
    keys: new IngestKeys({
      store,
      keyCache: new KeyCache({
        store,
        file: null,
        clock,
        logger: { warn: () => undefined, info: () => undefined },
      }),
      integratedEnabled: options.integratedEnabled ?? true,
      clock,
      bounds: INGEST_KEY_BOUNDS,
      uses: { note: () => undefined },
    }),
    refusals,
    // Off by default: the clock stands still, so delays would never end.
    throttle: options.throttle ?? { hold: () => null },
    logger,
  });
  const app = new Koa();
  app.use(ingestMiddleware(routes));
  app.use((ctx) => {
    passed.push(`${ctx.method} ${ctx.url}`);
    ctx.status = 404;
    ctx.body = { message: '404 Not Found' };
  });
  // Ignores failures to answer closed connections, which the real application logs.
  app.on('error', () => undefined);
  const handle = app.callback();
  const application: http.RequestListener = (request, response) => void handle(request, response);
  const direct = ingestListener(
    { ingest: routes, externalUrl: () => '', trustedProxies: [], selfReportMark: null, metrics, logger },
    application,
  );
  const { server, port } = await listen(direct, '127.0.0.1', 0);
  const agent = new http.Agent({ keepAlive: true });

  return {
    port,
    routes,
    sink,
    store,
    metrics,
    refusals,
    logged,
    passed,
    clock,
    ledger,
    async refusedOutcomes() {
      const before = sink.outcomes.length;
      await ledger.flush();
      return sink.outcomes.slice(before);
    },
    send: (path, sendOptions = {}) => send(agent, port, path, sendOptions),
    async count(name, labels = {}) {
      const { values } = await metrics[name].get();
      return values
        .filter((one) =>
          Object.entries(labels).every(([key, value]) => (one.labels as Record<string, unknown>)[key] === value),
        )
        .reduce((sum, one) => sum + one.value, 0);
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function send(agent: http.Agent, port: number, path: string, options: SendOptions): Promise<IngestAnswerOverHttp> {
  const { method = 'POST', headers = {}, chunkBytes } = options;
  const body = Buffer.from(options.body ?? '');
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('latin1');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
        });
      });
    });
    request.on('error', reject);
    if (chunkBytes === undefined) {
      request.end(body);
      return;
    }
    request.flushHeaders();
    for (let at = 0; at < body.length; at += chunkBytes) {
      request.write(body.subarray(at, at + chunkBytes));
    }
    request.end();
  });
}

/** Header with the valid key of project 42. */
export const AUTH = { 'X-Sentry-Auth': 'Sentry sentry_key=glet_abc123, sentry_version=7, sentry_client=test/1.0' };

export const STORE = '/errortracking/api/v1/projects/api/42/store/';
export const ENVELOPE = '/errortracking/api/v1/projects/api/42/envelope/';
