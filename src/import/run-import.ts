import { AppError } from '../domain/app-error.ts';
import { formerMembersKey, writeFormerMembers } from '../domain/projects/former-members.ts';
import { sleep as realSleep } from '../lib/back-off.ts';
import { withForwardPaused } from './forward-pause.ts';
import type {
  ImportDeps,
  ImportFrom,
  ImportOptions,
  ImportPart,
  ImportSummary,
  OnProgress,
  StageName,
} from './import-run.ts';
import { listInvitations, type Invitation } from './invitations.ts';
import { LikenessIndex } from './join/likeness-index.ts';
import type { ProjectContext } from './project-context.ts';
import { type Opening, type RecordedRun, RunRecord } from './run-record.ts';
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
import { sourcesOf } from './stages/target-project.ts';
import { type RunLease, withRunLease } from './state/run-lease.ts';
import { projectKey, runKey } from './state/run-state.ts';
import { summaryOf } from './summary.ts';
import type { TrackerReader } from './tracker-reader.ts';
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
  return withRunLease({ store, key, owner, sleep, signal }, (lease) =>
    runImportUnder(lease, deps, from, options, signal, onProgress),
  );
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
  return new ImportRun({ deps, from, options, key, lease, signal, onProgress }).run();
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
  readonly #run: RecordedRun<TrackerReader>;
  readonly #record: RunRecord;
  #members: readonly Invitation[] = [];

  constructor(run: RecordedRun<TrackerReader>) {
    this.#run = run;
    this.#record = new RunRecord(run);
  }

  async run(): Promise<ImportSummary> {
    const record = this.#record;
    try {
      await record.begin();
      await this.#listMembers();
      for (const opened of await this.#openProjects()) {
        await this.#keepMembers(opened.project.id);
        await this.#importProject(opened);
      }
      await record.finish();
    } catch (error) {
      await record.endAfter(error);
    }
    return summaryOf(record.state, await record.projects(), this.#members);
  }

  /** Lists who may be invited. Runs of one project over its own connection are not about people. */
  async #listMembers(): Promise<void> {
    const { deps, from, options } = this.#run;
    if (options.name !== undefined || !this.#wants('projects')) return;
    const { members, problem, isRefused } = await listInvitations(deps.store, from.reader, this.#record.signal);
    this.#members = members;
    if (problem !== null) this.#record.leaveOut(null, 'members', problem, isRefused ? 'mend' : 'retry');
  }

  /** Keeps the members with the project, whose page offers to invite them. */
  async #keepMembers(projectId: number): Promise<void> {
    if (this.#members.length === 0) return;
    await this.#run.deps.store.saveImportState(formerMembersKey(projectId), writeFormerMembers(this.#members));
  }

  async #openProjects(): Promise<OpenedProject[]> {
    const { deps, from, options } = this.#run;
    const record = this.#record;
    const missing = (slug: string): void =>
      record.leaveOut(slug, 'project', 'the organization has no such project, or the token may not read it', 'mend');
    const wanted = await wantedProjects(from, options, record.signal, missing);
    const sources = await sourcesOf(deps.store, from);
    const shared = await sharedTarget(deps.store, from.organization, sources, wanted);
    if (shared !== null) throw new AppError('conflict', shared);
    if (options.projects === null) {
      for (const text of from.reader.lacks('projects')) record.leaveOut(null, 'projects', text, 'mend');
    }
    const opened: OpenedProject[] = [];
    for (const one of wanted) {
      record.signal.throwIfAborted();
      try {
        const project = await openProject(deps, from, sources, one, options);
        opened.push(project);
        for (const problem of project.problems) record.leaveOut(one.remote.slug, 'new events', problem);
        await record.openProject(project, (context, opening) => this.#prepare(context, opening));
      } catch (error) {
        if (!(error instanceof AppError) || !(REFUSED.has(error.code) || isPartial(error))) throw error;
        record.leaveOut(one.remote.slug, 'project', reasonOf(error, 'projects'), isPartial(error) ? 'retry' : 'mend');
      }
    }
    return opened;
  }

  /** Imports the keys of a project. They come with the projects, before any error. */
  async #prepare(context: ProjectContext, opening: Opening): Promise<void> {
    await switchOffInactive(context);
    if (opening === 'new') await reserveNumbers(context);
    if (this.#wants('keys')) await importKeys(context);
  }

  async #importProject(opened: OpenedProject): Promise<void> {
    const { deps, key } = this.#run;
    const record = this.#record;
    const context = await record.reopen(opened);
    const { state } = context;
    let isThrough = true;
    const index = await new LikenessIndex(deps.store, projectKey(key, state.slug, state.projectId)).open();
    for (const { name, part, work } of PROJECT_STAGES) {
      const stage = context.stage(name);
      if (stage.finished || !this.#wants(part)) continue;
      record.signal.throwIfAborted();
      await record.enter(name, context);
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
    await record.enter(null, context);
    await listUnaccounted(context);
    state.finishedAt = isThrough ? deps.clock.now() : null;
    await context.stepDone();
  }

  /** Runs a stage. False: the tracker refuses it, which is listed, and a further run tries it again. */
  async #partly(context: ProjectContext, name: StageName, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isPartial(error) || this.#record.signal.aborted) throw error;
      context.refuse('issues', name, error);
      return false;
    }
  }

  #wants(part: ImportPart): boolean {
    return this.#run.options.only?.includes(part) ?? true;
  }
}
