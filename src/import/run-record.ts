import { AppError } from '../domain/app-error.ts';
import {
  type ImportDeps,
  type ImportFrom,
  type ImportOptions,
  type OnProgress,
  type RunStatus,
  type StageName,
  STAGES,
} from './import-run.ts';
import { ProjectContext } from './project-context.ts';
import { NO_SOURCE, type OpenedProject } from './stages/import-projects.ts';
import { IssueMarks } from './state/issue-marks.ts';
import { leaveOut, type LeftOpen, type LeftOuts } from './state/left-outs.ts';
import { leftIn, leftText } from './state/left-work.ts';
import { beginPass, newProjectState, type ProjectState, resumePass } from './state/project-state.ts';
import type { RunLease } from './state/run-lease.ts';
import {
  forgetProject,
  MAX_CANNOT,
  projectKey,
  readProject,
  readProjects,
  readRun,
  type RunState,
} from './state/run-state.ts';
import type { ProjectsReader, TrackerReader } from './tracker-reader.ts';

export interface RecordedRun<R extends ProjectsReader> {
  readonly deps: ImportDeps;
  readonly from: ImportFrom<R>;
  readonly options: ImportOptions;
  readonly key: string;
  readonly lease: RunLease;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** `resumed`: the pass before was not complete. `repeated`: a further pass begins. */
export type Opening = 'new' | 'resumed' | 'repeated';

/** How a run of files ended, as its record says. */
export interface FileRunEnd {
  /** False: something is left, or no project was imported. */
  readonly complete: boolean;
  readonly message: string;
}

/** Run of an import, from a tracker or from files, as the store has it: its state, its projects and its left-outs. */
export class RunRecord<R extends ProjectsReader = TrackerReader> {
  readonly #run: RecordedRun<R>;
  readonly #state: RunState;
  /** Projects in this run. */
  readonly #slugs = new Set<string>();
  /** Slugs of earlier runs, by the projects here. */
  readonly #slugsBefore = new Map<number, string[]>();
  /** False: the record of the run before was not read yet, and nothing may be written in its place. */
  #isRead = false;
  #stage: StageName | null = null;
  /** Aborts when the run is interrupted or cancelled, and when another process has the lease. */
  readonly signal: AbortSignal;

  constructor(run: RecordedRun<R>) {
    this.#run = run;
    this.signal = AbortSignal.any([run.signal, run.lease.signal]);
    const { url, organization, reader } = run.from;
    const now = run.deps.clock.now();
    this.#state = {
      version: 1,
      kind: reader.kind,
      url,
      organization,
      trackerVersion: reader.version,
      startedAt: now,
      updatedAt: now,
      state: 'running',
      message: 'reading projects',
      leftOut: { items: [], more: 0 },
      projects: {},
    };
  }

  get state(): RunState {
    return this.#state;
  }

  /** Begins the run, or goes on with the one before. */
  async begin(): Promise<void> {
    const before = await readRun(this.#run.deps.store, this.#run.key);
    this.#isRead = true;
    this.#state.startedAt = before?.startedAt ?? this.#state.startedAt;
    Object.assign(this.#state.projects, before?.projects);
    for (const [slug, projectId] of Object.entries(this.#state.projects)) {
      this.#slugsBefore.set(projectId, [...(this.#slugsBefore.get(projectId) ?? []), slug]);
    }
    await this.say('running', 'reading projects');
  }

  /**
   * Reads the state of a project, or begins a pass. Takes the state of a project over that was renamed there.
   * `prepare`: what comes before any error, such as keys. The state is saved after it.
   */
  async openProject(
    opened: OpenedProject,
    prepare: (context: ProjectContext<R>, opening: Opening) => Promise<void>,
  ): Promise<ProjectContext<R>> {
    const { remote, project, sourceId } = opened;
    const { store, clock } = this.#run.deps;
    const place = { slug: remote.slug, projectId: project.id, path: project.path, sourceId };
    const before = await readProject(store, this.#run.key, remote.slug, project.id);
    const formers = await this.#statesOfOtherSlugs(opened);
    const known = before?.sourceId === sourceId ? before : this.#renamed(formers, remote.slug);
    const state = known ?? newProjectState(place, clock.now());
    for (const { inactiveKey } of formers) state.inactiveKey ??= inactiveKey;
    state.path = project.path;
    const opening = known === null ? 'new' : known.finishedAt === null ? 'resumed' : 'repeated';
    if (opening === 'repeated') beginPass(state, clock.now());
    else resumePass(state);
    const context = this.#context(state);
    await prepare(context, opening);
    const stage = context.stage('projects');
    stage.done = stage.total = 1;
    stage.finished = true;
    this.#slugs.add(remote.slug);
    this.#state.projects[remote.slug] = project.id;
    await context.stepDone();
    for (const { slug } of formers) await this.#forget(slug, project.id);
    return context;
  }

  /** Reads what earlier runs have saved of a project under its other slugs there. */
  async #statesOfOtherSlugs({ remote, project, sourceId }: OpenedProject): Promise<ProjectState[]> {
    // Without a source nothing tells whether it is the same project there.
    if (sourceId === NO_SOURCE) return [];
    const states: ProjectState[] = [];
    for (const slug of this.#slugsBefore.get(project.id) ?? []) {
      if (slug === remote.slug) continue;
      const state = await readProject(this.#run.deps.store, this.#run.key, slug, project.id);
      if (state?.sourceId === sourceId) states.push(state);
    }
    return states;
  }

  /** Returns the state of a renamed project under its new slug; null: its pass begins again. */
  #renamed(formers: readonly ProjectState[], slug: string): ProjectState | null {
    // What is remembered of a tracker's issues is kept by slug, so they are read again.
    if (this.#run.from.reader.kind !== 'errgate') return null;
    const [former] = formers;
    return former === undefined ? null : { ...former, slug };
  }

  async #forget(slug: string, projectId: number): Promise<void> {
    await forgetProject(this.#run.deps.store, this.#run.key, slug, projectId);
    const { [slug]: holder, ...others } = this.#state.projects;
    // Another project there may have the slug now.
    if (holder === projectId) this.#state.projects = others;
  }

  /** Reads the saved state of a project that this run has opened. */
  async reopen({ remote: { slug }, project }: OpenedProject): Promise<ProjectContext<R>> {
    const state = await readProject(this.#run.deps.store, this.#run.key, slug, project.id);
    if (state === null) throw new AppError('internal', `the state of the import of ${slug} is gone`);
    return this.#context(state);
  }

  /** Notes the stage that runs now, and says so; null: none does. */
  async enter(stage: StageName | null, context: ProjectContext<R>): Promise<void> {
    this.#stage = stage;
    if (stage === null) return;
    await this.say('running', `${context.slug}: ${stage}`);
    context.report();
  }

  leaveOut(slug: string | null, what: string, reason: string, open?: LeftOpen): void {
    leaveOut(this.#state.leftOut, slug, what, reason, open);
  }

  /** Returns what the run and its projects have left out. */
  left(projects: readonly ProjectState[]): LeftOuts {
    const lists = [this.#state.leftOut, ...projects.map(({ leftOut }) => leftOut)];
    return {
      items: lists.flatMap(({ items }) => items),
      more: lists.reduce((total, { more }) => total + more, 0),
    };
  }

  /** States of the projects of this run. */
  async projects(): Promise<ProjectState[]> {
    const { deps, key } = this.#run;
    return (await readProjects(deps.store, key, this.#state)).filter(({ slug }) => this.#slugs.has(slug));
  }

  async say(state: RunStatus, message: string): Promise<void> {
    const { deps, from, key } = this.#run;
    this.#state.state = state;
    this.#state.message = message;
    this.#state.updatedAt = deps.clock.now();
    this.#state.cannot = from.reader.cannot.slice(0, MAX_CANNOT);
    if (this.#isRead) await deps.store.saveImportState(key, JSON.stringify(this.#state));
  }

  /** Runs an import from files, and keeps how it ended. Throws why it did not get to its end. */
  async keep<T extends object>(work: () => Promise<T>): Promise<T & FileRunEnd> {
    try {
      await this.begin();
      const result = await work();
      await this.finish();
      const { state, message } = this.#state;
      return { ...result, complete: state === 'done', message };
    } catch (error) {
      await this.endAfter(error);
      const { end } = this.#run.lease;
      if (end === 'lost') throw new AppError('conflict', 'another process goes on with this import');
      if (end === 'cancelled') throw new AppError('conflict', 'the import was cancelled; run it again to go on');
      if (this.signal.aborted) {
        throw new AppError('conflict', 'the import was interrupted; run it again to go on', { cause: error });
      }
      throw error;
    }
  }

  /** Ends a run that went through its projects: as done exactly when nothing is left. */
  async finish(): Promise<void> {
    const projects = await this.projects();
    const left = leftText(leftIn(this.#state.leftOut, projects));
    if (left !== null) await this.#end('failed', left);
    else if (projects.length === 0) await this.#end('failed', 'no project was imported');
    else await this.#end('done', 'everything was imported');
  }

  /** Ends the run with the reason. Throws what is no failure of the tracker or the store. */
  async endAfter(error: unknown): Promise<void> {
    const { lease, deps } = this.#run;
    if (lease.end === 'cancelled') return this.#end('cancelled', 'it was cancelled; run it again to go on');
    if (lease.end === 'lost') return this.say('failed', 'another process goes on with it');
    if (this.signal.aborted) return this.#end('failed', 'it was interrupted; run it again to go on');
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'store_unavailable' && deps.throwsStoreFailures === true) throw error;
    await this.#end('failed', `${error.message}; run it again to go on`).catch(() => undefined);
  }

  async #end(state: RunStatus, message: string): Promise<void> {
    await this.say(state, message);
    this.#report(null);
  }

  #context(state: ProjectState): ProjectContext<R> {
    const { deps, from, options } = this.#run;
    const key = projectKey(this.#run.key, state.slug, state.projectId);
    return new ProjectContext<R>({
      deps,
      from,
      options,
      signal: this.signal,
      state,
      marks: new IssueMarks(deps.store, key),
      save: () => this.#save(key, state),
      report: () => this.#report(state),
    });
  }

  /** Saves the state of a project where a later run finds it, also when the project has another slug by then. */
  async #save(key: string, state: ProjectState): Promise<void> {
    if (this.#state.projects[state.slug] !== state.projectId) {
      this.#state.projects[state.slug] = state.projectId;
      await this.say(this.#state.state, this.#state.message);
    }
    await this.#run.deps.store.saveImportState(key, JSON.stringify(state));
  }

  #report(project: ProjectState | null): void {
    const { state, message } = this.#state;
    const stages = STAGES.flatMap((name) => {
      const stage = project?.stages[name];
      return stage === undefined ? [] : [{ name, done: stage.done, total: stage.total }];
    });
    this.#run.onProgress({ state, message, stages, project: project?.slug ?? null, stage: this.#stage });
  }
}
