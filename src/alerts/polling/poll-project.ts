import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import type { ErrorBackend } from '../../domain/ports/error-backend.ts';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';
import type { ProjectStore } from '../../domain/ports/stores/project-store.ts';
import type { TrackingStore } from '../../domain/ports/stores/tracking-store.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import { findChanges } from './find-changes.ts';
import type { ReadIssues } from './issue-pages.ts';
import { readPollState, writePollState } from './poll-state.ts';
import { takeStock } from './take-stock.ts';

export interface PollProjectDeps {
  readonly store: Pick<AlertStore, 'addFacts' | 'projectAlerts'> &
    Pick<TrackingStore, 'settings'> &
    Pick<ProjectStore, 'projectById'> &
    Pick<ImportStore, 'importState' | 'saveImportState'>;
  /** Backend that asks the tracker itself: a poll is never answered from a cache. */
  readonly backendFor: (settings: TrackingSettings) => Pick<ErrorBackend, 'list'>;
  readonly now: () => number;
}

/** `stock`: first poll of this link. `unlinked`: there is nothing to poll now. `lost`: ended before it wrote. */
export type PollOutcome = 'stock' | 'polled' | 'unlinked' | 'lost';

export interface PollResult {
  readonly outcome: PollOutcome;
  /** See `PollTurn`. */
  readonly deeper: string | null;
}

/** Issues of one page. */
const PAGE_SIZE = 100;
/** Facts of one write. */
const MAX_FACTS = 1000;
const NO_STATE = 'null';

const stateKey = (projectId: number): string => `${projectId}/alert-polling`;

/** Names the linked project of a tracker; null when the project is not linked, or its tracking is off. */
export function linkOf(settings: TrackingSettings | null): string | null {
  if (settings === null || !settings.active || settings.integrated) return null;
  const { apiUrl, thirdpartyProjectId, sealedToken } = settings;
  if (apiUrl === null || sealedToken === null) return null;
  // A project that was renamed in its tracker keeps its id.
  return thirdpartyProjectId === null ? apiUrl : `${apiUrl.split('/api/0/')[0] ?? ''} ${thirdpartyProjectId}`;
}

type StateStore = Pick<PollProjectDeps['store'], 'importState' | 'saveImportState'>;

/** Returns whether anything is known of the issues of a project. */
export async function knowsIssues(store: StateStore, projectId: number): Promise<boolean> {
  const text = await store.importState(stateKey(projectId));
  return text !== null && text !== NO_STATE;
}

/** Removes what is known of the issues of a project. */
export async function forgetIssues(store: StateStore, projectId: number): Promise<void> {
  if (await knowsIssues(store, projectId)) await store.saveImportState(stateKey(projectId), NO_STATE);
}

/**
 * Polls the tracker of a project once: adds facts first and then saves what is known, so that a poll that was
 * interrupted is repeated with the same ids. Throws errors of the tracker and the store.
 */
export async function pollProject(
  { store, backendFor, now }: PollProjectDeps,
  projectId: number,
  deeper: string | null,
  signal: AbortSignal,
): Promise<PollResult> {
  const settings = await store.settings(projectId);
  const project = await store.projectById(projectId);
  const link = linkOf(settings);
  if (settings === null || project === null || link === null) return { outcome: 'unlinked', deeper: null };
  const key = stateKey(projectId);
  const read = reader(backendFor(settings), project, signal);
  const before = readPollState(await store.importState(key), link);
  const at = now();
  const found =
    before === null
      ? { facts: [], state: await takeStock(read, link, at), changed: true, deeper: null }
      : await findChanges(before, { projectId, read, now: at, deeper });

  // What was read belongs to a link that may be gone.
  const isCurrent = linkOf(await store.settings(projectId)) === link && (await polls(store, projectId));
  if (!isCurrent || signal.aborted) return { outcome: 'lost', deeper: null };
  for (let from = 0; from < found.facts.length; from += MAX_FACTS) {
    await store.addFacts(found.facts.slice(from, from + MAX_FACTS));
  }
  if (found.changed) await store.saveImportState(key, writePollState(found.state));
  return { outcome: before === null ? 'stock' : 'polled', deeper: found.deeper };
}

async function polls(store: PollProjectDeps['store'], projectId: number): Promise<boolean> {
  return (await store.projectAlerts(projectId))?.poll === true;
}

function reader(backend: Pick<ErrorBackend, 'list'>, project: Project, signal: AbortSignal): ReadIssues {
  return async (status, sort, cursor) => {
    const filters = { search: null, environment: null, release: null, level: null };
    return backend.list(project, { ...filters, status, sort, cursor, limit: PAGE_SIZE }, signal);
  };
}
