import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { createWorker } from '../../lib/worker.ts';
import { RefusedBundle } from '../bundles/bounds.ts';
import type { OpenedUpload, OpeningNotice, UploadToOpen } from '../bundles/opened-upload.ts';

/**
 * Heap of the worker; content of files is outside of it. A larger one is not collected before it is full: a map of 30 MB
 * took 360 MB instead of 260.
 */
export const WORKER_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 } as const;
const MINUTE_MS = 60_000;
/** Maps that may exceed the memory or time of the worker before the upload is refused. */
const MAX_TOO_LARGE = 3;

type Ending =
  | OpeningNotice
  | { readonly kind: 'too_large'; readonly place: number }
  /** The time of the upload is over, whatever map was being read. */
  | { readonly kind: 'too_long' };

/** Bounds and thread of the work; replaced in tests. */
interface Reading {
  /** Milliseconds after which a worker is stopped: for one map, and for all of an upload, in all of its workers. */
  readonly mapLimitMs: number;
  readonly uploadLimitMs: number;
  readonly start: (upload: UploadToOpen) => Worker;
}

const READING: Reading = {
  mapLimitMs: 2 * MINUTE_MS,
  uploadLimitMs: 15 * MINUTE_MS,
  start: (workerData) =>
    createWorker('../bundle-worker', import.meta.url, { name: 'bundle', workerData, resourceLimits: WORKER_LIMITS }),
};

/**
 * Opens an upload in a worker thread. A map that exceeds the memory or time of one is left out, and the upload is opened
 * again. Throws RefusedBundle.
 */
export async function readUpload(upload: Omit<UploadToOpen, 'tooLarge'>, reading = READING): Promise<OpenedUpload> {
  const tooLarge: number[] = [];
  const until = performance.now() + reading.uploadLimitMs;
  for (;;) {
    const ending = await openOnce({ ...upload, tooLarge: [...tooLarge] }, reading, until);
    if (ending.kind === 'opened') return ending.upload;
    if (ending.kind === 'refused') throw new RefusedBundle(ending.detail);
    if (ending.kind === 'too_long') {
      const minutes = Math.ceil(reading.uploadLimitMs / MINUTE_MS);
      throw new RefusedBundle(
        `The upload could not be opened within ${minutes} minutes, the most that one may take: split it into smaller ones.`,
      );
    }
    if (tooLarge.length === MAX_TOO_LARGE || tooLarge.includes(ending.place)) {
      throw new RefusedBundle('The upload needs more memory or time than is allowed: split it into smaller ones.');
    }
    tooLarge.push(ending.place);
  }
}

async function openOnce(upload: UploadToOpen, { start, mapLimitMs }: Reading, until: number): Promise<Ending> {
  const worker = start(upload);
  let last: OpeningNotice | null = null;
  const stop = (): void => void worker.terminate();
  const ofMap = setTimeout(stop, mapLimitMs);
  let isOver = false;
  const ofUpload = setTimeout(
    () => {
      isOver = true;
      stop();
    },
    Math.max(0, until - performance.now()),
  );
  worker.on('message', (notice: OpeningNotice) => {
    last = notice;
    ofMap.refresh();
  });
  try {
    await ended(worker);
  } finally {
    clearTimeout(ofMap);
    clearTimeout(ofUpload);
  }
  return endingOf(last, isOver);
}

/** Waits for the end of a worker. Throws what it threw, except that its memory was exceeded. */
async function ended(worker: Worker): Promise<void> {
  const exit = new Promise((resolve) => worker.once('exit', resolve));
  try {
    await Promise.race([exit, once(worker, 'error').then(([error]) => Promise.reject(error as Error))]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  }
  await exit;
}

/** A worker that ends while it reads a map has exceeded its memory or time with it, unless that of all is over. */
function endingOf(last: OpeningNotice | null, isOver: boolean): Ending {
  if (last !== null && last.kind !== 'place') return last;
  return isOver ? { kind: 'too_long' } : { kind: 'too_large', place: last?.place ?? -1 };
}
