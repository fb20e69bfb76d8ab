import type { Worker } from 'node:worker_threads';

export interface DigestWorkers {
  /** All threads started in this process since the call, the newest last. Services here start no other threads. */
  readonly workers: readonly Worker[];
  /** Stops watching. */
  stop(): void;
}

export function watchDigestWorkers(): DigestWorkers {
  const workers: Worker[] = [];
  const add = (worker: Worker): void => void workers.push(worker);
  process.on('worker', add);
  return { workers, stop: () => void process.off('worker', add) };
}

/**
 * Ends the newest thread by an uncaught error. `terminate()` may hit the packaged SQLite driver and end the whole
 * process.
 */
export async function killDigest({ workers }: DigestWorkers): Promise<void> {
  const worker = workers.at(-1);
  if (worker === undefined) throw new Error('no digest thread was started');
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage({ kind: 'no request at all' });
  await ended;
}
