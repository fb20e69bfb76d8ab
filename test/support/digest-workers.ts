import type { Worker } from 'node:worker_threads';

export interface DigestWorkers {
  /** Every thread that this process has started since, the newest last: services here start no others. */
  readonly workers: readonly Worker[];
  /** Ends the watch. */
  stop(): void;
}

export function watchDigestWorkers(): DigestWorkers {
  const workers: Worker[] = [];
  const add = (worker: Worker): void => void workers.push(worker);
  process.on('worker', add);
  return { workers, stop: () => void process.off('worker', add) };
}

/**
 * The newest thread ends by an error of its own. `terminate()` may strike inside the packaged SQLite driver, which then
 * takes the whole process along: that would be a test of the driver.
 */
export async function killDigest({ workers }: DigestWorkers): Promise<void> {
  const worker = workers.at(-1);
  if (worker === undefined) throw new Error('no digest thread was started');
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage({ kind: 'no request at all' });
  await ended;
}
