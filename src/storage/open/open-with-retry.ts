import { AppError } from '../../domain/app-error.ts';
import { BackOff, sleep, type Sleep } from '../../lib/back-off.ts';

export interface OpenWithRetryOptions<T> {
  readonly open: () => Promise<T>;
  /** True: retries while the store does not answer. False: throws its error at once. */
  readonly mayWait: boolean;
  /** Called after every attempt that failed with `store_unavailable`. */
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
 * Opens a store, with pauses between attempts while it does not answer. Returns null when the signal ended the
 * attempts. Throws errors that waiting cannot cure: a wrong address, credentials, rights, another schema.
 */
export async function openWithRetry<T>(options: OpenWithRetryOptions<T>): Promise<T | null> {
  const { open, mayWait, onAway, signal, random = Math.random } = options;
  const backOff = new BackOff({ firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS, random });
  while (!signal.aborted) {
    try {
      return await open();
    } catch (error) {
      if (!mayWait || !(error instanceof AppError) || error.code !== 'store_unavailable') throw error;
      onAway(error);
      await (options.sleep ?? sleep)(backOff.next(), signal);
    }
  }
  return null;
}
