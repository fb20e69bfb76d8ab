import { AppError } from '../../domain/app-error.ts';
import type { ImportSource } from '../../domain/imports/import.ts';
import type { BuildStore } from '../../domain/ports/stores/build-store.ts';
import type { LinkStore } from '../../domain/ports/stores/link-store.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { type DroppedErrors, droppedErrors } from '../dropped-text.ts';
import type { ChosenProject, ImportDeps, ImportFrom } from '../import-run.ts';
import type { FileRunEnd, Opening, RunRecord } from '../run-record.ts';
import { importKeys, switchOffInactive } from '../stages/import-keys.ts';
import { openProject, sharedTarget, type WantedProject, wantedProjects } from '../stages/import-projects.ts';
import { sourcesOf } from '../stages/target-project.ts';
import type { LeftOuts } from '../state/left-outs.ts';
import type { ProjectState } from '../state/project-state.ts';
import { runKey } from '../state/run-state.ts';
import { type ExportProjects, readExportProjects } from './export-projects.ts';
import { openExport } from './export-reader.ts';
import { type ExportContext, ExportRows } from './export-rows.ts';
import { takeActivity } from './exported-activity.ts';
import { type TakeUpload, takeBuilds, takeUploads } from './exported-builds.ts';
import { greatestNumber } from './exported-error.ts';
import { takeLinks } from './exported-links.ts';
import { eventCursor, takeComments, takeEvents, takeReleases, takeReports } from './exported-parts.ts';
import type { FileProjects } from './file-projects.ts';
import { inFileRun } from './file-run.ts';
import { type FormerRun, formerRunKey } from './former-run.ts';
import { ExportedErrors } from './exported-errors.ts';

export interface ImportExportDeps extends ImportDeps {
  readonly store: ImportDeps['store'] &
    Pick<LinkStore, 'projectLinks' | 'setProjectLinks' | 'putLinkedIssues'> &
    BuildStore &
    Pick<Store, 'getMeta' | 'bundle'>;
  /** Opens an upload of the export. Throws `bad_request` for one that cannot be used. */
  readonly takeUpload: TakeUpload;
}

export interface ImportExportOptions {
  /** By path or last segment of it there; null: all. */
  readonly projects: readonly Pick<ChosenProject, 'slug' | 'path'>[] | null;
  readonly onProgress?: (rows: number, total: number) => void;
  /** Interrupts the run, which the next one continues. */
  readonly signal?: AbortSignal;
}

export interface ImportedFile extends DroppedErrors {
  readonly projects: number;
  readonly keys: number;
  readonly errors: { readonly created: number; readonly updated: number };
  readonly events: number;
  readonly releases: number;
  readonly comments: number;
  /** Reports of users, which become notes. */
  readonly reports: number;
  /** Entries of activity logs. */
  readonly activity: number;
  /** Releases that builds announced, and uploads of build tools. */
  readonly builds: number;
  readonly uploads: number;
  /** Errors whose next events begin an error of their own, because the export does not show their grouping key. */
  readonly unjoined: number;
  readonly left: LeftOuts;
}

/** Exports have no organization. */
const ORGANIZATION = '';

/**
 * Takes over an export of errgate: projects, errors with their counts, statuses and merges, bodies of events, releases,
 * comments, reports, activity logs, and what builds announced and uploaded. May be repeated; the second time changes
 * nothing. A run that was killed is continued. Next events of an error are counted in it where the export shows its
 * grouping key, or the project has the same id here. One entry in memory per error. Throws as `openExport`, `conflict`
 * for an export of this store, whose events would count twice, and `conflict` while another process imports an export of
 * the same store, and when the run is cancelled.
 */
export async function importExport(
  deps: ImportExportDeps,
  path: string,
  options: ImportExportOptions,
): Promise<ImportedFile & FileRunEnd> {
  const { signal = new AbortController().signal } = options;
  const reader = await openExport(path, signal);
  const id = reader.manifest.store;
  if ((await deps.store.getMeta('export_id')) === id) {
    throw new AppError(
      'conflict',
      'the export is of this store, which has its events already. To go back to an earlier state use `errgate restore`',
    );
  }
  const read = await readExportProjects(reader, options.projects);
  const from = { reader: read.projects, url: id.slice(0, 64), organization: ORGANIZATION };
  const chosen = options.projects?.map((one) => `${one.slug}=${one.path ?? ''}`) ?? [];
  const key = runKey(from.url, from.organization);
  return inFileRun(deps, { from, key, formerKey: formerRunKey(id, chosen), signal }, (record, former) => {
    const rows = new ExportRows(reader, read.projects.skipped, record, options.onProgress);
    return new ExportImport(deps, from, read.rows, record, rows, former).run();
  });
}

/** Run of an import of an export. Its stages read one file after another, each for all projects. */
class ExportImport {
  readonly #deps: ImportExportDeps;
  readonly #from: ImportFrom<FileProjects>;
  readonly #projectRows: ExportProjects['rows'];
  readonly #former: FormerRun | null;
  readonly #record: RunRecord<FileProjects>;
  readonly #rows: ExportRows;
  /** Projects whose merges no run has made yet, although it may have created the errors. */
  readonly #unmerged = new Set<ExportContext>();
  #keys = 0;

  constructor(
    deps: ImportExportDeps,
    from: ImportFrom<FileProjects>,
    projectRows: ExportProjects['rows'],
    record: RunRecord<FileProjects>,
    rows: ExportRows,
    former: FormerRun | null,
  ) {
    this.#deps = deps;
    this.#from = from;
    this.#projectRows = projectRows;
    this.#record = record;
    this.#rows = rows;
    this.#former = former;
  }

  async run(): Promise<ImportedFile> {
    const { store } = this.#deps;
    const rows = this.#rows;
    for (const name of this.#from.reader.missing) {
      this.#record.leaveOut(name, 'the project', 'it is not in the export', 'mend');
    }
    const sources = await sourcesOf(store, this.#from);
    const wanted = await this.#wantedProjects(sources);
    // Before any key is accepted, with which an event could begin an error.
    await this.#reserveNumbers();
    await this.#openProjects(wanted, sources);
    await takeReleases(store, rows);
    const errors = new ExportedErrors(this.#deps, rows, this.#unmerged);
    await errors.take();
    await takeComments(store, rows);
    await takeReports(store, rows);
    const activity = await takeActivity(store, rows);
    const builds = await takeBuilds(store, rows);
    // Before the events, so that those are shown mapped from the first on.
    const uploads = await takeUploads(store, rows, this.#deps.takeUpload);
    await takeEvents(this.#deps, rows);
    for (const email of errors.notMembers) {
      const reason = `errors are assigned to ${email}, who is no member here: add them, and import again`;
      this.#record.leaveOut(null, 'assignee', reason);
    }
    for (const context of rows.projects.values()) await this.#endPass(context);
    return this.#result({ activity, builds, uploads });
  }

  /** Throws `conflict` when two would go to one path, before anything is written. */
  async #wantedProjects(sources: readonly ImportSource[]): Promise<WantedProject[]> {
    const from = this.#from;
    const { signal } = this.#record;
    const wanted = await wantedProjects(from, { projects: from.reader.chosen }, signal, () => undefined);
    const shared = await sharedTarget(this.#deps.store, from.organization, sources, wanted);
    if (shared !== null) throw new AppError('conflict', shared);
    return wanted;
  }

  async #openProjects(wanted: readonly WantedProject[], sources: ImportSource[]): Promise<void> {
    const { store } = this.#deps;
    const from = this.#from;
    const record = this.#record;
    for (const one of wanted) {
      record.signal.throwIfAborted();
      const opened = await openProject(this.#deps, from, sources, one, {});
      const { remote, project, problems, unusableIds } = opened;
      for (const problem of problems) record.leaveOut(remote.slug, 'new events', problem);
      for (const id of unusableIds) record.leaveOut(project.path, `alias "${id}"`, 'no DSN can have it');
      await takeLinks(store, project, this.#projectRows.get(remote.slug) ?? {}, record.state.leftOut);
      const context = await record.openProject(opened, (each, opening) => this.#prepare(each, opening));
      if (remote.id !== null) this.#rows.projects.set(remote.id, context);
      this.#rows.progressed();
    }
  }

  /** Adds the keys of a project. A resumed pass reads all parts again, so that it lists all that it leaves out. */
  async #prepare(context: ExportContext, opening: Opening): Promise<void> {
    context.state.leftOut = { items: [], more: 0 };
    delete context.state.dropped;
    const former = opening === 'new' ? this.#former : null;
    if (former !== null) {
      context.state.inactiveKey = former.inactiveKey;
      context.state.events.cursor = eventCursor(former.file, former.events);
    }
    // A person may have separated errors since.
    if (opening === 'repeated') context.state.merged = true;
    if (former !== null || (opening === 'resumed' && context.state.merged !== true)) this.#unmerged.add(context);
    await switchOffInactive(context);
    this.#keys += await importKeys(context);
  }

  /** Keeps former numbers from being given to other errors, so that addresses with them keep their meaning. */
  async #reserveNumbers(): Promise<void> {
    let greatest = 0;
    for await (const { row } of this.#rows.reader.lines('errors')) {
      this.#record.signal.throwIfAborted();
      greatest = Math.max(greatest, greatestNumber(row));
    }
    if (greatest > 0) await this.#deps.store.reserveErrorNumbers(greatest);
  }

  async #endPass(context: ExportContext): Promise<void> {
    const { state } = context;
    state.bodies = context.stage('events').done;
    state.notes = context.stage('comments').done + context.stage('reports').done;
    state.releases = context.stage('releases').done;
    state.events.cursor = null;
    delete state.leftEvents;
    state.finishedAt = this.#deps.clock.now();
    await context.stepDone();
  }

  #result(read: Pick<ImportedFile, 'activity' | 'builds' | 'uploads'>): ImportedFile {
    const contexts = [...this.#rows.projects.values()];
    const sum = (of: (state: ProjectState) => number): number =>
      contexts.reduce((total, { state }) => total + of(state), 0);
    const done = (name: 'comments' | 'reports'): number => sum(({ stages }) => stages[name]?.done ?? 0);
    return {
      projects: contexts.length,
      keys: this.#keys,
      errors: { created: sum(({ created }) => created), updated: sum(({ updated }) => updated) },
      events: sum(({ bodies }) => bodies),
      releases: sum(({ releases }) => releases),
      comments: done('comments'),
      reports: done('reports'),
      ...read,
      unjoined: sum(({ unjoined, unjoinedMore }) => unjoined.length + unjoinedMore),
      ...droppedErrors(this.#rows.droppedErrors),
      left: this.#record.left(contexts.map(({ state }) => state)),
    };
  }
}
