import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { AppError } from '../../domain/app-error.ts';
import type { JournalFiles } from '../../domain/ports/journal-files.ts';

/**
 * `digest_failed`: the digest threw. `store_refused`: the store refused the record alone, several times. `damaged`:
 * changed bytes of a journal file, which cannot be replayed.
 */
export type QuarantineReason = 'digest_failed' | 'store_refused' | 'damaged';

export interface QuarantineHeader {
  readonly reason: QuarantineReason;
  /** Kind and place of the error, without content of the record. */
  readonly error: string;
  /** Milliseconds since the epoch. */
  readonly quarantinedAt: number;
  /** Known data of the record; null where it cannot be read. */
  readonly projectId: number | null;
  readonly eventId: string | null;
  readonly receivedAt: number | null;
}

export interface QuarantineEntry extends QuarantineHeader {
  /** File name within the directory; the same when the same record is set aside again. */
  readonly name: string;
  readonly bytes: number;
}

const SUFFIX = '.quarantine';
const NEWLINE = 10;

/** Returns the file name: the same for the same bytes of a segment, so that setting aside twice leaves one file. */
export function quarantineName(segmentId: string, offset: number): string {
  return `${segmentId.slice(0, 16)}-${String(offset).padStart(12, '0')}${SUFFIX}`;
}

/** Writes an entry; it then survives a power cut. */
export async function writeQuarantine(
  files: JournalFiles,
  dir: string,
  name: string,
  header: QuarantineHeader,
  content: Buffer,
): Promise<QuarantineEntry> {
  const entry: QuarantineEntry = { ...header, name, bytes: content.length };
  const line = JSON.stringify({ format: 1, ...entry, crc: crc32(content) });
  await files.makeDir(dir);
  await files.replace(join(dir, name), Buffer.concat([Buffer.from(`${line}\n`), content]));
  return entry;
}

/** Lists the entries, oldest first. Skips unfinished and foreign files. */
export async function listQuarantine(files: JournalFiles, dir: string): Promise<QuarantineEntry[]> {
  const entries: QuarantineEntry[] = [];
  for (const name of await files.list(dir)) {
    const read = name.endsWith(SUFFIX) ? await readQuarantine(files, dir, name) : null;
    if (read !== null) {
      entries.push(read.entry);
    }
  }
  return entries.sort((a, b) => a.quarantinedAt - b.quarantinedAt);
}

/** Reads an entry; null when it is missing or damaged. */
export async function readQuarantine(
  files: JournalFiles,
  dir: string,
  name: string,
): Promise<{ entry: QuarantineEntry; content: Buffer } | null> {
  const all = await files.readAll(join(dir, name));
  const end = all?.indexOf(NEWLINE) ?? -1;
  if (all === null || end === -1) {
    return null;
  }
  const content = all.subarray(end + 1);
  try {
    const {
      format: _format,
      crc,
      ...entry
    } = JSON.parse(all.toString('utf8', 0, end)) as QuarantineEntry & {
      format: number;
      crc: number;
    };
    return crc === crc32(content) ? { entry: { ...entry, name }, content } : null;
  } catch {
    return null;
  }
}

/**
 * Returns kind and place of an error. Messages of other errors may quote the event (`JSON.parse` does), so only those
 * of `AppError` are kept.
 */
export function describeError(error: unknown): string {
  if (error instanceof AppError) {
    return `${error.code}: ${error.message}`;
  }
  if (!(error instanceof Error)) {
    return typeof error;
  }
  const prefix = `${error.name}: ${error.message}`;
  const stack = error.stack?.startsWith(prefix) === true ? error.stack.slice(prefix.length) : '';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.name}${code}${/^\n\s+(at [^\n]+)/.exec(stack)?.[1]?.replace(/^/, ' ') ?? ''}`;
}
