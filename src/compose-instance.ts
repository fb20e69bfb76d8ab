import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import type { Clock } from './domain/ports/clock.ts';
import type { InstanceHealth, RefusedRequests } from './domain/ports/health.ts';
import type { Store } from './domain/ports/store.ts';
import type { Journal } from './integrated/intake/journal/journal.ts';
import { nodeJournalFiles } from './integrated/intake/journal/node-files.ts';
import { listQuarantine } from './integrated/quarantine/quarantine-file.ts';
import { within } from './lib/within.ts';
import { storeTraits } from './storage/store-traits.ts';

/** Milliseconds until a store that adds itself up counts as not answering. */
const STATS_LIMIT_MS = 3000;

export interface InstanceParts {
  readonly config: Config;
  readonly dataDir: string;
  readonly store: Store;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly refused: () => readonly RefusedRequests[];
}

/** The answer, or the fallback when it fails or takes too long. */
function soon<T, F>(ask: () => Promise<T>, fallback: F): Promise<T | F> {
  return within(STATS_LIMIT_MS, ask, () => fallback).catch(() => fallback);
}

export function createInstanceProbe(parts: InstanceParts): () => Promise<InstanceHealth> {
  const { config, dataDir, store, journal, clock, refused } = parts;
  const startedAt = clock.now();
  return async () => {
    const { bytes, oldestReceivedAt } = journal.stats();
    const [stats, gateways, quarantine] = await Promise.all([
      soon(() => store.stats(), null),
      soon(() => store.listJournals(), []),
      listQuarantine(nodeJournalFiles, join(dataDir, 'quarantine')),
    ]);
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
      refused: refused(),
      gateways,
    };
  };
}
