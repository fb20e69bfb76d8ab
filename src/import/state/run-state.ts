import { hash } from 'node:crypto';
import type { SourceKind } from '../../domain/imports/import.ts';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';
import type { RunStatus } from '../import-run.ts';
import type { LeftOuts } from './left-outs.ts';
import type { ProjectState } from './project-state.ts';

type StateStore = Pick<ImportStore, 'importState' | 'saveImportState' | 'listImportStates'>;

/** State of the import of an organization, or of exports of a store. */
export interface RunState {
  readonly version: 1;
  readonly kind: SourceKind;
  readonly url: string;
  readonly organization: string;
  /** Version of the tracker; null when it does not tell. Absent in states of earlier versions, like `cannot`. */
  readonly trackerVersion?: string | null;
  /** What cannot come along, as sentences; at most MAX_CANNOT. */
  cannot?: readonly string[];
  startedAt: number;
  updatedAt: number;
  state: RunStatus;
  message: string;
  /** Projects and parts of the organization that were left out. */
  leftOut: LeftOuts;
  /** Projects that were imported so far: slug there, and number here. */
  projects: Record<string, number>;
}

/** Maximum sentences about what cannot come along in a saved state. */
export const MAX_CANNOT = 200;

const RUN_PREFIX = 'import:';
const CANCEL_PREFIX = 'import-cancel:';

/**
 * Returns the key of an import: the same for every process that reads this organization. `name`: of one among several
 * that read parts of it.
 */
export function runKey(url: string, organization: string, name = ''): string {
  const text = [url, organization, name].join('|').toLowerCase();
  return RUN_PREFIX + hash('sha256', text, 'hex').slice(0, 24);
}

/** Returns the key of a project's state. The store removes it with the project. */
export function projectKey(key: string, slug: string, projectId: number): string {
  return `${projectId}/${key}/${slug}`;
}

/** Parses a state; null for none, and for one of another version, which begins again. */
function parse(text: string | null): unknown {
  if (text === null) return null;
  const value = JSON.parse(text) as { readonly version?: unknown };
  return value.version === 1 ? value : null;
}

export async function readRun(store: StateStore, key: string): Promise<RunState | null> {
  return parse(await store.importState(key)) as RunState | null;
}

/** Reads the state of a project's import into a project here; null when there is none. */
export async function readProject(
  store: StateStore,
  key: string,
  slug: string,
  projectId: number,
): Promise<ProjectState | null> {
  return parse(await store.importState(projectKey(key, slug, projectId))) as ProjectState | null;
}

/** Leaves no state of a project's import, whose states the store removes with the project only. */
export async function forgetProject(
  store: Pick<ImportStore, 'saveImportState'>,
  key: string,
  slug: string,
  projectId: number,
): Promise<void> {
  await store.saveImportState(projectKey(key, slug, projectId), JSON.stringify({ version: 0 }));
}

/** Reads the states of all projects of an import, by their slugs. */
export async function readProjects(store: StateStore, key: string, run: RunState): Promise<ProjectState[]> {
  const states: ProjectState[] = [];
  for (const [slug, projectId] of Object.entries(run.projects)) {
    const state = await readProject(store, key, slug, projectId);
    if (state !== null) states.push(state);
  }
  return states.sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** Lists all imports, by key. */
export async function listRuns(store: StateStore): Promise<(readonly [key: string, run: RunState])[]> {
  const states = await store.listImportStates(RUN_PREFIX);
  return states.flatMap(([key, text]) => {
    const run = parse(text) as RunState | null;
    return run === null ? [] : [[key, run] as const];
  });
}

/** Names what a run imports: `acme from https://sentry.example.com`, or the store of an export. */
export function sourceName({ kind, organization, url }: Pick<RunState, 'kind' | 'organization' | 'url'>): string {
  if (kind === 'errgate') return `an export of store ${url}`;
  return organization === '' ? url : `${organization} from ${url}`;
}

/** Asks the process that runs the import to end it. */
export async function requestCancel(store: StateStore, key: string, now: number): Promise<void> {
  await store.saveImportState(CANCEL_PREFIX + key, JSON.stringify({ at: now }));
}

export async function cancelRequested(store: StateStore, key: string): Promise<boolean> {
  const text = await store.importState(CANCEL_PREFIX + key);
  return text !== null && (JSON.parse(text) as { readonly at?: unknown }).at !== null;
}

export async function clearCancel(store: StateStore, key: string): Promise<void> {
  if (await cancelRequested(store, key)) await store.saveImportState(CANCEL_PREFIX + key, JSON.stringify({ at: null }));
}
