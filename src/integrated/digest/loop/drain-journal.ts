import { AppError } from '../../../domain/app-error.ts';
import { listSegments, segmentPath } from '../../intake/journal/segment.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import { DigestLoop } from './digest-loop.ts';
import type { DigestLoopOptions } from './digest-loop-options.ts';

export interface DrainOptions extends Omit<DigestLoopOptions, 'onProgress'> {
  readonly onProgress?: (progress: DrainProgress) => void;
}

export interface DrainProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
  readonly records: number;
  readonly stored: number;
  readonly duplicates: number;
}

/** Maximum attempts, about half a minute: a user waits for the command. */
const MAX_ATTEMPTS = 9;

/**
 * Brings all records of a journal into the store. The journal's process must have ended: the caller holds the lock of
 * its data dir. Each record is stored exactly once, also when the call is interrupted and repeated. Throws `not_found`
 * when the directory holds no journal, and the store's error when the store stays unavailable.
 */
export async function drainJournal(options: DrainOptions): Promise<DrainProgress> {
  const { files, dir } = options;
  const segments = await listSegments(files, dir);
  if (segments.length === 0 && !(await files.list(dir)).includes('segments')) {
    throw new AppError('not_found', `${dir} holds no journal: specify the folder that contains "segments".`);
  }
  const sizes = new Map<number, number>();
  for (const segment of segments) {
    sizes.set(segment, await files.size(segmentPath(dir, segment)));
  }
  let progress = { doneBytes: 0, totalBytes: bytesBefore(sizes, BEHIND_ALL), records: 0, stored: 0, duplicates: 0 };
  const loop = new DigestLoop({
    maxAttempts: MAX_ATTEMPTS,
    ...options,
    onProgress: ({ position, batch }) => {
      progress = {
        ...progress,
        doneBytes: bytesBefore(sizes, position),
        records: progress.records + (batch?.records ?? 0),
        stored: progress.stored + (batch?.stored ?? 0),
        duplicates: progress.duplicates + (batch?.duplicates ?? 0),
      };
      options.onProgress?.(progress);
    },
  });
  loop.advance({ segment: (segments.at(-1) ?? 0) + 1, offset: 0 });
  loop.start();
  try {
    await loop.idle();
  } finally {
    await loop.stop();
  }
  return progress;
}

const BEHIND_ALL: JournalPosition = { segment: Infinity, offset: 0 };

function bytesBefore(sizes: ReadonlyMap<number, number>, position: JournalPosition): number {
  let bytes = 0;
  for (const [segment, size] of sizes) {
    if (segment < position.segment) {
      bytes += size;
    } else if (segment === position.segment) {
      bytes += Math.min(size, position.offset);
    }
  }
  return bytes;
}
