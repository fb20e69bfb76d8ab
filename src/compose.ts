import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { KeySnapshotKeeper } from './auth/key-snapshot-keeper.ts';
import { createKnownBrowsers } from './auth/known-browsers.ts';
import { createPasswordDesk } from './auth/password-desk.ts';
import { TokenUses } from './auth/token-use.ts';
import { createWebSessions, type WebSessionLimits } from './auth/web-sessions.ts';
import { createIngestSide } from './compose-ingest.ts';
import { createInstanceProbe } from './compose-instance.ts';
import { createProtection } from './compose-protection.ts';
import { startStoreSide } from './compose-store.ts';
import { createTrackerSide, type TrackerSide } from './compose-trackers.ts';
import type { DigestThread, spawnDigest } from './digest-thread.ts';
import type { User } from './domain/account.ts';
import { AppError } from './domain/app-error.ts';
import { type Clock, systemClock } from './domain/ports/clock.ts';
import type { HealthProbe } from './domain/ports/health.ts';
import type { Store } from './domain/ports/store.ts';
import { createApp } from './gateway/app.ts';
import type { GatewayDeps } from './gateway/gateway-deps.ts';
import { SELF_REPORT_HEADER } from './gateway/middleware/self-report.ts';
import { FileDescriptors } from './file-descriptors.ts';
import { closeServer, listen } from './http-server.ts';
import { createIntegratedBackend } from './integrated/backend.ts';
import { DiskGuard } from './integrated/intake/journal/disk-guard.ts';
import { Journal } from './integrated/intake/journal/journal.ts';
import { nodeJournalFiles } from './integrated/intake/journal/node-files.ts';
import { RollUpJob } from './integrated/merging/roll-up-job.ts';
import { OwnProtections } from './integrated/own-protections.ts';
import { RetentionJob } from './integrated/retention/retention-job.ts';
import { within } from './lib/within.ts';
import { createLogger, type Logger } from './observability/logger.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { SignOfLife } from './sign-of-life.ts';
import { startSelfMonitoring } from './thirdparty/self-monitoring.ts';
import { uiDir } from './ui-dir.ts';

export interface ServiceOptions {
  /** Absolute; owned by this process. */
  readonly dataDir: string;
  readonly version: string;
  /** Looks at the opened store before anybody uses it; throws to refuse it. Default: any will do. */
  readonly admit?: (store: Store) => Promise<void>;
  /** What has to be done before readiness says that events are taken, in a sentence; null: nothing. Default: nothing. */
  readonly preparing?: () => string | null;
  /** Told when somebody has chosen a new password. */
  readonly onPasswordChanged?: (user: User) => void;
  /** Replaced in tests that let the digest thread die. */
  readonly spawnDigest?: typeof spawnDigest;
}

export interface RunningService {
  /** Where it listens: `http://host:port`. */
  readonly url: string;
  /** Where people and SDKs reach it; no slash at the end. */
  readonly externalUrl: string;
  /** Calls fail with `store_unavailable` until the store is there. */
  readonly store: Store;
  /** Resolves when the store is there; a service whose store will not do settles `failed` instead. */
  readonly opened: Promise<void>;
  readonly logger: Logger;
  /** Why the store is waited for; null when it is not. */
  waitingFor(): string | null;
  /** Settles only when the service cannot go on; stop it and start again: nothing acknowledged is lost. */
  readonly failed: Promise<Error>;
  /** Answers what is in flight, drains the journal within the configured limit, releases everything. */
  stop(): Promise<void>;
}

/** Keys and projects that may send, and their limits: what ingestion goes by while the store is away. */
const KEY_SNAPSHOT_FILE = 'ingest-keys.json';

/** Load balancers ask often and give up soon: a store that takes longer than this (milliseconds) counts as away. */
const READING_LIMIT_MS = 1000;

/** Puts all parts together and listens. Throws AppError with what to do when a part cannot start. */
export async function startService(config: Config, options: ServiceOptions): Promise<RunningService> {
  const clock = systemClock;
  const monitoring = await startSelfMonitoring({
    dsn: config.selfMonitoring.dsn,
    version: options.version,
    logger: createLogger(config.log),
    markHeader: SELF_REPORT_HEADER,
  });
  const { logger } = monitoring;
  const metrics = createMetrics();
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));

  const { store, thread, opened, away, close } = await startStoreSide({
    config,
    dataDir: options.dataDir,
    clock,
    logger,
    metrics,
    admit: options.admit ?? (() => Promise.resolve()),
    onProgress: ({ position, removedSegments }) => journal.digested(position, removedSegments),
    onRefused: (error) => fail(error),
    spawnDigest: options.spawnDigest,
  });
  const life = new SignOfLife({ store, version: options.version });
  void opened.then(
    () => life.start(),
    () => undefined,
  );
  opened.catch((error: unknown) => fail(error instanceof Error ? error : new Error(String(error))));
  const disk = new DiskGuard({ path: options.dataDir, minFreeBytes: config.journal.minFreeDiskBytes });
  await disk.start();
  const journal = await openJournal(config, options.dataDir, { clock, logger, metrics, disk, thread });
  thread.advance(journal.position());
  const retention = new RetentionJob({ store, owner: randomUUID(), settings: config.store, clock, logger });
  retention.start();
  const rollUp = new RollUpJob({ store, logger });
  rollUp.start();
  const own = new OwnProtections();
  const keeper = new KeySnapshotKeeper({
    store,
    file: join(options.dataDir, KEY_SNAPSHOT_FILE),
    clock,
    logger,
    onProtections: (protections, fromStore) => {
      own.replace(protections);
      // The digest cannot do without the store, and has asked it by itself: what a file says may be older.
      if (fromStore) thread.protect(protections);
    },
  });
  await keeper.start();

  const ingest = await createIngestSide(config, { store, keeper, own: own.of, journal, clock, logger, metrics });

  const trackers = createTrackerSide(config, { dataDir: options.dataDir, clock, logger, metrics, store });

  const tokenUses = new TokenUses({ store, clock });

  let stopping = false;
  let externalUrl = config.server.externalUrl?.replace(/\/+$/, '') ?? '';
  const app = createApp({
    store,
    authenticator: createAuthenticator({ accounts: store, clock, uses: tokenUses }),
    webSessions: createWebSessions({ store, clock, limits: sessionLimits(config) }),
    browsers: createKnownBrowsers({ store, clock }),
    passwords: createPasswordDesk({ store, clock }),
    ...(options.onPasswordChanged === undefined ? {} : { onPasswordChanged: options.onPasswordChanged }),
    uiDir: uiDir(),
    backendFor: chooseBackend(store, clock, trackers.backends),
    trackers: trackers.setup,
    integratedOffered: config.integrated.enabled,
    externalUrl: () => externalUrl,
    fieldNames: config.server.fieldNames,
    health: createHealthProbe({
      store,
      journal,
      keeper,
      thread,
      stopping: () => stopping,
      preparing: options.preparing ?? (() => null),
    }),
    misaddressed: ingest.misaddressed,
    instance: createInstanceProbe({ config, dataDir: options.dataDir, store, journal, clock, refused: ingest.refused }),
    protection: createProtection(config),
    protectionSaved: () => keeper.refreshFromNow(true),
    sendTestEvent: ingest.sendTestEvent,
    metrics,
    metricsToken: config.metrics.token,
    trustedProxies: config.server.trustedProxies.split(',').filter((range) => range.trim() !== ''),
    clock,
    logger,
    ingest: ingest.routes,
    selfReportMark: monitoring.mark,
    version: options.version,
  });
  const handle = app.callback();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
  const descriptors = new FileDescriptors({ clock, logger });
  const { server, port } = await listen(onRequest, config.server.host, config.server.port, (error) =>
    descriptors.failed(error),
  );
  descriptors.start();
  if (externalUrl === '') externalUrl = `http://localhost:${port}`;
  void monitoring.checkVersion();

  const stop = async (): Promise<void> => {
    stopping = true;
    const deadline = clock.now() + config.server.shutdownTimeoutMs;
    await closeServer(server, config.server.shutdownTimeoutMs);
    await Promise.all([ingest.stop(), tokenUses.settled()]);
    await journal.close();
    thread.advance(journal.position());
    const drained = await thread.drain(Math.max(0, deadline - clock.now()));
    if (!drained && journal.stats().oldestReceivedAt !== null)
      logger.warn('the journal still holds events; the next start goes on with them');
    trackers.close();
    await disk.stop();
    await descriptors.stop();
    await keeper.stop();
    await retention.stop();
    await life.stop();
    await rollUp.stop();
    await close();
    await monitoring.close();
  };
  const host = config.server.host.includes(':') ? `[${config.server.host}]` : config.server.host;
  return { url: `http://${host}:${port}`, externalUrl, store, opened, logger, waitingFor: away, failed, stop };
}

function sessionLimits({ sessions }: Config): WebSessionLimits {
  return { idleMs: sessions.idleMinutes * 60_000, maxMs: sessions.maxMinutes * 60_000 };
}

interface Parts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

async function openJournal(
  config: Config,
  dataDir: string,
  parts: Parts & { readonly disk: DiskGuard; readonly thread: DigestThread },
): Promise<Journal> {
  const { clock, logger, metrics, disk, thread } = parts;
  const journal = await Journal.open({
    files: nodeJournalFiles,
    dir: join(dataDir, 'journal'),
    clock,
    logger,
    durability: config.journal.durability,
    segmentBytes: config.journal.segmentBytes,
    maxBytes: config.journal.maxBytes,
    diskLow: () => disk.reason(),
    onSynced: ({ seconds }) => {
      metrics.journalSyncSeconds.observe(seconds);
      thread.advance(journal.position());
    },
  });
  metrics.watchJournal(() => {
    const { bytes, oldestReceivedAt } = journal.stats();
    return { bytes, oldestSeconds: oldestReceivedAt === null ? 0 : Math.max(0, clock.now() - oldestReceivedAt) / 1000 };
  });
  return journal;
}

/** The one place where `integrated` decides. */
function chooseBackend(store: Store, clock: Clock, trackers: TrackerSide['backends']): GatewayDeps['backendFor'] {
  const integrated = createIntegratedBackend(store, clock);
  return (_project, settings) => (settings.integrated ? integrated : trackers.backendFor(settings));
}

interface Probed {
  readonly store: Store;
  readonly journal: Journal;
  readonly keeper: KeySnapshotKeeper;
  readonly thread: Pick<DigestThread, 'heldUp'>;
  readonly stopping: () => boolean;
  readonly preparing: () => string | null;
}

function createHealthProbe({ store, journal, keeper, thread, stopping, preparing }: Probed): HealthProbe {
  const notAccepting = (): string | null => {
    if (stopping()) return 'the service is shutting down';
    if (keeper.lost) return 'the store does not answer, and no client key is known from an earlier run';
    return preparing() ?? journal.refusal()?.message ?? null;
  };
  return {
    accepting: () => {
      const reason = notAccepting();
      return { ok: reason === null, reason };
    },
    digesting: () => {
      const heldUp = thread.heldUp();
      return { ok: heldUp === null, reason: heldUp === null ? null : `new events are not stored: ${heldUp}` };
    },
    reading: async () => {
      try {
        await within(READING_LIMIT_MS, () => store.ping(), tooLate);
        return { ok: true, reason: null };
      } catch (error) {
        return { ok: false, reason: error instanceof AppError ? error.message : 'the store does not answer' };
      }
    },
  };
}

function tooLate(): never {
  throw new AppError('store_unavailable', 'the store takes too long to answer');
}
