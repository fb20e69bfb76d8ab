import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import { readFrame } from './frame-reader.ts';
import { decodeRecord } from './record-frame.ts';
import { listSegments, readSegmentHeader, segmentPath, segmentsDir } from './segment.ts';
import { readLastManifest } from './manifest-log.ts';

export interface FoundSegment {
  readonly number: number;
  readonly bytes: number;
  /** Receipt time of the first undigested record; null when none is readable. */
  readonly receivedAt: number | null;
}

export interface FoundJournal {
  readonly segments: readonly FoundSegment[];
  /** Number above all existing or digested segments: numbers are never reused. */
  readonly nextSegment: number;
}

/** Creates missing directories and lists what an earlier process left. */
export async function findJournal(files: JournalFiles, dir: string): Promise<FoundJournal> {
  await files.makeDir(segmentsDir(dir));
  const manifest = await readLastManifest(files, dir);
  const numbers = await listSegments(files, dir);
  const segments: FoundSegment[] = [];
  for (const number of numbers) {
    const path = segmentPath(dir, number);
    const bytes = await files.size(path);
    const digested = manifest?.segment === number ? manifest.from : 0;
    segments.push({ number, bytes, receivedAt: await firstReceivedAt(files, path, digested, bytes) });
  }
  return { segments, nextSegment: Math.max(0, manifest?.segment ?? 0, ...numbers) + 1 };
}

async function firstReceivedAt(
  files: JournalFiles,
  path: string,
  digested: number,
  bytes: number,
): Promise<number | null> {
  const header = await readSegmentHeader(files, path);
  if (typeof header === 'string') {
    return null;
  }
  const frame = await readFrame(files, {
    path,
    marker: header.marker,
    from: Math.max(header.bytes, digested),
    to: bytes,
  });
  try {
    return frame === null || frame === 'damaged' ? null : decodeRecord(frame.payload).receivedAt;
  } catch {
    return null;
  }
}
