import { LRUCache } from 'lru-cache';
import type { AppError } from '../domain/app-error.ts';
import { isForwardPending } from '../domain/forward.ts';
import type { ImportDeps, ImportFrom, ImportOptions, StageName } from './import-run.ts';
import { leaveOut } from './state/left-outs.ts';
import { type ProjectState, stageOf, type StageState } from './state/project-state.ts';
import { isForbidden, isInternal, isPartial, reasonOf, type ReadPart } from './tracker-failures.ts';
import { memberIds } from './member-ids.ts';

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

export interface ProjectRun {
  readonly deps: ImportDeps;
  readonly from: ImportFrom;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
  readonly state: ProjectState;
  /** Saves the state of the project. */
  readonly save: () => Promise<void>;
  readonly report: () => void;
}

/** What the stages of one project share. */
export class ProjectContext {
  readonly deps: ImportDeps;
  readonly from: ImportFrom;
  readonly options: ImportOptions;
  readonly signal: AbortSignal;
  readonly state: ProjectState;
  /** Numbers of errors by id of their issue. */
  readonly errorIds = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  readonly #run: ProjectRun;
  #memberIds: Promise<ReadonlyMap<string, number>> | null = null;
  /** Greatest number that this run has reserved. */
  #reserved = 0;
  /** Internal errors of the tracker in a row. */
  #internalErrors = 0;

  constructor(run: ProjectRun) {
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

  leaveOut(what: string, reason: string): void {
    leaveOut(this.state.leftOut, this.slug, what, reason);
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

  /**
   * Reads a part of an issue. Undefined: it is left out, and listed. A part that the token may not read is not asked for
   * again.
   */
  async read<T>(part: ReadPart, what: string, request: () => Promise<T>): Promise<T | undefined> {
    if (this.state.refused.includes(part)) return undefined;
    try {
      const answer = await request();
      this.#internalErrors = 0;
      return answer;
    } catch (error) {
      if (this.signal.aborted) throw error;
      if (isInternal(error)) this.#fail(part, error);
      else if (!isPartial(error)) throw error;
      this.refuse(part, what, error);
      return undefined;
    }
  }

  /** Notes a part for a further run. Throws when the tracker fails for everything. */
  #fail(part: ReadPart, error: AppError): void {
    this.#internalErrors += 1;
    if (this.#internalErrors > MAX_INTERNAL_ERRORS) throw error;
    if (!this.state.failed.includes(part)) this.state.failed.push(part);
  }

  /** Lists a failure of the tracker; keeps in mind a part that the token may not read. */
  refuse(part: ReadPart, what: string, error: AppError): void {
    const forbidden = isForbidden(error);
    if (forbidden && !this.state.refused.includes(part)) this.state.refused.push(part);
    this.leaveOut(forbidden ? part : what, reasonOf(error, part));
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
