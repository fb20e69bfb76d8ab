import { AppError } from './domain/app-error.ts';
import { BackOff, sleep, type Sleep } from './lib/back-off.ts';

export interface PatientOpening<T> {
  readonly open: () => Promise<T>;
  /** Whether a store that does not answer is waited for; otherwise its error is thrown at once. */
  readonly mayWait: boolean;
  /** Told after every attempt that found the store away. */
  readonly onAway: (error: AppError) => void;
  readonly signal: AbortSignal;
  readonly random?: () => number;
  readonly sleep?: Sleep;
}

/** Soon after the store is back reads come back; with many gateways it is not asked all at once. Milliseconds. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

/**
 * Opens, again and again where the store does not answer. Null when the signal ended it. Throws what waiting
 * cannot cure: a wrong address, credentials, rights, another schema.
 */
export async function openPatiently<T>(options: PatientOpening<T>): Promise<T | null> {
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
