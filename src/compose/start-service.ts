import { join } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { AuditTrail } from '../audit/audit-trail.ts';
import { KeyCache } from '../auth/key-cache.ts';
import { createSecondFactors } from '../auth/second-factor/second-factors.ts';
import { TokenUses } from '../auth/token-use.ts';
import type { User } from '../domain/projects/account.ts';
import { systemClock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { FileDescriptors } from '../gateway/http/file-descriptors.ts';
import { closeServer, listen } from '../gateway/http/http-server.ts';
import { SELF_REPORT_HEADER } from '../gateway/http/middleware/self-report.ts';
import { ProjectOverrides } from '../integrated/project-overrides.ts';
import { Closers } from '../lib/closers.ts';
import { Jobs } from '../observability/jobs.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createSeal, createTokenCipher } from '../thirdparty/secrets/encrypted-token.ts';
import { createLinkSetup } from '../thirdparty/setup/link-setup.ts';
import { createForwardSetup } from '../thirdparty/setup/forward-setup.ts';
import { readKeyRing } from '../thirdparty/secrets/key-ring.ts';
import { startSelfMonitoring } from '../thirdparty/self-monitoring.ts';
import { storeTraits } from '../storage/open/store-traits.ts';
import { Forwarding } from './forwarding.ts';
import { createUrlGuard } from '../thirdparty/guard/url-guard.ts';
import { composeAlerts } from './alerts.ts';
import { createGateway } from './gateway.ts';
import { createHealthProbe, createInstanceProbe } from './health.ts';
import { createImports } from './imports.ts';
import { createIngestSide } from './ingest.ts';
import { leaseOwner, serviceJobs, storeJobs } from './jobs.ts';
import { startJournal } from './journal.ts';
import type { SignOnParts, SignOnSide } from './sign-on.ts';
import { startStoreSide } from './store.ts';
import { createTrackerPolling } from './tracker-polling.ts';
import { createTrackerSide } from './trackers.ts';
import { createUploads } from './uploads.ts';

export interface ServiceOptions {
  /** Absolute; owned by this process. */
  readonly dataDir: string;
  readonly version: string;
  /** Checks the opened store before its first use; throws to refuse it. Default: accepts any. */
  readonly admit?: (store: Store) => Promise<void>;
  /** Returns what must be done before the service is ready, as a sentence; null: nothing. Default: nothing. */
  readonly preparing?: () => string | null;
  /** Called after a user changed their password. */
  readonly onPasswordChanged?: (user: User) => void;
}

export interface RunningService {
  /** Address on which it listens: `http://host:port`. */
  readonly url: string;
  /** Address for users and SDKs, without a slash at the end. */
  readonly externalUrl: string;
  /** Store of the service. Calls fail with `store_unavailable` until it is available. */
  readonly store: Store;
  /** Resolves when the store is open. When it cannot be used, `failed` resolves instead. */
  readonly opened: Promise<void>;
  readonly logger: Logger;
  /** Returns the reason why the service waits for the store; null when it does not wait. */
  waitingFor(): string | null;
  /** Resolves only when the service cannot continue. Stop it and start again: no acknowledged record is lost. */
  readonly failed: Promise<Error>;
  /** Answers what is in flight, drains the journal within the configured limit, releases everything. */
  stop(): Promise<void>;
}

/** Key cache and limits that ingestion uses while the store is unavailable. */
const KEY_SNAPSHOT_FILE = 'ingest-keys.json';

/** Puts all parts together and listens. Throws AppError with what to do when a part cannot start. */
export async function startService(config: Config, options: ServiceOptions): Promise<RunningService> {
  const closers = new Closers();
  try {
    return await start(config, options, closers);
  } catch (error) {
    // An error while closing tells less than the reason why the start failed.
    await closers.close().catch(() => undefined);
    throw error;
  }
}

/** As `startService`; on errors `closers` closes the parts that are open. */
async function start(config: Config, options: ServiceOptions, closers: Closers): Promise<RunningService> {
  const { dataDir, version, admit = () => Promise.resolve(), preparing = () => null } = options;
  const { host, port, keepAliveTimeoutMs, shutdownTimeoutMs } = config.server;
  const clock = systemClock;
  /** Time by which all must be closed, milliseconds since the epoch; null until the service stops. */
  let deadline: number | null = null;
  /** Known from the start where it is configured, otherwise once the server listens. */
  let externalUrl = config.server.externalUrl?.replace(/\/+$/, '') ?? '';

  const monitoring = startSelfMonitoring({
    dsn: config.selfMonitoring.dsn,
    version,
    logger: createLogger(config.log),
    markHeader: SELF_REPORT_HEADER,
  });
  closers.add(() => monitoring.close());
  const { logger } = monitoring;
  const metrics = createMetrics();

  const storeSide = await startStoreSide({ config, dataDir, clock, logger, metrics, admit });
  closers.add(storeSide.close);
  const { store, thread, opened } = storeSide;
  const { shared } = storeTraits(config.store.url);
  const owner = leaseOwner(shared);
  const { store: settings, artifacts } = config;
  const ownJobs = new Jobs(storeJobs({ store, owner, version, settings, artifacts, metrics, clock, logger }), logger);
  closers.add(() => ownJobs.stop());
  startOnce(opened, ownJobs);

  const own = new ProjectOverrides();
  const forwarding = new Forwarding({ config, dataDir, clock, logger, metrics });
  closers.add(() => forwarding.stop());
  await forwarding.start();
  const keyCache = new KeyCache({
    store,
    file: join(dataDir, KEY_SNAPSHOT_FILE),
    clock,
    logger,
    onProtections: (protections, fromStore) => {
      own.replace(protections);
      // The digest needs the store and reads it itself; the overrides of a file may be older.
      if (fromStore) thread.protect(protections);
    },
    onForwards: (projectIds) => forwarding.changed(projectIds),
  });
  // Closes after the journal, so that project overrides are updated until the journal is drained.
  closers.add(() => keyCache.stop());
  const journal = await startJournal(
    config,
    { dataDir, clock, logger, metrics, thread, deadline: () => deadline },
    closers,
  );
  await keyCache.start();

  const ingest = await createIngestSide(config, { store, keyCache, own: own.of, journal, clock, logger, metrics });
  closers.add(() => ingest.stop());
  const trackers = createTrackerSide(config, { dataDir, clock, logger, metrics, store });
  closers.add(() => trackers.close());
  const polling = createTrackerPolling({ store, owner, trackers, clock, logger, metrics });
  closers.add(() => polling.stop());
  const tokenUses = new TokenUses({ store, clock });
  closers.add(() => tokenUses.flushed());

  const alerting = composeAlerts(
    config,
    {
      ...{ dataDir, store, shared, owner, trackers, clock, logger, metrics, externalUrl: () => externalUrl },
      onMove: () => ownJobs.soon('ranks'),
    },
    closers,
  );
  const moveIns = createImports(config, { store, trackers, clock, logger, metrics }, closers);
  const { dispatcher } = alerting;
  const uploads = await createUploads(config, { dataDir, store, owner, clock, logger, metrics }, closers);
  const auditTrail = new AuditTrail({ store, clock, logger });
  const jobs = new Jobs(
    serviceJobs({ store, auditTrail, shared, owner, clock, dispatcher, polling, moveIns, uploads }),
    logger,
  );
  closers.add(() => jobs.stop());
  const stopping = (): boolean => deadline !== null;
  const onRequest = createGateway(config, {
    store,
    auditTrail,
    ingest,
    trackers,
    tokenUses,
    moveIn: moveIns,
    health: createHealthProbe({ store, journal, keyCache, thread, damage: storeSide.damage, stopping, preparing }),
    instance: createInstanceProbe({
      config,
      dataDir,
      store,
      journal,
      clock,
      refused: ingest.refused,
      alerts: alerting.deps.alerts,
      metrics,
    }),
    forwarding: createForwardSetup({
      store,
      cipher: createTokenCipher(() => readKeyRing({ ...config, dataDir }), 'forward DSN'),
      guard: createUrlGuard(config.outbound),
      clock,
      ownAddress: () => externalUrl,
    }),
    links: createLinkSetup({
      store,
      cipher: createTokenCipher(() => readKeyRing({ ...config, dataDir }), 'issue tracker token'),
      guard: trackers.guard,
      clock,
    }),
    issueHookSeal: createSeal(() => readKeyRing({ ...config, dataDir }), 'issue hook'),
    secondFactors: createSecondFactors({
      store,
      clock,
      cipher: createTokenCipher(() => readKeyRing({ ...config, dataDir }), 'second factor'),
      required: config.sessions.secondFactorRequired,
      externalUrl: () => externalUrl,
    }),
    ...alerting.deps,
    signOn: await signOnSide(config, { dataDir, store, auditTrail, clock, logger, externalUrl: () => externalUrl }),
    uploads,
    overridesOf: own.of,
    protectionSaved: () => keyCache.refreshFromNow(true),
    onPasswordChanged: options.onPasswordChanged,
    externalUrl: () => externalUrl,
    selfReportMark: monitoring.mark,
    metrics,
    clock,
    logger,
    version,
  });
  const descriptors = new FileDescriptors({ clock, logger });
  closers.add(() => descriptors.stop());
  const listening = await listen(onRequest, host, port, {
    onAcceptError: (error) => descriptors.failed(error),
    keepAliveTimeoutMs,
  });
  closers.add(() => closeServer(listening.server, shutdownTimeoutMs));
  descriptors.start();
  if (externalUrl === '') externalUrl = `http://localhost:${listening.port}`;
  startOnce(opened, jobs);
  void monitoring.checkVersion();

  const stop = (): Promise<void> => {
    deadline ??= clock.now() + shutdownTimeoutMs;
    return closers.close();
  };
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening.port}`;
  const { failed, away: waitingFor } = storeSide;
  return { url, externalUrl, store, opened, logger, waitingFor, failed, stop };
}

/** Creates sign-in with an identity provider, whose libraries are loaded only then; null where none is configured. */
async function signOnSide(
  config: Config,
  parts: Omit<SignOnParts, 'cookies' | 'grants'> & { readonly dataDir: string },
): Promise<SignOnSide | null> {
  if (config.oidc.issuer === null) return null;
  const { createSignOnSide, signOnSettings } = await import('./sign-on.ts');
  const settings = signOnSettings(config);
  const ring = () => readKeyRing({ ...config, dataDir: parts.dataDir });
  const seals = { cookies: createSeal(ring, 'sign-in cookie'), grants: createSeal(ring, 'refresh token') };
  return settings === null ? null : createSignOnSide(settings, { ...parts, ...seals });
}

/** Starts jobs when the store is open, or not at all when it cannot be used. */
function startOnce(opened: Promise<void>, jobs: Jobs): void {
  void opened.then(
    () => jobs.start(),
    () => undefined,
  );
}
