import type { Config } from '../../config/schema.ts';
import { createAlertSetup } from '../alerts/alert-setup.ts';
import { AlertDispatcher, type DispatcherOptions } from '../alerts/dispatcher.ts';
import { createUnsubscribeLinks } from '../auth/unsubscribe-links.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Project } from '../domain/projects/project.ts';
import type { TrackedErrorDetail } from '../domain/errors/tracked-error.ts';
import type { AlertDeps } from '../gateway/http/route-deps.ts';
import type { Closers } from '../lib/closers.ts';
import { Lease } from '../lib/lease.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { openChannelSecrets } from '../thirdparty/secrets/channel-secrets.ts';
import { createChannelSetup } from '../thirdparty/setup/channel-setup.ts';
import { createTokenCipher } from '../thirdparty/secrets/encrypted-token.ts';
import { readKeyRing } from '../thirdparty/secrets/key-ring.ts';
import { composeAlertSender } from './alert-sender.ts';
import type { TrackerSide } from './trackers.ts';

export interface AlertParts {
  /** Absolute; the key file is there. */
  readonly dataDir: string;
  readonly store: Store;
  /** True: several gateways may use the store. */
  readonly shared: boolean;
  /** Name of this process as owner of leases. */
  readonly owner: string;
  readonly trackers: Pick<TrackerSide, 'guard' | 'backends'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly externalUrl: () => string;
  /** Called after facts that move an error up in the order `matters`. */
  readonly onMove: () => void;
}

export interface Alerts {
  /** What requests about alerts need. */
  readonly deps: AlertDeps;
  /** Its turns are a job. They run in the main thread: they read pages of 250 facts, and wait for receivers otherwise. */
  readonly dispatcher: AlertDispatcher;
}

/** Builds alerts. */
export function composeAlerts(config: Config, parts: AlertParts, closers: Closers): Alerts {
  const { dataDir, store, shared, owner, trackers, clock, externalUrl } = parts;
  const keys = () => readKeyRing({ ...config, dataDir });
  const cipher = createTokenCipher(keys, 'alert channel');
  const links = createUnsubscribeLinks({ externalUrl, keys });
  const options = {
    store,
    shared,
    sender: composeAlertSender(config, { guard: trackers.guard, links, clock, externalUrl }),
    open: (channel) => openChannelSecrets(cipher, channel),
    tracked: (project, errorId) => trackedError(parts, project, errorId),
    lease: new Lease({ store, name: 'alerts', owner }),
    ...{ clock, logger: parts.logger, externalUrl },
    ...counters(parts),
  } satisfies DispatcherOptions;
  const dispatcher = new AlertDispatcher(options);
  parts.metrics.watchAlerts(() => dispatcher.oldestUnsent());
  closers.add(() => dispatcher.stop());
  return {
    deps: {
      alerts: createAlertSetup(options),
      alertChannels: createChannelSetup({ store, cipher, guard: trackers.guard, clock }),
      alertStore: store,
      unsubscribeLinks: links,
    },
    dispatcher,
  };
}

function counters({ metrics, onMove }: AlertParts): Pick<DispatcherOptions, 'onFact' | 'count'> {
  const { alertFacts, alertMessages, alertDead } = metrics;
  return {
    onFact(kind) {
      alertFacts.inc({ kind });
      // New errors may come in floods, and wait for the next run.
      if (kind === 'regressed' || kind === 'escalated') onMove();
    },
    count(channel, outcome) {
      if (outcome === 'failed') alertDead.inc();
      else alertMessages.inc({ channel, outcome });
    },
  };
}

/** Reads an error of an external tracker; null: it does not answer, or the error is unknown. */
async function trackedError(
  { store, trackers }: AlertParts,
  project: Project,
  errorId: string,
): Promise<TrackedErrorDetail | null> {
  const settings = await store.settings(project.id);
  if (settings === null) return null;
  try {
    return await trackers.backends.backendFor(settings).get(project, errorId);
  } catch {
    return null;
  }
}
