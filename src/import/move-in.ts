import { AppError, logFields } from '../domain/app-error.ts';
import type { MoveIn, MoveInProgress } from '../domain/ports/move-in.ts';
import type { Project } from '../domain/projects/project.ts';
import type { TrackingSettings } from '../domain/projects/tracking-settings.ts';
import type { Logger } from '../observability/logger.ts';
import { cancelRun } from './cancel-import.ts';
import type { ImportDeps } from './import-run.ts';
import { LinkedImport, type LinkedImportDeps } from './linked/linked-import.ts';
import { requireLinkedTracker } from './linked/linked-tracker.ts';
import { BEGINS, CANCELLED, cardText, failureText, INTERRUPTED, STOPPING } from './linked/progress-texts.ts';
import {
  endedProgress,
  markedAsRunning,
  markRunning,
  readProgress,
  type SavedProgress,
  saveProgress,
} from './linked/saved-progress.ts';
import { isRunning } from './state/run-lease.ts';
import { cancelRequested, clearCancel } from './state/run-state.ts';
import { unaccountedEvents } from './unaccounted-events.ts';

/** Milliseconds without a save after which a running import of another gateway is shown as interrupted. */
const SILENT_MS = 15_000;

export interface MoveInDeps extends Omit<LinkedImportDeps, 'digest'> {
  /** Opened for the first import. */
  readonly digest: () => Promise<ImportDeps['digest']>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
}

/** Runs imports of linked projects in the service. Every gateway continues those whose gateway has stopped. */
export class MoveIns implements MoveIn {
  readonly #deps: MoveInDeps;
  readonly #running = new Map<number, Promise<void>>();
  readonly #stopping = new AbortController();
  #digest: Promise<ImportDeps['digest']> | null = null;

  constructor(deps: MoveInDeps) {
    this.#deps = deps;
  }

  /** Interrupts running imports; this gateway's next start, or another gateway, continues them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running.values());
  }

  async start(project: Project, settings: TrackingSettings | null, switches: boolean): Promise<MoveInProgress> {
    const { store, clock, cipher } = this.#deps;
    const { runKey } = requireLinkedTracker(cipher, settings);
    const latest = await readProgress(store, project.id);
    // An import of a former link may still be ending.
    const keys = new Set([runKey, latest?.state === 'running' ? latest.runKey : runKey]);
    const held = await Promise.all([...keys].map((key) => this.#isHeld(key)));
    if (this.#running.has(project.id) || held.includes(true)) {
      throw new AppError('conflict', 'an import of this project is running: wait for its end, or stop it first');
    }
    const now = clock.now();
    const begun: SavedProgress = {
      state: 'running',
      stages: [],
      message: BEGINS,
      switches,
      startedAt: now,
      endedAt: null,
      notes: [],
      runKey,
      savedAt: now,
      awayUntil: null,
    };
    await clearCancel(store, runKey);
    await saveProgress(store, project.id, begun, now);
    await markRunning(store, project.id, true);
    this.#launch(project.id, begun);
    return begun;
  }

  async progress(projectId: number): Promise<MoveInProgress | null> {
    const { store, clock } = this.#deps;
    const found = await readProgress(store, projectId);
    if (found === null) return null;
    if (found.state !== 'running') {
      const count = await unaccountedEvents(store, projectId);
      return count === null || count === 0 ? found : { ...found, message: `${found.message} ${cardText(count)}` };
    }
    if (await cancelRequested(store, found.runKey)) return { ...found, message: STOPPING };
    const isSilent = clock.now() - found.savedAt > SILENT_MS && found.awayUntil === null;
    return isSilent && !this.#running.has(projectId) ? { ...found, message: INTERRUPTED } : found;
  }

  async cancel(projectId: number): Promise<MoveInProgress | null> {
    const { store, owner, clock } = this.#deps;
    const found = await readProgress(store, projectId);
    if (found?.state !== 'running') return found;
    const now = clock.now();
    if (!(await cancelRun(store, found.runKey, `${owner}-probe`, now))) return { ...found, message: STOPPING };
    const cancelled = endedProgress(found, 'cancelled', CANCELLED, now);
    await saveProgress(store, projectId, cancelled, now);
    return cancelled;
  }

  #isHeld(runKey: string): Promise<boolean> {
    return isRunning(this.#deps.store, runKey, `${this.#deps.owner}-probe`);
  }

  #launch(projectId: number, progress: SavedProgress): void {
    const run = this.#run(projectId, progress)
      .catch((error: unknown) => this.#failed(projectId, progress, error))
      .finally(() => this.#running.delete(projectId));
    this.#running.set(projectId, run);
  }

  async #run(projectId: number, progress: SavedProgress): Promise<void> {
    const digest = (): Promise<ImportDeps['digest']> => (this.#digest ??= this.#deps.digest());
    const run = new LinkedImport({ ...this.#deps, digest }, projectId, progress, this.#stopping.signal);
    const ended = await run.run();
    if (ended === null) return;
    const { state, message } = ended;
    this.#deps.logger.info({ projectId, state, message }, 'the import of a project has ended');
  }

  async #failed(projectId: number, begun: SavedProgress, error: unknown): Promise<void> {
    // A failure of the store passes, and another process may have the lease: a later look continues the import.
    if (this.#stopping.signal.aborted || error instanceof AppError) return;
    this.#deps.logger.error(logFields(error), 'the import of a project failed');
    const { store, clock } = this.#deps;
    const latest = (await readProgress(store, projectId).catch(() => null)) ?? begun;
    const message = failureText('of an internal error; the log of the service has the details');
    const now = clock.now();
    await saveProgress(store, projectId, endedProgress(latest, 'failed', message, now), now).catch(() => undefined);
  }

  /** Continues imports whose gateway has stopped. Begins none after `signal` aborts. */
  async continueStopped(signal: AbortSignal): Promise<void> {
    const { store } = this.#deps;
    for (const projectId of await markedAsRunning(store)) {
      if (signal.aborted || this.#stopping.signal.aborted) return;
      if (this.#running.has(projectId)) continue;
      const progress = await readProgress(store, projectId);
      if (progress?.state !== 'running') await markRunning(store, projectId, false);
      else if (!(await this.#isHeld(progress.runKey))) this.#launch(projectId, progress);
    }
  }
}
