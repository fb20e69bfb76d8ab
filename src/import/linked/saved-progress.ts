import type { MoveInProgress, MoveInState } from '../../domain/ports/move-in.ts';
import type { RunningStore } from '../import-run.ts';

/** Progress of a linked project's import, as the store has it. */
export interface SavedProgress extends MoveInProgress {
  /** Key of its run: of the link that the project had when it was started. */
  readonly runKey: string;
  /** Time of the last save. While an import runs, it is saved every few seconds. */
  readonly savedAt: number;
  /** Time at which a continued import is given up because its tracker is away; null: it is not away. */
  readonly awayUntil: number | null;
}

type StateStore = Pick<RunningStore, 'importState' | 'saveImportState' | 'listImportStates'>;

/** Begins the keys that name projects with a running import; the progress itself goes with its project. */
const MARK = 'move-in:';

const keyOf = (projectId: number): string => `${projectId}/move-in`;

export async function readProgress(store: StateStore, projectId: number): Promise<SavedProgress | null> {
  const text = await store.importState(keyOf(projectId));
  return text === null ? null : (JSON.parse(text) as SavedProgress);
}

/** Saves the progress. Throws `not_found` when the project was deleted. */
export async function saveProgress(
  store: StateStore,
  projectId: number,
  progress: SavedProgress,
  now: number,
): Promise<void> {
  await store.saveImportState(keyOf(projectId), JSON.stringify({ ...progress, savedAt: now }));
}

/** Saves whether gateways look for an import of the project that has no process. */
export async function markRunning(store: StateStore, projectId: number, running: boolean): Promise<void> {
  await store.saveImportState(`${MARK}${projectId}`, JSON.stringify({ running }));
}

/** Returns the numbers of projects whose import is marked as running. */
export async function markedAsRunning(store: StateStore): Promise<number[]> {
  const marks = await store.listImportStates(MARK);
  return marks
    .filter(([, text]) => (JSON.parse(text) as { readonly running: boolean }).running)
    .map(([key]) => Number(key.slice(MARK.length)));
}

export function endedProgress(progress: SavedProgress, state: MoveInState, message: string, now: number) {
  return { ...progress, state, message, endedAt: now, awayUntil: null };
}
