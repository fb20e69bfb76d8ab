import type { EventEmitter } from 'node:events';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Signals this close together are one wish: a terminal, npm and `timeout` signal the process and its group, so that
 * one Ctrl-C may come twice. Milliseconds.
 */
const BURST_MS = 100;

export interface StopSignals {
  /** The first signal asks to stop in an orderly way. */
  readonly first: Promise<void>;
  /** The second one asks to stop at once. */
  readonly second: Promise<void>;
}

/** Emitter of the signals that the process gets, such as `process`. */
export type SignalSource = Pick<EventEmitter, 'on'>;

/** Watches a source for good. Signals of a watched process no longer end it by themselves. */
export function watchStopSignals(source: SignalSource): StopSignals {
  const waiting: (() => void)[] = [];
  const nth = (index: number) =>
    new Promise<void>((resolve) => {
      waiting[index] = resolve;
    });
  const signals = { first: nth(0), second: nth(1) };
  let last = -Infinity;
  const take = (): void => {
    const now = performance.now();
    if (now - last >= BURST_MS) waiting.shift()?.();
    last = now;
  };
  for (const signal of STOP_SIGNALS) source.on(signal, take);
  return signals;
}

/** Returns a signal that aborts when the process is asked to stop. Watches as `watchStopSignals`. */
export function abortedAtStop(source: SignalSource): AbortSignal {
  const stopping = new AbortController();
  void watchStopSignals(source).first.then(() => stopping.abort());
  return stopping.signal;
}
