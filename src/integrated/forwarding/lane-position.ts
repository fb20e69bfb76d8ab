import { join } from 'node:path';
import type { JournalFiles } from '../../domain/ports/journal-files.ts';
import type { JournalPosition } from '../intake/journal/segment.ts';

const FILE = 'position.json';

/** Progress of the worker in a lane. */
export interface LanePosition extends JournalPosition {
  /** Requests and items of the lane that were given up so far. */
  readonly dropped: number;
}

/** Reads the position; the start when there is none or it is unreadable: what was sent already is sent again then. */
export async function readLanePosition(files: Pick<JournalFiles, 'readAll'>, dir: string): Promise<LanePosition> {
  const start = { segment: 0, offset: 0, dropped: 0 };
  try {
    const found = JSON.parse((await files.readAll(join(dir, FILE)))?.toString() ?? 'null') as unknown;
    return isPosition(found) ? found : start;
  } catch {
    return start;
  }
}

export async function writeLanePosition(
  files: Pick<JournalFiles, 'replace'>,
  dir: string,
  { segment, offset, dropped }: LanePosition,
): Promise<void> {
  await files.replace(join(dir, FILE), Buffer.from(`${JSON.stringify({ segment, offset, dropped })}\n`));
}

function isPosition(value: unknown): value is LanePosition {
  if (typeof value !== 'object' || value === null) return false;
  const { segment, offset, dropped } = value as Record<string, unknown>;
  return [segment, offset, dropped].every((number) => Number.isSafeInteger(number) && (number as number) >= 0);
}
