import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { createWorker } from '../../lib/worker.ts';
import { RefusedBundle } from '../bundles/bounds.ts';
import type { OpenedUpload, OpeningNotice, UploadToOpen } from '../bundles/opened-upload.ts';

/**
 * Heap of the worker; content of files is outside of it. A larger one is not collected before it is full: a map of 30 MB
 * took 360 MB instead of 260.
 */
export const WORKER_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 } as const;
/** Milliseconds after which a worker is stopped: for one map, and for all of an upload. */
const MAP_LIMIT_MS = 120_000;
const UPLOAD_LIMIT_MS = 900_000;
/** Maps that may exceed the memory or time of the worker before the upload is refused. */
const MAX_TOO_LARGE = 3;

type Ending = OpeningNotice | { readonly kind: 'too_large'; readonly place: number };

/**
 * Opens an upload in a worker thread. A map that exceeds the memory or time is left out, and the upload is opened again.
 * Throws RefusedBundle.
 */
export async function readUpload(upload: Omit<UploadToOpen, 'tooLarge'>): Promise<OpenedUpload> {
  const tooLarge: number[] = [];
  for (;;) {
    const ending = await openOnce({ ...upload, tooLarge });
    if (ending.kind === 'opened') return ending.upload;
    if (ending.kind === 'refused') throw new RefusedBundle(ending.detail);
    if (tooLarge.length === MAX_TOO_LARGE || tooLarge.includes(ending.place)) {
      throw new RefusedBundle('The upload needs more memory or time than is allowed: split it into smaller ones.');
    }
    tooLarge.push(ending.place);
  }
}

async function openOnce(workerData: UploadToOpen): Promise<Ending> {
  const worker = createWorker('../bundle-worker', import.meta.url, {
    name: 'bundle',
    workerData,
    resourceLimits: WORKER_LIMITS,
  });
  let last: OpeningNotice | null = null;
  const stop = (): void => void worker.terminate();
  const ofMap = setTimeout(stop, MAP_LIMIT_MS);
  const ofUpload = setTimeout(stop, UPLOAD_LIMIT_MS);
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
  return endingOf(last);
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

/** A worker that ends while it reads a map has exceeded its memory or time with it. */
function endingOf(last: OpeningNotice | null): Ending {
  if (last === null) return { kind: 'too_large', place: -1 };
  return last.kind === 'place' ? { kind: 'too_large', place: last.place } : last;
}
