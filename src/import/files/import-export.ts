import { AppError } from '../../domain/app-error.ts';
import type { NewAlias } from '../../domain/imports/import.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { LinkStore } from '../../domain/ports/stores/link-store.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { DigestRecord } from '../../integrated/digest/digested-record.ts';
import { sleep } from '../../lib/back-off.ts';
import { type DroppedErrors, droppedErrors } from '../dropped-text.ts';
import type { ChosenProject } from '../import-run.ts';
import { memberIds } from '../member-ids.ts';
import { type ErrorsStore, putError } from '../put-error.ts';
import { leaveOut, type LeftOuts } from '../state/left-outs.ts';
import { RunLease } from '../state/run-lease.ts';
import { ExportRows } from './export-rows.ts';
import { openExport, type ExportReader } from './export-reader.ts';
import { charts, greatestNumber, hashHere, NUMBER, toError } from './exported-error.ts';
import { takeActivity } from './exported-activity.ts';
import { takeComments, takeEvents, takeReleases, takeReports } from './exported-parts.ts';
import { linkedIssuesOf, takeLinks } from './exported-links.ts';
import { FileRun, fileRunKey } from './file-run.ts';
import { countOf, type FileRow, formOf, memberOf, objectsOf, textOf, wordOf } from './row-values.ts';
import { takeProject, type ProjectsStore } from './target-projects.ts';

export interface ImportExportDeps {
  readonly store: ErrorsStore &
    ProjectsStore &
    Pick<LinkStore, 'projectLinks' | 'setProjectLinks' | 'putLinkedIssues'> &
    Pick<
      Store,
      'acquireLease' | 'getMeta' | 'listMembers' | 'listUsers' | 'mergeErrors' | 'releaseLease' | 'rollUpMerged'
    >;
  readonly digest: DigestRecord;
  readonly clock: Clock;
  /** Name of this process: holder of the lease. */
  readonly owner: string;
}

export interface ImportExportOptions {
  /** By path or last segment of it there; null: all. */
  readonly projects: readonly Pick<ChosenProject, 'slug' | 'path'>[] | null;
  readonly onProgress?: (rows: number, total: number) => void;
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
  /** Errors whose next events begin an error of their own, because the export does not show their grouping key. */
  readonly unjoined: number;
  /** What does not work yet, as sentences. */
  readonly problems: readonly string[];
  readonly left: LeftOuts;
}

/**
 * Takes over an export of errgate: projects, errors with their counts, statuses and merges, bodies of events, releases,
 * comments, reports and activity logs. May be repeated; the second time changes nothing. A run that was killed is
 * continued. Next events of an error are counted in it where the export shows its grouping key, or the project has the
 * same id here. One entry in memory per error. Throws as `openExport`, `conflict` for an export of this store, whose events would count twice, and
 * `conflict` while another process imports the same export.
 */
export async function importExport(
  deps: ImportExportDeps,
  path: string,
  options: ImportExportOptions,
): Promise<ImportedFile> {
  const { store, owner } = deps;
  const reader = await openExport(path);
  if ((await store.getMeta('export_id')) === reader.manifest.store) {
    throw new AppError(
      'conflict',
      'the export is of this store, which has its events already. To go back to an earlier state use `errgate restore`',
    );
  }
  const chosen = options.projects?.map((one) => `${one.slug}=${one.path ?? ''}`) ?? [];
  const key = fileRunKey(reader.manifest.store, chosen);
  const lease = await RunLease.take({ store, key, owner, sleep, signal: new AbortController().signal });
  try {
    const run = await FileRun.open(store, key, reader.hash);
    const result = await new ExportImport(deps, run, reader, options, lease.signal).run();
    await run.finish();
    return result;
  } finally {
    await lease.release();
  }
}

interface Merge {
  readonly root: string;
  readonly member: string;
  readonly projectId: number;
}

class ExportImport {
  readonly #deps: ImportExportDeps;
  readonly #run: FileRun;
  readonly #rows: ExportRows;
  readonly #store: string;
  readonly #wanted: ImportExportOptions['projects'];
  readonly #at: number;
  readonly #problems: string[] = [];
  readonly #left: LeftOuts = { items: [], more: 0 };
  /** Former id of the root, by the new ids of merged errors. */
  readonly #roots = new Map<string, string>();
  /** Members by their e-mail addresses, of each project. */
  readonly #members = new Map<number, ReadonlyMap<string, number>>();
  /** E-mail addresses of assignees that are no members. */
  readonly #notMembers = new Set<string>();
  #unjoined = 0;

  constructor(
    deps: ImportExportDeps,
    run: FileRun,
    reader: ExportReader,
    { projects, onProgress }: ImportExportOptions,
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#run = run;
    this.#rows = new ExportRows(reader, this.#left, signal, onProgress);
    this.#store = reader.manifest.store.slice(0, 64);
    this.#wanted = projects;
    this.#at = this.#rows.at;
  }

  async run(): Promise<ImportedFile> {
    const rows = this.#rows;
    let keys = 0;
    await rows.each('projects', async (row) => {
      keys += await this.#takeProject(row);
    });
    for (const { slug } of this.#wanted ?? []) {
      if (!rows.foundNames.has(slug)) leaveOut(this.#left, slug, 'the project', 'it is not in the export');
    }
    await this.#reserveNumbers();
    const releases = await takeReleases(this.#deps.store, rows);
    const merges: Merge[] = [];
    await rows.each('errors', async (row) => {
      const merge = await this.#takeError(row);
      if (merge !== null) merges.push(merge);
    });
    for (const { projectId, root, member } of merges) await this.#merge(projectId, root, member);
    while ((await this.#deps.store.rollUpMerged()) > 0);
    const comments = await takeComments(this.#deps.store, rows);
    const reports = await takeReports(this.#deps.store, rows);
    const activity = await takeActivity(this.#deps.store, rows, async (projectId, email) =>
      (await this.#membersOf(projectId)).get(email.toLowerCase()),
    );
    const events = await takeEvents(this.#deps, this.#run, rows);
    for (const email of this.#notMembers) {
      this.#problems.push(`errors are assigned to ${email}, who is no member here: add them, and import again`);
    }
    const created = [...rows.errors.values()].filter((error) => error.created).length;
    return {
      projects: rows.projects.size,
      keys,
      errors: { created, updated: rows.errors.size - created },
      events,
      releases,
      comments,
      reports,
      activity,
      unjoined: this.#unjoined,
      ...droppedErrors(this.#rows.droppedErrors),
      problems: this.#problems,
      left: this.#left,
    };
  }

  /** Returns the number of new keys. */
  async #takeProject(row: FileRow): Promise<number> {
    const { store, clock } = this.#deps;
    const id = formOf(row, 'id', NUMBER);
    const theirs = textOf(row, 'path') ?? '';
    const path = this.#pathHere(theirs);
    if (path === null) {
      this.#rows.skippedProjects.add(id);
      return 0;
    }
    const aliases = row['alias_ids'];
    const { project, keys, problems } = await takeProject(
      store,
      this.#run,
      {
        path,
        name: textOf(row, 'name', 200) ?? path,
        visibility: wordOf(row, 'visibility', ['private', 'public']),
        monitorEnabled: row['monitor'] !== false,
        dsnIds: [id, ...(Array.isArray(aliases) ? aliases.map(String) : [])],
        keys: objectsOf(row, 'keys').map((key) => ({
          publicKey: textOf(key, 'public_key', 256) ?? '',
          active: key['active'] !== false,
          label: null,
        })),
      },
      this.#left,
    );
    this.#problems.push(...problems);
    await takeLinks(store, project, row, this.#left);
    const source = await store.addImportSource(
      {
        projectId: project.id,
        kind: 'errgate',
        url: this.#store,
        organization: '',
        project: theirs,
        externalProjectId: id,
      },
      clock.now(),
    );
    this.#rows.projects.set(id, { project, sourceId: source.id });
    return keys;
  }

  /** Null: the project is not wanted. */
  #pathHere(path: string): string | null {
    if (this.#wanted === null) return path;
    const slug = path.slice(path.lastIndexOf('/') + 1);
    const chosen = this.#wanted.find((one) => one.slug === path) ?? this.#wanted.find((one) => one.slug === slug);
    if (chosen === undefined) return null;
    this.#rows.foundNames.add(chosen.slug);
    return chosen.path ?? path;
  }

  /** Keeps former numbers from being given to other errors, so that addresses with them keep their meaning. */
  async #reserveNumbers(): Promise<void> {
    let greatest = 0;
    for await (const { row } of this.#rows.reader.lines('errors')) greatest = Math.max(greatest, greatestNumber(row));
    if (greatest > 0) await this.#deps.store.reserveErrorNumbers(greatest);
  }

  /** Returns the merge that the row is part of; null without one, and for one that a person may have changed since. */
  async #takeError(row: FileRow): Promise<Merge | null> {
    const { store } = this.#deps;
    const own = memberOf(row, '_errgate');
    const id = formOf(row, 'id', NUMBER);
    const known = this.#rows.projectOf(own, `error ${id}`);
    if (known === null) return null;
    const { project, sourceId } = known;
    const error = toError(row, own, sourceId, this.#at);
    const assigneeId = await this.#memberOf(project.id, error.assignee);
    const assigned = assigneeId === undefined ? error : { ...error, assigneeId };
    const put = await putError(this.#deps, project.id, assigned);
    if (put === null) {
      this.#rows.droppedErrors.add(id);
      return null;
    }
    this.#rows.errors.set(id, put);
    const issues = await linkedIssuesOf(own, this.#at, async (email) =>
      (await this.#membersOf(project.id)).get(email.toLowerCase()),
    );
    if (issues.length > 0) await store.putLinkedIssues(project.id, put.errorId, issues);
    await this.#takeCounts(project.id, project.path, put, row, own);
    const root = own['merged_into'];
    if (typeof root === 'string') this.#roots.set(put.errorId, root);
    await this.#join(project.id, project.path, put.errorId, own);
    const isNew = put.created || this.#run.resumed;
    return typeof root === 'string' && root !== id && isNew ? { root, member: id, projectId: project.id } : null;
  }

  /** Returns the member with an e-mail address; undefined: none. Addresses of others are named. */
  async #memberOf(projectId: number, assignee: string | null): Promise<number | undefined> {
    const email = assignee?.toLowerCase() ?? '';
    if (!email.includes('@')) return undefined;
    const members = await this.#membersOf(projectId);
    if (!members.has(email)) this.#notMembers.add(email);
    return members.get(email);
  }

  async #membersOf(projectId: number): Promise<ReadonlyMap<string, number>> {
    const members = this.#members.get(projectId) ?? (await memberIds(this.#deps.store, projectId));
    this.#members.set(projectId, members);
    return members;
  }

  async #takeCounts(
    projectId: number,
    path: string,
    { errorId, created }: { readonly errorId: string; readonly created: boolean },
    row: FileRow,
    own: FileRow,
  ): Promise<void> {
    const { store, clock } = this.#deps;
    const count = countOf(row, 'count');
    // Counts of this export are taken once: events that were forwarded since are not in it.
    if (!created && (await store.importedOrigin(projectId, errorId))?.baseAt === this.#at) return;
    const result = await store.setBase(projectId, errorId, {
      count,
      users: countOf(row, 'userCount'),
      knownThere: await store.knownThere(projectId, errorId, clock.now()),
      at: this.#at,
      ...charts(own, this.#at),
    });
    if (result === 'fewer') leaveOut(this.#left, path, `count of error ${errorId}`, 'a later export counted more');
    if (result === 'moved') {
      leaveOut(this.#left, path, `count of error ${errorId}`, 'it changed meanwhile: run the import again');
    }
  }

  /** Adds the group hashes by which next events of the error come; merges with the error that has one already. */
  async #join(projectId: number, path: string, errorId: string, own: FileRow): Promise<void> {
    const groups = objectsOf(own, 'groups');
    const sameId = formOf(own, 'project_id', NUMBER) === String(projectId);
    const hashes = groups.flatMap((group) => hashHere(projectId, group, sameId) ?? []);
    if (hashes.length < groups.length) this.#unjoined += 1;
    const aliases = hashes.map((hash): NewAlias => ({ ...hash, origin: 'group_key', weak: false }));
    if (aliases.length === 0) return;
    const { store, clock } = this.#deps;
    for (const result of await store.addAliases(projectId, errorId, aliases, clock.now())) {
      if (result.kind === 'own_error') await this.#mergeErrors(projectId, [errorId, result.errorId]);
      if (result.kind === 'taken' && !this.#areMerged(errorId, result.errorId)) {
        leaveOut(this.#left, path, `next events of error ${errorId}`, `they belong to error ${result.errorId}`);
      }
    }
  }

  /** Whether the export shows both as one merged error, whose members have the same group hashes. */
  #areMerged(one: string, other: string): boolean {
    const root = this.#roots.get(one);
    return root !== undefined && root === this.#roots.get(other);
  }

  async #merge(projectId: number, root: string, member: string): Promise<void> {
    const [one, two] = [this.#rows.errors.get(root), this.#rows.errors.get(member)];
    if (one !== undefined && two !== undefined) await this.#mergeErrors(projectId, [one.errorId, two.errorId]);
  }

  /** Errors that are merged already stay so. */
  async #mergeErrors(projectId: number, errorIds: readonly string[]): Promise<void> {
    try {
      await this.#deps.store.mergeErrors(projectId, errorIds);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
      leaveOut(this.#left, null, `merge of errors ${errorIds.join(' and ')}`, error.message);
    }
  }
}
