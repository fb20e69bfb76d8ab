import { constants } from 'node:os';

/** Signals that interrupt a run. Without a listener they end the process before its event `exit`. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

const exitActs = new Set<() => void>();
const endActs: (() => Promise<unknown>)[] = [];
let watching = false;

function watch(): void {
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const act of [...exitActs].reverse()) {
      try {
        act();
      } catch (error) {
        console.error('something is left behind:', error);
      }
    }
  });
  for (const signal of SIGNALS) process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

/**
 * Runs a synchronous `act` when this process ends, including by a signal; the latest first. The returned function
 * removes it.
 */
export function atExit(act: () => void): () => void {
  watch();
  exitActs.add(act);
  return () => exitActs.delete(act);
}

/**
 * Runs `act` after the last file of a run in one process. Workers of `mocha --parallel` end without it, so essential
 * cleanup also needs `atExit`.
 */
export function atRunEnd(act: () => Promise<unknown>): void {
  endActs.push(act);
}

/** Runs the functions given to `atRunEnd`, the latest first. */
export async function endRun(): Promise<void> {
  for (const act of endActs.splice(0).reverse()) await act();
}
