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
import { createHealthProbe } from './compose-health.ts';
import { createIngestSide } from './compose-ingest.ts';
import { createInstanceProbe } from './compose-instance.ts';
import { createProtection } from './compose-protection.ts';
import { startStoreSide } from './compose-store.ts';
import { createTrackerSide } from './compose-trackers.ts';
import type { DigestThread, spawnDigest } from './digest-thread.ts';
import type { User } from './domain/account.ts';
import { type Clock, systemClock } from './domain/ports/clock.ts';
import type { Store } from './domain/ports/store.ts';
import { createApp } from './gateway/app.ts';
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
import { Closers } from './lib/closers.ts';
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

/** Puts all parts together and listens. Throws AppError with what to do when a part cannot start. */
export async function startService(config: Config, options: ServiceOptions): Promise<RunningService> {
  const closers = new Closers();
  try {
    return await start(config, options, closers);
  } catch (error) {
    // What fails while the rest is released says less than why the start failed.
    await closers.close().catch(() => undefined);
    throw error;
  }
}

/** As `startService`; what is open when it throws is left to `closers`. */
async function start(config: Config, options: ServiceOptions, closers: Closers): Promise<RunningService> {
  const clock = systemClock;
  const monitoring = await startSelfMonitoring({
    dsn: config.selfMonitoring.dsn,
    version: options.version,
    logger: createLogger(config.log),
    markHeader: SELF_REPORT_HEADER,
  });
  closers.add(() => monitoring.close());
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
  closers.add(close);
  const life = new SignOfLife({ store, version: options.version });
  closers.add(() => life.stop());
  void opened.then(
    () => life.start(),
    () => undefined,
  );
  opened.catch((error: unknown) => fail(error instanceof Error ? error : new Error(String(error))));
  const retention = new RetentionJob({ store, owner: randomUUID(), settings: config.store, clock, logger });
  retention.start();
  closers.add(() => retention.stop());
  const rollUp = new RollUpJob({ store, logger });
  rollUp.start();
  closers.add(() => rollUp.stop());
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
  // Before the journal is: what projects ask for themselves is kept up to date until it is drained.
  closers.add(() => keeper.stop());
  const disk = new DiskGuard({ path: options.dataDir, minFreeBytes: config.journal.minFreeDiskBytes });
  closers.add(() => disk.stop());
  await disk.start();
  const journal = await openJournal(config, options.dataDir, { clock, logger, metrics, disk, thread });
  /** Set when the service stops: until then the journal is drained. Null: a start that failed, which does not wait. */
  let deadline: number | null = null;
  closers.add(async () => {
    await journal.close();
    if (deadline === null) return;
    thread.advance(journal.position());
    const drained = await thread.drain(Math.max(0, deadline - clock.now()));
    if (!drained && journal.stats().oldestReceivedAt !== null)
      logger.warn('the journal still holds events; the next start goes on with them');
  });
  thread.advance(journal.position());
  await keeper.start();

  const ingest = await createIngestSide(config, { store, keeper, own: own.of, journal, clock, logger, metrics });
  closers.add(() => ingest.stop());

  const trackers = createTrackerSide(config, { dataDir: options.dataDir, clock, logger, metrics, store });
  closers.add(() => trackers.close());

  const tokenUses = new TokenUses({ store, clock });
  closers.add(() => tokenUses.settled());

  let stopping = false;
  let externalUrl = config.server.externalUrl?.replace(/\/+$/, '') ?? '';
  const integrated = createIntegratedBackend(store, clock);
  const app = createApp({
    store,
    authenticator: createAuthenticator({ accounts: store, clock, uses: tokenUses }),
    webSessions: createWebSessions({ store, clock, limits: sessionLimits(config) }),
    browsers: createKnownBrowsers({ store, clock }),
    passwords: createPasswordDesk({ store, clock }),
    ...(options.onPasswordChanged === undefined ? {} : { onPasswordChanged: options.onPasswordChanged }),
    uiDir: uiDir(),
    backendFor: (_project, settings, mayPoll) =>
      settings.integrated ? integrated : trackers.backends.backendFor(settings, mayPoll),
    integratedErrors: integrated,
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
  closers.add(() => descriptors.stop());
  const { server, port } = await listen(onRequest, config.server.host, config.server.port, (error) =>
    descriptors.failed(error),
  );
  closers.add(() => closeServer(server, config.server.shutdownTimeoutMs));
  descriptors.start();
  if (externalUrl === '') externalUrl = `http://localhost:${port}`;
  void monitoring.checkVersion();

  const stop = (): Promise<void> => {
    stopping = true;
    deadline ??= clock.now() + config.server.shutdownTimeoutMs;
    return closers.close();
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
