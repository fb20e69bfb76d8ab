import type { KeySnapshotKeeper } from './auth/key-snapshot-keeper.ts';
import type { DigestThread } from './digest-thread.ts';
import { AppError } from './domain/app-error.ts';
import type { HealthProbe } from './domain/ports/health.ts';
import type { Store } from './domain/ports/store.ts';
import type { Journal } from './integrated/intake/journal/journal.ts';
import { within } from './lib/within.ts';

/** Load balancers ask often and give up soon: a store that takes longer than this (milliseconds) counts as away. */
const READING_LIMIT_MS = 1000;

export interface Probed {
  readonly store: Pick<Store, 'ping'>;
  readonly journal: Journal;
  readonly keeper: KeySnapshotKeeper;
  readonly thread: Pick<DigestThread, 'heldUp'>;
  readonly stopping: () => boolean;
  readonly preparing: () => string | null;
}

/** What the health routes ask. */
export function createHealthProbe({ store, journal, keeper, thread, stopping, preparing }: Probed): HealthProbe {
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
