import { LRUCache } from 'lru-cache';
import type { AppError } from '../domain/app-error.ts';
import { isForwardPending } from '../domain/ingest/forward.ts';
import { grownTo } from '../lib/grown-to.ts';
import type { ImportDeps, ImportFrom, ImportOptions, StageName } from './import-run.ts';
import type { IssueMarks, Listing } from './state/issue-marks.ts';
import { leaveOut, type LeftOpen } from './state/left-outs.ts';
import { owe, type ProjectState, stageOf, type StageState } from './state/project-state.ts';
import { isForbidden, isInternal, isPartial, reasonOf, type ReadPart } from './tracker-failures.ts';
import { memberIds } from './member-ids.ts';
import type { ProjectsReader, TrackerReader } from './tracker-reader.ts';

/** Issues whose error is remembered from one stage to the next, about 100 bytes each. */
const MAX_REMEMBERED = 50_000;

/**
 * Numbers above an issue's that no error gets: the tracker gives them to its next issues while both are in use. Reserved
 * up to a multiple of the step, so that repeated passes mostly reserve nothing.
 */
const MIN_SPARE_NUMBERS = 50_000;
const NUMBER_STEP = 100_000;

/** Internal errors of the tracker in a row that end a run: it may be broken for some issues, or down. */
const MAX_INTERNAL_ERRORS = 10;

export interface ProjectRun<R extends ProjectsReader> {
  readonly deps: ImportDeps;
  readonly from: ImportFrom<R>;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
  readonly state: ProjectState;
  /** Marks of the project's issues, not opened yet. */
  readonly marks: IssueMarks;
  /** Saves the state of the project. */
  readonly save: () => Promise<void>;
  readonly report: () => void;
}

/** Answer of the tracker, or why there is none. `refused`: the token may not read the part, which is listed. */
export type Attempted<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed'; readonly error: AppError };

/** What the stages of one project share. */
export class ProjectContext<R extends ProjectsReader = TrackerReader> {
  readonly deps: ImportDeps;
  readonly from: ImportFrom<R>;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
  readonly state: ProjectState;
  /** Numbers of errors by id of their issue. */
  readonly errorIds = new LRUCache<string, string>(grownTo(MAX_REMEMBERED));
  /** Issues whose events this run has asked for. */
  readonly readIssues = new Set<string>();
  /** What the list of this run told of issues that are read again. */
  readonly listings = new Map<string, Listing>();
  readonly #run: ProjectRun<R>;
  #memberIds: Promise<ReadonlyMap<string, number>> | null = null;
  #marks: Promise<IssueMarks> | null = null;
  /** Greatest number that this run has reserved. */
  #reserved = 0;
  /** Internal errors of the tracker in a row. */
  #internalErrors = 0;

  constructor(run: ProjectRun<R>) {
    this.#run = run;
    this.deps = run.deps;
    this.from = run.from;
    this.options = run.options;
    this.signal = run.signal;
    this.state = run.state;
  }

  get projectId(): number {
    return this.state.projectId;
  }

  /** Slug of the project in the tracker. */
  get slug(): string {
    return this.state.slug;
  }

  stage(name: StageName): StageState {
    return stageOf(this.state, name);
  }

  /** Returns the ids of the project's members by their e-mail address in lower case; read once. */
  memberIds(): Promise<ReadonlyMap<string, number>> {
    this.#memberIds ??= memberIds(this.deps.store, this.projectId);
    return this.#memberIds;
  }

  /** Returns what is remembered of the project's issues; read once. */
  marks(): Promise<IssueMarks> {
    this.#marks ??= this.#run.marks.open();
    return this.#marks;
  }

  leaveOut(what: string, reason: string, open?: LeftOpen): void {
    leaveOut(this.state.leftOut, this.slug, what, reason, open);
  }

  /** Saves the state after a step that is complete, and reports it. */
  async stepDone(): Promise<void> {
    this.signal.throwIfAborted();
    await this.#run.save();
    this.#run.report();
  }

  report(): void {
    this.#run.report();
  }

  /** Reads a part of the project. Undefined: it is left out, and listed; the next run tries it again. */
  async read<T>(part: ReadPart, what: string, request: () => Promise<T>): Promise<T | undefined> {
    const tried = await this.attempt(part, request);
    if (tried.kind === 'failed') this.refuse(part, what, tried.error);
    return tried.kind === 'read' ? tried.value : undefined;
  }

  /**
   * Reads a part of an issue. Undefined: it is missing, and the issue is read again by the next run. Throws the failure
   * when too many issues are read again already.
   */
  async readOf<T>(issueId: string, part: ReadPart, what: string, request: () => Promise<T>): Promise<T | undefined> {
    const tried = await this.attempt(part, request);
    if (tried.kind === 'failed' && !owe(this.state, issueId, `${what}: ${reasonOf(tried.error, part)}`)) {
      throw tried.error;
    }
    return tried.kind === 'read' ? tried.value : undefined;
  }

  /**
   * Tries a request. A part that the token may not read is listed, and not asked for again in this run. Throws what ends
   * the run: the tracker is away, or fails for everything.
   */
  async attempt<T>(part: ReadPart, request: () => Promise<T>): Promise<Attempted<T>> {
    if (this.state.refused.includes(part)) return { kind: 'refused' };
    try {
      const value = await request();
      this.#internalErrors = 0;
      return { kind: 'read', value };
    } catch (error) {
      if (this.signal.aborted) throw error;
      if (isInternal(error)) {
        this.#internalErrors += 1;
        if (this.#internalErrors > MAX_INTERNAL_ERRORS) throw error;
        return { kind: 'failed', error };
      }
      if (!isPartial(error)) throw error;
      if (!isForbidden(error)) return { kind: 'failed', error };
      this.refuse(part, part, error);
      return { kind: 'refused' };
    }
  }

  /** Lists a part that is missing: for want of a scope, or because the tracker failed, so that the next run tries it. */
  refuse(part: ReadPart, what: string, error: AppError): void {
    const { refused, failed } = this.state;
    const isRefused = isForbidden(error);
    const list = isRefused ? refused : failed;
    if (!list.includes(part)) list.push(part);
    this.leaveOut(isRefused ? part : what, reasonOf(error, part), isRefused ? 'mend' : 'retry');
  }

  /**
   * Keeps the numbers of issues from being given to errors, so that the project's addresses with them keep their
   * meaning. Reserves some for issues that the tracker begins later, too.
   */
  async reserveNumber(issueId: string): Promise<void> {
    const number = /^\d{1,15}$/.test(issueId) ? Number(issueId) : 0;
    if (number === 0 || number + MIN_SPARE_NUMBERS <= this.#reserved) return;
    const upTo = Math.ceil((number + MIN_SPARE_NUMBERS) / NUMBER_STEP) * NUMBER_STEP;
    await this.deps.store.reserveErrorNumbers(upTo);
    this.#reserved = upTo;
  }

  /** True while the tracker may still get events that this store has counted. */
  async forwardPending(): Promise<boolean> {
    const { store, clock, forwardPending } = this.deps;
    if (forwardPending !== undefined) return forwardPending(this.projectId);
    return isForwardPending(await store.listForwardStates(this.projectId), clock.now());
  }
}
