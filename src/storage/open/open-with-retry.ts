import { AppError, type ErrorCode } from '../../domain/app-error.ts';
import { BackOff, sleep, type Sleep } from '../../lib/back-off.ts';

/** A store that does not answer, and one that `errgate migrate` has to update. */
export type WaitableCode = Extract<ErrorCode, 'store_unavailable' | 'store_outdated'>;

/** Returns the errors of a shared store after which a gateway tries again. */
export function waitsFor({ waitForMigration }: { readonly waitForMigration: boolean }): readonly WaitableCode[] {
  return waitForMigration ? ['store_unavailable', 'store_outdated'] : ['store_unavailable'];
}

export interface OpenWithRetryOptions<T> {
  readonly open: () => Promise<T>;
  /** Errors after which it tries again; others are thrown at once. */
  readonly waitsFor: readonly WaitableCode[];
  /** Called after every attempt that failed with one of them. */
  readonly onAway: (error: AppError) => void;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
  readonly random?: () => number;
  readonly sleep?: Sleep;
}

/**
 * Milliseconds before the second attempt; each further pause is longer, with a random part that spreads many gateways.
 */
const FIRST_PAUSE_MS = 250;
/** Maximum milliseconds between two attempts. */
const MAX_PAUSE_MS = 5000;

/**
 * Opens a store, with pauses between attempts while it is not available. Returns null when the signal ended the
 * attempts. Throws errors that waiting cannot cure: a wrong address, credentials, rights, another schema.
 */
export async function openWithRetry<T>(options: OpenWithRetryOptions<T>): Promise<T | null> {
  const { open, waitsFor, onAway, signal, random = Math.random } = options;
  const backOff = new BackOff({ firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS, random });
  while (!signal.aborted) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AppError) || !waitsFor.some((code) => code === error.code)) throw error;
      onAway(error);
      await (options.sleep ?? sleep)(backOff.next(), signal);
    }
  }
  return null;
}
