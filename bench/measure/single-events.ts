import type { Store } from '../../src/domain/ports/stores/store.ts';
import { pruneLimits } from '../../src/integrated/retention/prune-limits.ts';
import { withStore } from './large-store.ts';
import { seedStore } from './seed.ts';
import { startService, type Service } from './service.ts';
import { storedBytes, type FreshStore } from './stores.ts';

export interface SingleEventFigures {
  readonly events: number;
  /** Bytes on disk per event, more than the empty store has. */
  readonly bytesAlone: number;
  /** The same after one pass of retention has packed their payloads. */
  readonly bytesPacked: number;
}

const HOUR_MS = 3_600_000;
const ERRORS = 50;
/** Defaults of the service. */
const SETTINGS = { retentionDays: 90, maxEventsPerError: 10_000, auditDays: 365 };

/**
 * Measures the bytes on disk of events that came one at a time, as at one event a second: each is a batch of its own.
 * Their times are spread over an hour, which ended an hour ago.
 */
export async function measureSingleEvents(fresh: FreshStore, events: number): Promise<SingleEventFigures> {
  const service = await startService(fresh);
  try {
    await service.stop();
    const empty = await bytes(fresh, service);
    const now = Date.now();
    const size = { errors: ERRORS, events, until: now - HOUR_MS, spanMs: HOUR_MS, batch: 1 };
    await withStore(fresh, service, (store) => seedStore(store, service.first.project_id, size));
    const alone = await bytes(fresh, service);
    await withStore(fresh, service, pruneOnce);
    const packed = await bytes(fresh, service);
    return { events, bytesAlone: (alone - empty) / events, bytesPacked: (packed - empty) / events };
  } finally {
    await service.remove();
  }
}

async function pruneOnce(store: Store): Promise<void> {
  const limits = pruneLimits(SETTINGS, Date.now());
  while (!(await store.prune(limits)).done);
}

function bytes(fresh: FreshStore, service: Service): Promise<number> {
  return storedBytes(fresh, service.dataDirBytes());
}
