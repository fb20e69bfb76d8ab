import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../domain/app-error.ts';
import { ifAbsent } from '../../lib/durable-files.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { ImportDeps, ImportFrom } from '../import-run.ts';
import type { FileRunEnd, RunRecord } from '../run-record.ts';
import { importKeys, switchOffInactive } from '../stages/import-keys.ts';
import { openWithoutHistory, sharedTarget, wantedProjects } from '../stages/import-projects.ts';
import type { LeftOuts } from '../state/left-outs.ts';
import type { ProjectState } from '../state/project-state.ts';
import { runKey } from '../state/run-state.ts';
import type { RemoteKey } from '../tracker-reader.ts';
import { type FileProject, FileProjects, type WantedName } from './file-projects.ts';
import { inFileRun } from './file-run.ts';
import { type FormerRun, formerRunKey } from './former-run.ts';
import { type FileRow, memberOf, textOf } from './row-values.ts';

/** Maximum bytes of the file, which is read whole: that of 100,000 projects has about 60 MB. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Number of the state of projects and keys that are in use. */
const ACTIVE = 0;

export interface SentryExportOptions {
  /** Slug of the only organization to take; null: all. */
  readonly organization: string | null;
  /** By slug, or organization and slug, there. Path null: `<organization>/<slug>`. Null: all projects. */
  readonly projects: readonly WantedName[] | null;
  /** Interrupts the run, which the next one continues. */
  readonly signal?: AbortSignal;
}

export interface SentryExportResult {
  readonly projects: number;
  readonly keys: number;
  /** What has to be set up again here: limits of keys. */
  readonly toSetUp: readonly string[];
  readonly left: LeftOuts;
}

/**
 * Takes projects, all their keys and their ids in DSNs over from the relocation file of a self-hosted tracker
 * (`sentry export`). Takes no people and no passwords. May be repeated. Throws `bad_request` for a file of another form,
 * or of more than 256 MB, and `conflict` while another process imports a file of the same installation, and when the run
 * is cancelled.
 */
export async function importSentryExport(
  deps: ImportDeps,
  file: string,
  options: SentryExportOptions,
): Promise<SentryExportResult & FileRunEnd> {
  const text = await readText(file);
  const rows = rowsOf(file, text);
  const read = readProjects(rows, options);
  const from = { reader: read.projects, url: basename(file), organization: options.organization ?? '' };
  const key = runKey(`sentry-export:${installationOf(rows)}`, '');
  const formerKey = formerRunKey('sentry', [hash('sha256', text, 'hex')]);
  const { signal = new AbortController().signal } = options;
  return inFileRun(deps, { from, key, formerKey, signal }, (record, former) =>
    importProjects(deps, record, from, read, former),
  );
}

async function importProjects(
  deps: ImportDeps,
  record: RunRecord<FileProjects>,
  from: ImportFrom<FileProjects>,
  { projects, removed, toSetUp }: ReadProjects,
  former: FormerRun | null,
): Promise<SentryExportResult> {
  for (const slug of removed) record.leaveOut(slug, 'the project', 'it is being deleted there');
  /** Only their states are kept: a file may have tens of thousands of projects. */
  const states: ProjectState[] = [];
  let keys = 0;
  const wanted = await wantedProjects(from, { projects: projects.chosen }, record.signal, () => undefined);
  const shared = await sharedTarget(deps.store, from.organization, [], wanted);
  if (shared !== null) throw new AppError('conflict', shared);
  for (const one of wanted) {
    const { slug } = one.remote;
    record.signal.throwIfAborted();
    try {
      const project = await openWithoutHistory(deps, from.organization, one);
      for (const problem of project.problems) record.leaveOut(slug, 'new events', problem);
      for (const id of project.unusableIds) record.leaveOut(slug, `alias "${id}"`, 'no DSN can have it');
      const context = await record.openProject(project, async (each, opening) => {
        each.state.leftOut = { items: [], more: 0 };
        if (opening === 'new') each.state.inactiveKey = former?.inactiveKey ?? null;
        await switchOffInactive(each);
        keys += await importKeys(each);
        each.state.finishedAt = deps.clock.now();
      });
      states.push(context.state);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_parameter') throw error;
      record.leaveOut(slug, 'the project', error.message, 'mend');
    }
  }
  for (const slug of projects.missing) record.leaveOut(slug, 'the project', 'it is not in the file', 'mend');
  return { projects: states.length, keys, toSetUp, left: record.left(states) };
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

/**
 * Names the installation that wrote the file, so that a file of a later day continues its run: by the id that it gave
 * itself, else, as in the file of single organizations, by the first of these.
 */
function installationOf(rows: readonly FileRow[]): string {
  for (const [, option] of ofModel(rows, 'option')) {
    const id = option['key'] === 'sentry:install-id' ? textOf(option, 'value', 64) : null;
    if (id !== null) return id;
  }
  const [first] = ofModel(rows, 'organization').sort(([a], [b]) => Number(a) - Number(b));
  return first === undefined ? '' : `${first[0]}|${textOf(first[1], 'date_added', 64) ?? ''}`;
}

interface ReadProjects {
  readonly projects: FileProjects;
  /** Slugs of projects that are being deleted there. */
  readonly removed: readonly string[];
  readonly toSetUp: readonly string[];
}

/** Reads the wanted projects with their keys. */
function readProjects(rows: readonly FileRow[], { organization, projects: wanted }: SentryExportOptions): ReadProjects {
  const organizations = new Map(ofModel(rows, 'organization').map(([pk, fields]) => [pk, textOf(fields, 'slug', 100)]));
  const keys = new Map<string, Model[]>();
  for (const key of ofModel(rows, 'projectkey')) {
    const project = pkText(key[1]['project']);
    keys.set(project, [...(keys.get(project) ?? []), key]);
  }
  const projects = new FileProjects('sentry', null, wanted);
  const removed: string[] = [];
  const toSetUp: string[] = [];
  for (const [pk, fields] of ofModel(rows, 'project')) {
    const slug = textOf(fields, 'slug', 100) ?? pk;
    const group = organizations.get(pkText(fields['organization'])) ?? null;
    const path = group === null ? slug : `${group}/${slug}`;
    if ((organization !== null && group !== organization) || !projects.wants(path)) continue;
    if (Number(fields['status'] ?? ACTIVE) !== ACTIVE) {
      removed.push(slug);
      continue;
    }
    const own = keys.get(pk) ?? [];
    projects.add(toProject(pk, slug, path, fields), own.map(toKey));
    toSetUp.push(...own.flatMap(([, key]) => limitOf(slug, key) ?? []));
  }
  return { projects, removed, toSetUp };
}

function toProject(pk: string, slug: string, path: string, fields: FileRow): FileProject {
  return {
    id: pk,
    slug: path,
    name: textOf(fields, 'name', 200) ?? slug,
    platform: null,
    uses: [],
    settings: { path, visibility: 'private', monitorEnabled: true, aliasIds: [] },
  };
}

function toKey([, key]: Model): RemoteKey {
  return {
    publicKey: textOf(key, 'public_key', 256) ?? '',
    active: Number(key['status'] ?? ACTIVE) === ACTIVE,
    label: textOf(key, 'label', 100),
    // Listed by the name of its project.
    rateLimit: null,
  };
}

function limitOf(slug: string, key: FileRow): string | null {
  const { rate_limit_count: count, rate_limit_window: window } = key;
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(window) || Number(count) <= 0) return null;
  return `limit of key "${textOf(key, 'label', 100) ?? ''}" of ${slug}: ${Number(count)} events in ${Number(window)} s`;
}
