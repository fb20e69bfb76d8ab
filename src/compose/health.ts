import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { KeyCache } from '../auth/key-cache.ts';
import { AppError } from '../domain/app-error.ts';
import type { AlertSetup } from '../domain/ports/alert-setup.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { HealthProbe, InstanceHealth, RefusedRequests } from '../domain/ports/health.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { DigestThread } from '../integrated/digest/digest-thread.ts';
import type { Journal } from '../integrated/intake/journal/journal.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import { listQuarantine } from '../integrated/quarantine/quarantine-file.ts';
import { within } from '../lib/within.ts';
import type { Metrics } from '../observability/metrics.ts';
import { storeTraits } from '../storage/open/store-traits.ts';

/** Milliseconds after which a store counts as unavailable. Load balancers ask often and give up soon. */
const READING_LIMIT_MS = 1000;

export interface Probed {
  readonly store: Pick<Store, 'ping'>;
  readonly journal: Journal;
  readonly keyCache: KeyCache;
  readonly thread: Pick<DigestThread, 'heldUp'>;
  /** Message about a damaged store; null: no damage was met. */
  readonly damage: () => string | null;
  readonly stopping: () => boolean;
  readonly preparing: () => string | null;
}

/** Creates the probe of the health routes. */
export function createHealthProbe(probed: Probed): HealthProbe {
  const { store, journal, keyCache, thread, damage, stopping, preparing } = probed;
  const notAccepting = (): string | null => {
    if (stopping()) return 'the service is shutting down';
    if (keyCache.lost) return 'the store does not answer, and no client key is known from an earlier run';
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
    intact: () => {
      const found = damage();
      return { ok: found === null, reason: found === null ? null : `some data cannot be read: ${found}` };
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

/** Milliseconds until a store that computes its statistics counts as not answering. */
const STATS_LIMIT_MS = 3000;

export interface InstanceParts {
  readonly config: Config;
  readonly dataDir: string;
  readonly store: Store;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly refused: () => readonly RefusedRequests[];
  readonly alerts: Pick<AlertSetup, 'health'>;
  readonly metrics: Pick<Metrics, 'accepted' | 'stored'>;
}

/** Resolves with the answer, or with the fallback when it fails or takes too long. */
function soon<T, F>(ask: () => Promise<T>, fallback: F): Promise<T | F> {
  return within(STATS_LIMIT_MS, ask, () => fallback).catch(() => fallback);
}

/** Creates the probe of this process and its store that administrators see. */
export function createInstanceProbe(parts: InstanceParts): () => Promise<InstanceHealth> {
  const { config, dataDir, store, journal, clock, refused, alerts, metrics } = parts;
  const startedAt = clock.now();
  return async () => {
    const { bytes, oldestReceivedAt } = journal.stats();
    const [stats, gateways, running, alertHealth, quarantine, disk, accepted, stored] = await Promise.all([
      soon(() => store.stats(), null),
      soon(() => store.listJournals(), []),
      soon(() => store.listGateways(), []),
      soon(() => alerts.health(), null),
      listQuarantine(nodeJournalFiles, join(dataDir, 'quarantine')),
      soon(() => statfs(dataDir), null),
      metrics.accepted.get(),
      metrics.stored.get(),
    ]);
    const turnedAway = refused();
    return {
      startedAt,
      storeKind: storeTraits(config.store.url).shared ? 'mongodb' : 'sqlite',
      store: stats,
      journal: {
        bytes,
        maxBytes: config.journal.maxBytes,
        oldestAgeMs: oldestReceivedAt === null ? 0 : Math.max(0, clock.now() - oldestReceivedAt),
      },
      quarantined: quarantine.length,
      disk:
        disk === null
          ? null
          : {
              freeBytes: disk.bavail * disk.bsize,
              totalBytes: disk.blocks * disk.bsize,
              minFreeBytes: config.journal.minFreeDiskBytes,
            },
      counts: {
        accepted: accepted.values[0]?.value ?? 0,
        stored: stored.values[0]?.value ?? 0,
        refused: turnedAway.reduce((sum, { requests }) => sum + requests, 0),
      },
      refused: turnedAway,
      alerts: alertHealth,
      gateways,
      running,
    };
  };
}
