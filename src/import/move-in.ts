import { AppError, logFields } from '../domain/app-error.ts';
import type { SourceKind } from '../domain/import.ts';
import type { MoveIn, MoveInProgress, MoveInState } from '../domain/ports/move-in.ts';
import type { Project } from '../domain/project.ts';
import type { TrackingSettings } from '../domain/tracking-settings.ts';
import { Periodic } from '../lib/periodic.ts';
import type { Logger } from '../observability/logger.ts';
import { parseApiUrl } from '../thirdparty/api-url.ts';
import type { TokenCipher } from '../thirdparty/encrypted-token.ts';
import type { UrlGuard } from '../thirdparty/url-guard.ts';
import { cancelRun } from './cancel-import.ts';
import { DEFAULT_OPTIONS, type ImportDeps, type ImportSummary, type StageName } from './import-run.ts';
import { openReader } from './readers/open-reader.ts';
import { runImport } from './run-import.ts';
import { isRunning } from './state/run-lease.ts';
import { runKey } from './state/run-state.ts';

/** Milliseconds between two looks for imports whose gateway has stopped. */
const LOOK_MS = 20_000;
/** Milliseconds between two saves of the progress. */
const SAVE_MS = 1000;
/** Maximum sentences about what did not come along. */
const MAX_NOTES = 200;
/** Begins the keys that name projects with a running import; the progress itself goes with its project. */
const MARK = 'move-in:';

const STAGE_TEXTS: Readonly<Record<StageName, string>> = {
  projects: 'Reads the project and its keys.',
  errors: 'Imports errors.',
  releases: 'Imports releases.',
  events: 'Imports the newest events of each error.',
  comments: 'Imports comments.',
  reports: 'Imports user reports.',
  truth: 'Looks for errors that both trackers have.',
  likeness: 'Looks for errors that are alike.',
  reconcile: 'Checks what was imported.',
  counts: 'Takes counts that changed meanwhile.',
};

export interface MoveInDeps extends Omit<ImportDeps, 'digest'> {
  readonly guard: UrlGuard;
  readonly cipher: Pick<TokenCipher, 'decrypt'>;
  /** Opened for the first import. */
  readonly digest: () => Promise<ImportDeps['digest']>;
  readonly logger: Pick<Logger, 'error' | 'info'>;
}

/** Linked project of a tracker. */
interface Link {
  readonly url: string;
  readonly organization: string;
  readonly slug: string;
  readonly kind: SourceKind | null;
  readonly token: () => string;
}

/** Runs imports of linked projects in the service. Every gateway continues those whose gateway has stopped. */
export class MoveIns implements MoveIn {
  readonly #deps: MoveInDeps;
  readonly #running = new Map<number, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #job: Periodic;
  #digest: Promise<ImportDeps['digest']> | null = null;

  constructor(deps: MoveInDeps) {
    this.#deps = deps;
    // A store that is away is found again by a later look.
    this.#job = new Periodic({ intervalMs: LOOK_MS, run: () => this.#continueStopped() });
  }

  /** Continues imports that a stopped gateway has left, now and from time to time. */
  startLooking(): void {
    this.#job.start();
  }

  /** Interrupts running imports; this gateway's next start, or another gateway, continues them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#job.stop();
    await Promise.all(this.#running.values());
  }

  async start(project: Project, settings: TrackingSettings | null, switches: boolean): Promise<MoveInProgress> {
    const link = this.#linkOf(settings);
    if (this.#running.has(project.id) || (await this.#isHeld(link))) {
      throw new AppError('conflict', 'an import of this project is running: wait for its end, or stop it first');
    }
    const begun: MoveInProgress = {
      state: 'running',
      stages: [],
      message: 'The import begins.',
      switches,
      startedAt: this.#deps.clock.now(),
      endedAt: null,
      notes: [],
    };
    await this.#save(project.id, begun);
    await this.#mark(project.id, true);
    this.#launch(project.id, begun);
    return begun;
  }

  async progress(projectId: number): Promise<MoveInProgress | null> {
    const text = await this.#deps.store.importState(keyOf(projectId));
    return text === null ? null : (JSON.parse(text) as MoveInProgress);
  }

  async cancel(projectId: number): Promise<MoveInProgress | null> {
    const { store, owner, clock } = this.#deps;
    const found = await this.progress(projectId);
    if (found?.state !== 'running') return found;
    const cancelled = this.#ended(found, 'cancelled', 'The import was stopped. What was imported stays.');
    const settings = await store.settings(projectId);
    const link = settings === null ? null : this.#tryLinkOf(settings);
    const ended = link === null || (await cancelRun(store, keyOfRun(link), `${owner}-probe`, clock.now()));
    if (!ended) return { ...found, message: 'The import is being stopped.' };
    await this.#save(projectId, cancelled);
    return cancelled;
  }

  #tryLinkOf(settings: TrackingSettings): Link | null {
    try {
      return this.#linkOf(settings);
    } catch {
      return null;
    }
  }

  #linkOf(settings: TrackingSettings | null): Link {
    const parts = parseApiUrl(settings?.apiUrl ?? null);
    const { sealedToken = null, projectId = 0, tracker = null } = settings ?? {};
    const { organization = null, project = null } = parts ?? {};
    if (parts === null || organization === null || project === null || sealedToken === null) {
      throw new AppError(
        'bad_request',
        'the project is not linked to a tracker: enter its address, an auth token and the project in the settings first',
      );
    }
    const kind = tracker?.base === parts.base && tracker.kind !== 'unknown' ? tracker.kind : null;
    return {
      url: parts.base,
      organization,
      slug: project,
      kind,
      token: () => this.#deps.cipher.decrypt(sealedToken, projectId),
    };
  }

  #isHeld(link: Link): Promise<boolean> {
    return isRunning(this.#deps.store, keyOfRun(link), `${this.#deps.owner}-probe`);
  }

  #launch(projectId: number, begun: MoveInProgress): void {
    const run = this.#run(projectId, begun)
      .catch((error: unknown) => this.#failed(projectId, begun, error))
      .finally(() => this.#running.delete(projectId));
    this.#running.set(projectId, run);
  }

  async #run(projectId: number, begun: MoveInProgress): Promise<void> {
    const { store, guard, clock } = this.#deps;
    const { signal } = this.#stopping;
    const settings = await store.settings(projectId);
    const link = this.#linkOf(settings);
    const reader = await openReader({ guard, clock }, link, signal);
    let progress = begun;
    let saved = 0;
    let saving = Promise.resolve();
    const save = (): void => {
      saved = clock.now();
      const latest = progress;
      saving = saving.then(() => this.#save(projectId, latest)).catch(() => undefined);
    };
    try {
      this.#digest ??= this.#deps.digest();
      const summary = await runImport(
        { ...this.#deps, digest: await this.#digest },
        { reader, url: link.url, organization: link.organization },
        { ...DEFAULT_OPTIONS, projects: [{ slug: link.slug, path: null, projectId }], name: link.slug },
        signal,
        ({ stages, stage }) => {
          // Between projects there are none; those of the last one stay shown.
          const shown = stages.length === 0 ? progress.stages : stages;
          const before = progress.message;
          progress = { ...begun, stages: shown, message: stage === null ? before : STAGE_TEXTS[stage] };
          if (progress.message !== before || clock.now() - saved >= SAVE_MS) save();
        },
      );
      await saving;
      // Another gateway, or the next start, continues an import that this process interrupted.
      if (signal.aborted) return;
      await this.#finish(projectId, progress, summary);
    } finally {
      await saving;
      reader.close();
    }
  }

  async #finish(projectId: number, progress: MoveInProgress, summary: ImportSummary): Promise<void> {
    const { state } = summary;
    if (state === 'running') return;
    const notes = notesOf(summary);
    if (state === 'done' && progress.switches) {
      await this.#deps.store.saveSettings(projectId, { active: true, integrated: true });
    }
    await this.#save(projectId, { ...this.#ended(progress, state, messageOf(summary)), notes });
    this.#deps.logger.info({ projectId, state, imported: summary.imported }, 'the import of a project has ended');
  }

  async #failed(projectId: number, begun: MoveInProgress, error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const known = error instanceof AppError;
    if (!known) this.#deps.logger.error(logFields(error), 'the import of a project failed');
    const reason = known ? error.message : 'of an internal error; the log of the service has the details';
    const message = `The import stopped: ${reason}. Continue it when the reason is gone.`;
    const latest = (await this.progress(projectId).catch(() => null)) ?? begun;
    await this.#save(projectId, this.#ended(latest, 'failed', message)).catch(() => undefined);
  }

  #ended(progress: MoveInProgress, state: MoveInState, message: string): MoveInProgress {
    return { ...progress, state, message, endedAt: this.#deps.clock.now() };
  }

  #save(projectId: number, progress: MoveInProgress): Promise<void> {
    return this.#deps.store.saveImportState(keyOf(projectId), JSON.stringify(progress));
  }

  #mark(projectId: number, running: boolean): Promise<void> {
    return this.#deps.store.saveImportState(`${MARK}${projectId}`, JSON.stringify({ running }));
  }

  async #continueStopped(): Promise<void> {
    for (const [key, mark] of await this.#deps.store.listImportStates(MARK)) {
      const projectId = Number(key.slice(MARK.length));
      if (!(JSON.parse(mark) as { readonly running: boolean }).running || this.#running.has(projectId)) continue;
      const progress = await this.progress(projectId);
      if (progress?.state !== 'running') {
        await this.#mark(projectId, false);
        continue;
      }
      const settings = await this.#deps.store.settings(projectId);
      const link = settings === null ? null : this.#tryLinkOf(settings);
      if (link === null) {
        await this.#save(projectId, this.#ended(progress, 'failed', 'The project is no longer linked to its tracker.'));
      } else if (!(await this.#isHeld(link))) {
        this.#launch(projectId, progress);
      }
    }
  }
}

function keyOf(projectId: number): string {
  return `${projectId}/move-in`;
}

function keyOfRun({ url, organization, slug }: Link): string {
  return runKey(url, organization, slug);
}

function messageOf({ state, message, imported, updated, waiting }: ImportSummary): string {
  if (state !== 'done') return `The import stopped: ${message}.`;
  const rest = waiting === 0 ? '' : ` The counts of ${waiting} wait for the next pass: import again in some minutes.`;
  const known = updated === 0 ? '' : `, ${updated} were brought up to date`;
  return `${imported} errors were imported${known}.${rest}`;
}

function notesOf(summary: ImportSummary): string[] {
  const { cannot, left_outs: leftOuts, more_left_outs: more, to_set_up: toSetUp } = summary;
  const all = [
    ...cannot,
    ...toSetUp.map((rule) => `Set up again: ${rule}`),
    ...leftOuts.map(({ what, reason }) => `${what}: ${reason}`),
    ...(more === 0 ? [] : [`${more} more were left out`]),
  ];
  return all.slice(0, MAX_NOTES);
}
