import { AppError } from '../domain/app-error.ts';
import { sleep as realSleep } from '../lib/back-off.ts';
import { withForwardPaused } from './forward-pause.ts';
import {
  type ImportDeps,
  type ImportFrom,
  type ImportOptions,
  type ImportPart,
  type ImportSummary,
  type OnProgress,
  type RunStatus,
  type StageName,
  STAGES,
} from './import-run.ts';
import { listInvitations, type Invitation } from './invitations.ts';
import { LikenessIndex } from './join/likeness-index.ts';
import { ProjectContext } from './project-context.ts';
import { bindByEventId } from './stages/bind-by-event-id.ts';
import { importErrors } from './stages/import-errors.ts';
import { importEvents } from './stages/import-events.ts';
import { importKeys, switchOffInactive } from './stages/import-keys.ts';
import { openProject, type OpenedProject, sharedTarget, wantedProjects } from './stages/import-projects.ts';
import { importReleases } from './stages/import-releases.ts';
import { joinByLikeness } from './stages/join-by-likeness.ts';
import { listUnaccounted } from './stages/mark-found-events.ts';
import { reconcile } from './stages/reconcile.ts';
import { reserveNumbers } from './stages/reserve-numbers.ts';
import { settleCounts } from './stages/settle-counts.ts';
import { IssueMarks } from './state/issue-marks.ts';
import { leaveOut, type LeftOpen } from './state/left-outs.ts';
import { beginPass, newProjectState, type ProjectState, resumePass } from './state/project-state.ts';
import { leftIn, leftText } from './state/left-work.ts';
import { RunLease } from './state/run-lease.ts';
import {
  clearCancel,
  MAX_CANNOT,
  projectKey,
  readProject,
  readProjects,
  readRun,
  runKey,
  type RunState,
} from './state/run-state.ts';
import { summaryOf } from './summary.ts';
import { isPartial, reasonOf } from './tracker-failures.ts';

/**
 * Imports an organization of a tracker, or goes on with an import of it, or brings it up to date. Everything may be
 * repeated: nothing is counted twice. One process at a time; throws `conflict` while another one runs it. Other failures
 * end the run with a summary that says what is left.
 */
export async function runImport(
  deps: ImportDeps,
  from: ImportFrom,
  options: ImportOptions,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<ImportSummary> {
  const key = runKey(from.url, from.organization, options.name);
  const { store, owner, sleep = realSleep } = deps;
  const lease = await RunLease.take({ store, key, owner, sleep, signal });
  try {
    await clearCancel(store, key);
    return await runImportUnder(lease, deps, from, options, signal, onProgress);
  } finally {
    await lease.release();
  }
}

/** As `runImport`, under a lease that the caller has taken and releases. A request to cancel it stands. */
export function runImportUnder(
  lease: RunLease,
  deps: ImportDeps,
  from: ImportFrom,
  options: ImportOptions,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<ImportSummary> {
  const key = runKey(from.url, from.organization, options.name);
  return new ImportRun(deps, from, options, key, lease, signal, onProgress).run();
}

/** Stages in their order, each with the part of `--only` it belongs to. */
const PROJECT_STAGES: readonly {
  readonly name: StageName;
  readonly part: ImportPart;
  readonly work: (context: ProjectContext, index: LikenessIndex) => Promise<void>;
}[] = [
  // Before errors, some of which are resolved in the release after these.
  { name: 'releases', part: 'releases', work: importReleases },
  { name: 'errors', part: 'errors', work: importErrors },
  { name: 'events', part: 'events', work: importEvents },
  { name: 'truth', part: 'events', work: bindByEventId },
  { name: 'likeness', part: 'events', work: joinByLikeness },
  { name: 'reconcile', part: 'errors', work: reconcile },
  { name: 'counts', part: 'errors', work: settleCounts },
];

/** Stages that take counts, which have to stand still. */
const READS_COUNTS: ReadonlySet<StageName> = new Set<StageName>(['errors', 'counts']);

/** Reasons why one project cannot be imported, while others can. */
const REFUSED: ReadonlySet<string> = new Set(['invalid_parameter', 'conflict', 'project_not_found']);

class ImportRun {
  readonly #deps: ImportDeps;
  readonly #from: ImportFrom;
  readonly #options: ImportOptions;
  readonly #key: string;
  readonly #lease: RunLease;
  readonly #signal: AbortSignal;
  readonly #onProgress: OnProgress;
  readonly #state: RunState;
  #members: readonly Invitation[] = [];
  #stage: StageName | null = null;
  /** Projects in this run. */
  readonly #slugs = new Set<string>();

  constructor(
    deps: ImportDeps,
    from: ImportFrom,
    options: ImportOptions,
    key: string,
    lease: RunLease,
    signal: AbortSignal,
    onProgress: OnProgress,
  ) {
    this.#deps = deps;
    this.#from = from;
    this.#options = options;
    this.#key = key;
    this.#lease = lease;
    this.#signal = AbortSignal.any([signal, lease.signal]);
    this.#onProgress = onProgress;
    const { url, organization, reader } = from;
    const now = deps.clock.now();
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

  async run(): Promise<ImportSummary> {
    const { store } = this.#deps;
    const before = await readRun(store, this.#key);
    this.#state.startedAt = before?.startedAt ?? this.#state.startedAt;
    Object.assign(this.#state.projects, before?.projects);
    try {
      await this.#say('running', 'reading projects');
      await this.#listMembers();
      for (const opened of await this.#openProjects()) await this.#importProject(opened);
      const projects = await this.#projects();
      const left = leftText(leftIn(this.#state.leftOut, projects));
      if (left !== null) await this.#end('failed', left);
      else if (projects.length === 0) await this.#end('failed', 'no project was imported');
      else await this.#end('done', 'everything was imported');
    } catch (error) {
      await this.#endAfter(error);
    }
    return summaryOf(this.#state, await this.#projects(), this.#members);
  }

  /** Ends the run with the reason. Throws what is no failure of the tracker or the store. */
  async #endAfter(error: unknown): Promise<void> {
    if (this.#lease.end === 'cancelled') return this.#end('cancelled', 'it was cancelled; run it again to go on');
    if (this.#lease.end === 'lost') return this.#say('failed', 'another process goes on with it');
    if (this.#signal.aborted) return this.#end('failed', 'it was interrupted; run it again to go on');
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'store_unavailable' && this.#deps.throwsStoreFailures === true) throw error;
    await this.#end('failed', `${error.message}; run it again to go on`).catch(() => undefined);
  }

  /** Lists who may be invited. Runs of one project over its own connection are not about people. */
  async #listMembers(): Promise<void> {
    if (this.#options.name !== undefined || !this.#wants('projects')) return;
    const { members, problem, isRefused } = await listInvitations(this.#deps.store, this.#from.reader, this.#signal);
    this.#members = members;
    if (problem !== null) leaveOut(this.#state.leftOut, null, 'members', problem, isRefused ? 'mend' : 'retry');
  }

  async #openProjects(): Promise<OpenedProject[]> {
    const missing = (slug: string): void =>
      this.#leaveOut(slug, 'project', 'the organization has no such project, or the token may not read it', 'mend');
    const wanted = await wantedProjects(this.#from, this.#options, this.#signal, missing);
    const shared = await sharedTarget(this.#deps.store, this.#from, wanted);
    if (shared !== null) throw new AppError('conflict', shared);
    if (this.#options.projects === null) {
      for (const text of this.#from.reader.lacks('projects')) {
        leaveOut(this.#state.leftOut, null, 'projects', text, 'mend');
      }
    }
    const opened: OpenedProject[] = [];
    for (const one of wanted) {
      this.#signal.throwIfAborted();
      try {
        const project = await openProject(this.#deps, this.#from, one, this.#options);
        opened.push(project);
        for (const problem of project.problems) this.#leaveOut(one.remote.slug, 'new events', problem);
        await this.#openState(project);
      } catch (error) {
        if (!(error instanceof AppError) || !(REFUSED.has(error.code) || isPartial(error))) throw error;
        this.#leaveOut(one.remote.slug, 'project', reasonOf(error, 'projects'), isPartial(error) ? 'retry' : 'mend');
      }
    }
    return opened;
  }

  /** Reads the state of a project, or begins a pass. Keys come with the projects, before any error. */
  async #openState(opened: OpenedProject): Promise<void> {
    const { remote, project, sourceId } = opened;
    const { store, clock } = this.#deps;
    const place = { slug: remote.slug, projectId: project.id, path: project.path, sourceId };
    const known = await readProject(store, this.#key, remote.slug, project.id);
    const state = known?.sourceId === sourceId ? known : newProjectState(place, clock.now());
    state.path = project.path;
    if (state.finishedAt === null) resumePass(state);
    else beginPass(state, clock.now());
    const context = this.#context(state);
    await switchOffInactive(context);
    if (known === null) await reserveNumbers(context);
    if (this.#wants('keys')) await importKeys(context);
    const stage = context.stage('projects');
    stage.done = stage.total = 1;
    stage.finished = true;
    this.#slugs.add(remote.slug);
    this.#state.projects[remote.slug] = project.id;
    await context.stepDone();
  }

  async #importProject({ remote, project }: OpenedProject): Promise<void> {
    const state = await readProject(this.#deps.store, this.#key, remote.slug, project.id);
    if (state === null) throw new AppError('internal', `the state of the import of ${remote.slug} is gone`);
    const context = this.#context(state);
    let isThrough = true;
    const index = await new LikenessIndex(this.#deps.store, projectKey(this.#key, remote.slug, project.id)).open();
    for (const { name, part, work } of PROJECT_STAGES) {
      const stage = context.stage(name);
      if (stage.finished || !this.#wants(part)) continue;
      this.#signal.throwIfAborted();
      this.#stage = name;
      await this.#say('running', `${remote.slug}: ${name}`);
      context.report();
      const run = (): Promise<void> => work(context, index);
      const failedBefore = state.failed.length;
      const isWalked = await this.#partly(context, name, () =>
        READS_COUNTS.has(name) ? withForwardPaused(context, run) : run(),
      );
      isThrough &&= isWalked;
      // A resumed pass repeats what failed; the next one does anyway.
      stage.finished = isWalked && state.failed.length === failedBefore;
      await context.stepDone();
    }
    this.#stage = null;
    await listUnaccounted(context);
    state.finishedAt = isThrough ? this.#deps.clock.now() : null;
    await context.stepDone();
  }

  /** Runs a stage. False: the tracker refuses it, which is listed, and a further run tries it again. */
  async #partly(context: ProjectContext, name: StageName, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isPartial(error) || this.#signal.aborted) throw error;
      context.refuse('issues', name, error);
      return false;
    }
  }

  #context(state: ProjectState): ProjectContext {
    const { store } = this.#deps;
    const key = projectKey(this.#key, state.slug, state.projectId);
    return new ProjectContext({
      deps: this.#deps,
      from: this.#from,
      options: this.#options,
      signal: this.#signal,
      state,
      marks: new IssueMarks(store, key),
      save: () => store.saveImportState(key, JSON.stringify(state)),
      report: () => this.#report(state),
    });
  }

  #report(project: ProjectState | null): void {
    const { state, message } = this.#state;
    const stages = STAGES.flatMap((name) => {
      const stage = project?.stages[name];
      return stage === undefined ? [] : [{ name, done: stage.done, total: stage.total }];
    });
    this.#onProgress({ state, message, stages, project: project?.slug ?? null, stage: this.#stage });
  }

  #wants(part: ImportPart): boolean {
    return this.#options.only?.includes(part) ?? true;
  }

  #leaveOut(slug: string, what: string, reason: string, open?: LeftOpen): void {
    leaveOut(this.#state.leftOut, slug, what, reason, open);
  }

  /** States of the projects of this run. */
  async #projects(): Promise<ProjectState[]> {
    return (await readProjects(this.#deps.store, this.#key, this.#state)).filter(({ slug }) => this.#slugs.has(slug));
  }

  async #say(state: RunStatus, message: string): Promise<void> {
    this.#state.state = state;
    this.#state.message = message;
    this.#state.updatedAt = this.#deps.clock.now();
    this.#state.cannot = this.#from.reader.cannot.slice(0, MAX_CANNOT);
    await this.#deps.store.saveImportState(this.#key, JSON.stringify(this.#state));
  }

  async #end(state: RunStatus, message: string): Promise<void> {
    await this.#say(state, message);
    this.#report(null);
  }
}
