import type { Config } from '../../config/schema.ts';
import { INGEST_KEY_BOUNDS, IngestKeys } from '../auth/ingest-keys.ts';
import { KeyUses } from '../auth/key-use.ts';
import type { KeyCache } from '../auth/key-cache.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { MisaddressedRequests, RefusedRequests } from '../domain/ports/health.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { GatewayDeps } from '../gateway/app.ts';
import { ingestRoutes } from '../gateway/ingest/ingest-routes.ts';
import { RefusalThrottle } from '../gateway/ingest/refusal-throttle.ts';
import { RefusalCounts } from '../gateway/ingest/refused-requests.ts';
import { RateLimits } from '../integrated/intake/limits/rate-limits.ts';
import { SpikeGuard } from '../integrated/intake/limits/spike-guard.ts';
import type { RecordSink } from '../integrated/intake/record-sink.ts';
import { RefusalLedger } from '../integrated/intake/refusal-ledger.ts';
import { RequestIntake } from '../integrated/intake/request-intake.ts';
import { sendTestEvent } from '../integrated/intake/test-event.ts';
import type { OverridesOf } from '../integrated/project-overrides.ts';
import { projectPaths } from '../integrated/project-paths.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

export interface IngestSideParts {
  readonly store: Store;
  readonly keyCache: KeyCache;
  /** Protection overrides of projects. */
  readonly own: OverridesOf;
  readonly journal: RecordSink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface IngestSide {
  readonly routes: GatewayDeps['ingest'];
  /** Sends an event through the same intake as an SDK. Returns its id. Throws the errors of the intake. */
  readonly sendTestEvent: GatewayDeps['sendTestEvent'];
  /** Requests that were refused since the start, by reason. */
  readonly refused: () => readonly RefusedRequests[];
  /** Requests among these that came for one project with a key of another. */
  readonly misaddressed: (projectId: number) => MisaddressedRequests;
  /** Writes pending refusal counts to the journal and key uses to the store. Call it before they are closed. */
  stop(): Promise<void>;
}

/** Builds the ingestion path from an SDK's request to the journal. */
export async function createIngestSide(config: Config, parts: IngestSideParts): Promise<IngestSide> {
  const { store, keyCache, own, journal, clock, logger, metrics } = parts;
  const ledger = new RefusalLedger({ sink: journal, clock, logger, metrics });
  ledger.start();
  const guard = new SpikeGuard({ store, clock, logger });
  const paths = await projectPaths(config.limits.projects, store, 'late');
  const rates = new RateLimits({
    config: config.limits,
    own,
    clock,
    projectPath: (projectId) => paths.of(projectId),
    usual: (projectId, settings) => guard.allowance(projectId, settings),
  });
  const uses = new KeyUses({ store, clock });
  uses.start();
  const intake = new RequestIntake({ sink: journal, clock, limits: config.intake, rates, ledger, metrics });
  const refusals = new RefusalCounts({ clock, metrics });
  const routes = ingestRoutes({
    basePath: config.server.externalUrl === null ? '' : new URL(config.server.externalUrl).pathname,
    intake,
    keys: new IngestKeys({
      store,
      keyCache,
      integratedEnabled: config.integrated.enabled,
      clock,
      bounds: INGEST_KEY_BOUNDS,
      uses,
    }),
    refusals,
    throttle: new RefusalThrottle({ clock }),
    logger,
    announceNeverKept: config.intake.announceNeverKept,
  });
  const stop = async (): Promise<void> => {
    paths.stop();
    await uses.stop();
    await ledger.stop();
  };
  return {
    routes,
    sendTestEvent: (grant) => sendTestEvent(intake, grant),
    refused: () => refusals.list(),
    misaddressed: (projectId) => refusals.ofProject(projectId),
    stop,
  };
}
