import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../../domain/app-error.ts';
import { ifAbsent } from '../../lib/durable-files.ts';
import { isRecord } from '../../lib/own-property.ts';
import { leaveOut, type LeftOuts } from '../state/left-outs.ts';
import { InactiveKey, type InactiveKeyStore } from './inactive-key.ts';
import { type FileRow, memberOf, textOf } from './row-values.ts';
import { type FileProject, takeProject, type ProjectsStore } from './target-projects.ts';

/** Maximum bytes of the file, which is read whole: that of 100,000 projects has about 60 MB. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Number of the state of projects and keys that are in use. */
const ACTIVE = 0;

export interface SentryExportOptions {
  /** Slug of the only organization to take; null: all. */
  readonly organization: string | null;
  /** Paths here of the projects to take, by their slugs there, null: `<organization>/<slug>`; absent: all projects. */
  readonly paths?: ReadonlyMap<string, string | null>;
}

export interface SentryExportResult {
  readonly projects: number;
  readonly keys: number;
  /** What has to be set up again here: limits of keys. */
  readonly toSetUp: readonly string[];
  /** What does not work yet, as sentences. */
  readonly problems: readonly string[];
  readonly left: LeftOuts;
}

/**
 * Takes projects, all their keys and their ids in DSNs over from the relocation file of a self-hosted tracker
 * (`sentry export`). Takes no people and no passwords. May be repeated. Throws `bad_request` for a file of another form,
 * or of more than 256 MB.
 */
export async function importSentryExport(
  store: ProjectsStore & InactiveKeyStore,
  file: string,
  { organization, paths }: SentryExportOptions,
): Promise<SentryExportResult> {
  const text = await readText(file);
  const rows = rowsOf(file, text);
  const inactive = await InactiveKey.open(store, hash('sha256', text, 'hex'));
  const organizations = new Map(ofModel(rows, 'organization').map(([pk, fields]) => [pk, textOf(fields, 'slug', 100)]));
  const keys = new Map<string, Model[]>();
  for (const key of ofModel(rows, 'projectkey')) {
    const project = pkText(key[1]['project']);
    keys.set(project, [...(keys.get(project) ?? []), key]);
  }
  const left: LeftOuts = { items: [], more: 0 };
  const toSetUp: string[] = [];
  const problems: string[] = [];
  const missing = new Set(paths?.keys());
  let [projects, taken] = [0, 0];
  for (const [pk, fields] of ofModel(rows, 'project')) {
    const slug = textOf(fields, 'slug', 100) ?? pk;
    const group = organizations.get(pkText(fields['organization'])) ?? null;
    if ((organization !== null && group !== organization) || (paths !== undefined && !paths.has(slug))) continue;
    missing.delete(slug);
    if (Number(fields['status'] ?? ACTIVE) !== ACTIVE) {
      leaveOut(left, slug, 'the project', 'it is being deleted there');
      continue;
    }
    const own = keys.get(pk) ?? [];
    toSetUp.push(...own.flatMap(([, key]) => limitOf(slug, key) ?? []));
    try {
      const path = paths?.get(slug) ?? (group === null ? slug : `${group}/${slug}`);
      const result = await takeProject(store, inactive, toProject(pk, slug, path, fields, own), left);
      problems.push(...result.problems);
      projects += 1;
      taken += result.keys;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
      leaveOut(left, slug, 'the project', `${error.message} Choose one: --project ${slug}=group/path`);
    }
  }
  for (const slug of missing) leaveOut(left, slug, 'the project', 'it is not in the file');
  return { projects, keys: taken, toSetUp, problems, left };
}

type Model = readonly [pk: string, fields: FileRow];

async function readText(file: string): Promise<string> {
  const found = await stat(file).catch((error: unknown) => ifAbsent(error, null));
  if (found === null) throw new AppError('not_found', `there is no ${file}`);
  if (!found.isFile()) throw unreadable(file, 'it is not a file');
  if (found.size > MAX_BYTES) throw unreadable(file, `it has ${found.size} bytes, more than ${MAX_BYTES}`);
  return readFile(file, 'utf8');
}

function rowsOf(file: string, text: string): FileRow[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    throw unreadable(file, 'it is not JSON. An encrypted one must be decrypted first');
  }
  if (!Array.isArray(rows)) throw unreadable(file, 'it is not a list of rows');
  const found = (rows as unknown[]).filter(isRecord);
  if (!found.some(({ model }) => model === 'sentry.project')) throw unreadable(file, 'it names no projects');
  return found;
}

function unreadable(file: string, reason: string): AppError {
  return new AppError('bad_request', `${file} is not the export of a self-hosted tracker: ${reason}`);
}

function ofModel(rows: readonly FileRow[], name: string): Model[] {
  return rows
    .filter(({ model }) => model === `sentry.${name}`)
    .map((row): Model => [pkText(row['pk']), memberOf(row, 'fields')]);
}

function pkText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

function toProject(pk: string, slug: string, path: string, fields: FileRow, keys: readonly Model[]): FileProject {
  return {
    path,
    name: textOf(fields, 'name', 200) ?? slug,
    dsnIds: [pk],
    keys: keys.map(([, key]) => ({
      publicKey: textOf(key, 'public_key', 256) ?? '',
      active: Number(key['status'] ?? ACTIVE) === ACTIVE,
      label: textOf(key, 'label', 100),
    })),
  };
}

function limitOf(slug: string, key: FileRow): string | null {
  const { rate_limit_count: count, rate_limit_window: window } = key;
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(window) || Number(count) <= 0) return null;
  return `limit of key "${textOf(key, 'label', 100) ?? ''}" of ${slug}: ${Number(count)} events in ${Number(window)} s`;
}
