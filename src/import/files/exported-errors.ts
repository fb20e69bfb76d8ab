import { AppError } from '../../domain/app-error.ts';
import type { NewAlias } from '../../domain/imports/import.ts';
import type { LinkStore } from '../../domain/ports/stores/link-store.ts';
import type { ImportDeps } from '../import-run.ts';
import { putImported } from '../stages/put-issue.ts';
import { setJoined } from '../state/project-state.ts';
import { linkedIssuesOf } from './exported-links.ts';
import { charts, hashHere, NUMBER, toError } from './exported-error.ts';
import type { ExportContext, ExportRows, KnownError } from './export-rows.ts';
import { countOf, type FileRow, formOf, memberOf, objectsOf } from './row-values.ts';

interface ErrorsDeps extends Pick<ImportDeps, 'clock'> {
  readonly store: ImportDeps['store'] & Pick<LinkStore, 'putLinkedIssues'>;
}

/** Merge of an error with its root, by the ids of the export. */
interface Merge {
  readonly root: string;
  readonly member: string;
}

/**
 * Takes errors of an export over with their counts, statuses, marks, links and merges. The counts are those of one
 * moment and exact for every hour, so they are taken as they are, and once; no events have to stand still for them.
 */
export class ExportedErrors {
  readonly #deps: ErrorsDeps;
  readonly #rows: ExportRows;
  /** Projects whose merges may be missing, also of errors that were created earlier. */
  readonly #unmerged: ReadonlySet<ExportContext>;
  readonly #merges: Merge[] = [];
  /** Former id of the root, by the new ids of merged errors. */
  readonly #roots = new Map<string, string>();
  /** E-mail addresses of assignees that are no members. */
  readonly notMembers = new Set<string>();

  constructor(deps: ErrorsDeps, rows: ExportRows, unmerged: ReadonlySet<ExportContext>) {
    this.#deps = deps;
    this.#rows = rows;
    this.#unmerged = unmerged;
  }

  async take(): Promise<void> {
    for (const { state } of this.#rows.projects.values()) {
      state.created = state.updated = state.counted = state.unjoinedMore = 0;
      state.unjoined = [];
    }
    await this.#rows.each('errors', (row) => this.#takeError(row));
    const { signal } = this.#rows;
    for (const { root, member } of this.#merges) {
      signal.throwIfAborted();
      const [one, two] = [this.#rows.errors.get(root), this.#rows.errors.get(member)];
      if (one !== undefined && two !== undefined) {
        await this.#mergeErrors(two.context.projectId, [one.errorId, two.errorId]);
      }
    }
    while ((await this.#deps.store.rollUpMerged()) > 0) signal.throwIfAborted();
    for (const context of this.#rows.projects.values()) {
      context.state.merged = true;
      await context.stepDone();
    }
  }

  async #takeError(row: FileRow): Promise<void> {
    const { store } = this.#deps;
    const own = memberOf(row, '_errgate');
    const id = formOf(row, 'id', NUMBER);
    const context = this.#rows.projectOf(own, `error ${id}`);
    if (context === null) return;
    const { projectId, state } = context;
    const error = toError(row, own, state.sourceId, this.#rows.at);
    const assigneeId = await this.#assigneeOf(context, error.assignee);
    const put = await putImported(context, assigneeId === undefined ? error : { ...error, assigneeId });
    if (put === null) {
      this.#rows.droppedErrors.add(id);
      return;
    }
    const known = { context, ...put };
    this.#rows.errors.set(id, known);
    context.stage('errors').done += 1;
    if (put.created) state.created += 1;
    else state.updated += 1;
    const members = await context.memberIds();
    const issues = linkedIssuesOf(own, this.#rows.at, members);
    if (issues.length > 0) await store.putLinkedIssues(projectId, put.errorId, issues);
    await this.#takeCounts(known, row, own);
    const root = own['merged_into'];
    if (typeof root === 'string') this.#roots.set(put.errorId, root);
    await this.#join(known, own);
    // A person may have separated the others since.
    const isNew = put.created || this.#unmerged.has(context);
    if (typeof root === 'string' && root !== id && isNew) this.#merges.push({ root, member: id });
  }

  /** Returns the member with an e-mail address; undefined: none. Addresses of others are named. */
  async #assigneeOf(context: ExportContext, assignee: string | null): Promise<number | undefined> {
    const email = assignee?.toLowerCase() ?? '';
    if (!email.includes('@')) return undefined;
    const userId = (await context.memberIds()).get(email);
    if (userId === undefined) this.notMembers.add(email);
    return userId;
  }

  async #takeCounts({ context, errorId, created }: KnownError, row: FileRow, own: FileRow): Promise<void> {
    const { store, clock } = this.#deps;
    const { projectId, state } = context;
    const { at } = this.#rows;
    const count = countOf(row, 'count');
    state.counted += count;
    const takenAt = created ? null : ((await store.importedOrigin(projectId, errorId))?.baseAt ?? null);
    // Counts of this export are taken once: events that were forwarded since are not in it.
    if (takenAt === at) return;
    if (takenAt === null && state.events.cursor !== null) {
      // Events of an error that was deleted since went with it. Saved before the counts show the error as known.
      state.events.cursor = null;
      await context.stepDone();
    }
    const result = await store.setBase(projectId, errorId, {
      count,
      users: countOf(row, 'userCount'),
      knownThere: await store.knownThere(projectId, errorId, clock.now()),
      at,
      ...charts(own, at),
    });
    const what = `count of error ${errorId}`;
    if (result === 'fewer') context.leaveOut(what, 'a later export counted more');
    if (result === 'moved') context.leaveOut(what, 'it changed meanwhile: run the import again', 'retry');
  }

  /** Adds the group hashes by which next events of the error come; merges with the error that has one already. */
  async #join({ context, errorId }: KnownError, own: FileRow): Promise<void> {
    const { projectId, state } = context;
    const groups = objectsOf(own, 'groups');
    const sameId = formOf(own, 'project_id', NUMBER) === String(projectId);
    const found = groups.map((group) => hashHere(projectId, group, sameId));
    const hashes = found.filter((hash) => hash !== null);
    if (hashes.length < groups.length) setJoined(state, errorId, false);
    const aliases = hashes.map((hash): NewAlias => ({ ...hash, origin: 'group_key', weak: false }));
    if (aliases.length === 0) return;
    const { store, clock } = this.#deps;
    const continued = groups.flatMap((group, index) => {
      const name = group['continued_by'];
      const by = typeof name === 'string' ? groups.findIndex(({ hash }) => hash === name) : -1;
      const [sent, mapped] = [found[index] ?? null, found[by] ?? null];
      return sent === null || mapped === null ? [] : [{ groupHash: sent.groupHash, mappedHash: mapped.groupHash }];
    });
    // Before the aliases, which mapped events of other faults might follow.
    if (continued.length > 0) await store.addContinuations(projectId, continued);
    for (const result of await store.addAliases(projectId, errorId, aliases, clock.now())) {
      if (result.kind === 'own_error') await this.#mergeErrors(projectId, [errorId, result.errorId]);
      if (result.kind === 'taken' && !this.#areMerged(errorId, result.errorId)) {
        context.leaveOut(`next events of error ${errorId}`, `they belong to error ${result.errorId}`);
      }
    }
  }

  /** Whether the export shows both as one merged error, whose members have the same group hashes. */
  #areMerged(one: string, other: string): boolean {
    const root = this.#roots.get(one);
    return root !== undefined && root === this.#roots.get(other);
  }

  /** Errors that are merged already stay so. */
  async #mergeErrors(projectId: number, errorIds: readonly string[]): Promise<void> {
    try {
      await this.#deps.store.mergeErrors(projectId, errorIds);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad_request') throw error;
      this.#rows.leaveOut(`merge of errors ${errorIds.join(' and ')}`, error.message);
    }
  }
}
