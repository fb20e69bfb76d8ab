import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../domain/app-error.ts';
import { CSV_FORMAT } from '../../export/export-csv.ts';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  MANIFEST_FILE,
  type Manifest,
  type ManifestContent,
} from '../../export/manifest.ts';
import { ifAbsent } from '../../lib/durable-files.ts';
import { fileParts } from '../../lib/parts.ts';
import { linesOf } from '../../lib/text/lines.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { FileRow } from './row-values.ts';

/** Maximum bytes of a manifest: it has a line per file. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
/** Maximum bytes of a line: far above any event that errgate stores. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export type ExportPart =
  | 'projects'
  | 'events'
  | 'errors'
  | 'releases'
  | 'comments'
  | 'reports'
  | 'activity'
  | 'builds'
  | 'commits'
  | 'uploads';

/** Line of an export. */
export interface ExportLine {
  readonly row: FileRow;
  readonly text: string;
  /** For messages: `line 3 of errors.ndjson`. */
  readonly place: string;
}

/** Complete export whose files are as its manifest says. */
export interface ExportReader {
  readonly manifest: Manifest;
  /** SHA-256 of the manifest, which holds those of the files. */
  readonly hash: string;
  /** Lines of a part in the order of its files. Throws `bad_request` for one that is no object or too long. */
  lines(part: ExportPart): AsyncIterable<ExportLine>;
  /** Content without lines in parts; null when the export has none of this path. */
  content(path: string): AsyncIterable<Uint8Array> | null;
}

/**
 * Opens an export, a folder or its manifest, and compares every file with the manifest. Throws `not_found` when the
 * folder is no complete export, `bad_request` for another format or version and for a file that was changed, and
 * `conflict` when it is interrupted.
 */
export async function openExport(path: string, signal?: AbortSignal): Promise<ExportReader> {
  const dir = await folderOf(path);
  const { manifest, text } = await readManifest(dir);
  const contents = new Set(manifest.contents?.map((content) => content.path));
  for (const file of [...manifest.files, ...(manifest.contents ?? [])]) await verify(dir, file, signal);
  return {
    manifest,
    hash: hash('sha256', text, 'hex'),
    async *lines(part) {
      for (const file of manifest.files) {
        if (partOf(file.path) === part) yield* linesIn(dir, file.path);
      }
    },
    content: (of) => (contents.has(of) ? fileParts(join(dir, of)) : null),
  };
}

/** Calls `take` for each row of a part. Names the line in what it throws. */
export async function eachRow(
  reader: ExportReader,
  part: ExportPart,
  take: (row: FileRow, line: ExportLine) => Promise<void> | void,
): Promise<void> {
  for await (const line of reader.lines(part)) {
    try {
      await take(line.row, line);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
      throw new AppError('bad_request', `${line.place}: ${error.message}`, { cause: error });
    }
  }
}

async function folderOf(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => ifAbsent(error, null));
  if (found === null) throw new AppError('not_found', `there is no ${path}`);
  if (found.isDirectory()) return path;
  if (basename(path) === MANIFEST_FILE) return dirname(path);
  throw broken(`${path} is not the folder of an export. Unpack an archive first, and name the folder in it`);
}

async function readManifest(dir: string): Promise<{ readonly manifest: Manifest; readonly text: string }> {
  const path = join(dir, MANIFEST_FILE);
  const found = await stat(path).catch((error: unknown) => ifAbsent(error, null));
  if (found === null) {
    throw new AppError(
      'not_found',
      `${dir} is no complete export: it has no ${MANIFEST_FILE}. Was the export interrupted? Run it again`,
    );
  }
  if (found.size > MAX_MANIFEST_BYTES) throw broken(`${path} is too large`);
  const text = await readFile(path, 'utf8');
  const manifest = parseObject(text, path);
  if (manifest['format'] === CSV_FORMAT) {
    throw broken(
      `${dir} holds CSV files for spreadsheets, which cannot be imported. Export again without --format csv, and import that folder`,
    );
  }
  if (manifest['format'] !== EXPORT_FORMAT) throw broken(`${path} is not the manifest of an export of errgate`);
  const { version } = manifest;
  if (version !== EXPORT_VERSION) {
    const advice = Number(version) > EXPORT_VERSION ? '. Import it with a newer errgate' : '';
    const shown = typeof version === 'number' ? version : 'an unknown one';
    throw broken(`${path} has version ${shown} of the format, this errgate reads version ${EXPORT_VERSION}${advice}`);
  }
  const { files, contents = [], counts, store, created_at: createdAt } = manifest;
  const good =
    Array.isArray(files) &&
    (files as unknown[]).every(isFile) &&
    Array.isArray(contents) &&
    (contents as unknown[]).every(isContent) &&
    isRecord(counts) &&
    typeof store === 'string' &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt));
  if (!good) throw broken(`${path} lacks members that every manifest has`);
  return { manifest: manifest as unknown as Manifest, text };
}

/** Paths lead to no other folder. */
const FILE_PATH = /^(?:events\/)?[\w-]{1,100}\.ndjson(?:\.gz)?$/;

const CONTENT_PATH = /^uploads\/[0-9a-f]{64}$/;

const isFile = (value: unknown): boolean =>
  hasChecksum(value, FILE_PATH) && Number.isSafeInteger((value as FileRow)['lines']);
const isContent = (value: unknown): boolean => hasChecksum(value, CONTENT_PATH);

function hasChecksum(value: unknown, path: RegExp): boolean {
  return (
    isRecord(value) &&
    typeof value['path'] === 'string' &&
    path.test(value['path']) &&
    typeof value['sha256'] === 'string' &&
    /^[0-9a-f]{64}$/.test(value['sha256'])
  );
}

function partOf(path: string): string {
  return path.startsWith('events/') ? 'events' : (path.split('.')[0] ?? '');
}

async function verify(dir: string, { path, sha256 }: ManifestContent, signal?: AbortSignal): Promise<void> {
  const content = createHash('sha256');
  try {
    for await (const chunk of createReadStream(join(dir, path))) {
      if (signal?.aborted === true) throw new AppError('conflict', 'the import was interrupted; run it again to go on');
      content.update(chunk as Buffer);
    }
  } catch (error) {
    throw ifAbsent(error, broken(`the file ${path} of the export is missing: copy the whole folder again`));
  }
  if (content.digest('hex') !== sha256) {
    throw broken(`the file ${path} was changed or damaged after the export: its SHA-256 is not that of the manifest`);
  }
}

async function* linesIn(dir: string, path: string): AsyncGenerator<ExportLine> {
  const file = createReadStream(join(dir, path));
  const input = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // Errors of a file do not reach the stream behind it by themselves.
  file.on('error', (error) => input.destroy(error));
  let number = 0;
  try {
    for await (const text of linesOf(input, MAX_LINE_BYTES)) {
      number += 1;
      const place = `line ${number} of ${path}`;
      if (text === null) throw broken(`${place} has more than ${MAX_LINE_BYTES} bytes`);
      if (text !== '') yield { row: parseObject(text, place), text, place };
    }
  } catch (error) {
    throw isOfGzip(error) ? broken(`${path} cannot be unpacked: its gzip data is cut off or damaged`) : error;
  } finally {
    file.destroy();
  }
}

/** Errors of zlib have codes such as `Z_DATA_ERROR`. */
function isOfGzip(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function parseObject(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (!isRecord(value)) throw broken(`${what} is not a JSON object`);
  return value;
}

function broken(message: string): AppError {
  return new AppError('bad_request', message);
}
