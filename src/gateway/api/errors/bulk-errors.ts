import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../domain/app-error.ts';
import type { Counted, StatusDetails } from '../../../domain/errors/error-state.ts';
import type { ErrorBackend, FormerStatus, IntegratedErrors } from '../../../domain/ports/error-backend.ts';
import {
  MAX_BULK,
  MAX_BULK_STEP,
  type StatusBefore,
  type StatusThen,
} from '../../../domain/ports/stores/list-store.ts';
import type { Project } from '../../../domain/projects/project.ts';
import { countsOccurrences } from '../../../domain/errors/status-details.ts';
import type { ErrorSelection } from '../../../domain/search/error-query.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import type { BulkChange } from './bulk-request.ts';

/** Former state of errors; only what was changed is present. */
export interface FormerState {
  readonly status?: ErrorStatus;
  /** Null: none. */
  readonly details?: StatusDetails | null;
  readonly assignee?: number | null;
  readonly reviewed?: boolean;
  /** What the change has set. */
  readonly now?: StatusThen | { readonly assignee: number | null };
}

/** Errors that had the same former state. */
interface FormerErrors extends FormerState {
  readonly ids: readonly string[];
  /** What has counted for their condition, for each of `ids`; empty: they had none that counts. */
  readonly counted: readonly Counted[];
}

export interface BulkResult {
  readonly changed: number;
  /** Errors that were so already, and after deleting ids that are unknown. */
  readonly unchanged: number;
  /** Ids of errors that were changed meanwhile and stay as they are. Not part of `unchanged`. */
  readonly skipped: readonly string[];
  /** Ids that no error has, except after deleting. Not part of `unchanged`. */
  readonly gone: readonly string[];
  readonly failed: readonly { readonly ids: readonly string[]; readonly message: string }[];
  readonly previous: readonly FormerErrors[];
}

export interface BulkDeps {
  readonly project: Project;
  readonly backend: Pick<ErrorBackend, 'setStatuses'>;
  /** Null where an external tracker stores the errors. */
  readonly errors: Pick<IntegratedErrors, 'matching' | 'assignAll' | 'reviewAll' | 'removeAll' | 'unknown'> | null;
  readonly userId: number;
}

/** Maximum of errors of an external tracker in one action: each is a request to it. */
const MAX_IN_TRACKER = 100;

/** States read at a time. */
const PAGE = 1_000;

/** Part of the confirmed number by which the present one may differ. */
const TOLERANCE = 0.1;

/**
 * Returns the ids of all errors that a selection matches. Throws `bad_request` beyond MAX_BULK, and `conflict` with the
 * present number when it differs by more than a tenth from the expected one.
 */
export async function matchingIds(
  { errors, project }: BulkDeps,
  selection: ErrorSelection,
  expected: number,
): Promise<string[]> {
  if (errors === null) {
    const message = 'the connected third-party tracker cannot change all errors that match: choose errors of the list';
    throw new AppError('unsupported_by_tracker', message);
  }
  const ids: string[] = [];
  for (let after = 0; ids.length <= MAX_BULK;) {
    const page = await errors.matching(project, selection, after, PAGE);
    ids.push(...page.map(({ errorId }) => errorId));
    if (page.length < PAGE) break;
    after = Number(page.at(-1)?.errorId ?? 0);
  }
  if (ids.length > MAX_BULK) {
    throw new AppError('bad_request', `more than ${MAX_BULK} errors match: narrow the filters, then repeat`);
  }
  if (Math.abs(ids.length - expected) > expected * TOLERANCE) {
    const message = `${ids.length} errors match by now, and ${expected} were confirmed: confirm the new number`;
    throw new AppError('conflict', message, { details: { matching: ids.length } });
  }
  return ids;
}

interface Change {
  readonly id: string;
  /** Null: it cannot be taken back. */
  readonly former: FormerState | null;
  readonly counted?: Counted | null;
}

interface StepResult {
  readonly changed: readonly Change[];
  readonly failed: readonly { readonly id: string; readonly message: string }[];
  /** Errors that were no longer as in `from`. */
  readonly skipped: readonly string[];
  /** Errors that exist, as far as the step tells. */
  readonly known: readonly string[];
}

function sameDetails(a: StatusDetails | null, b: StatusDetails | undefined): boolean {
  const { afterRelease: _after, ...former } = a ?? {};
  return isDeepStrictEqual(former, b ?? {});
}

/** Whether an error had the status and details already. A condition that counts begins again. */
function wasSo(before: FormerStatus, status: ErrorStatus, details: StatusDetails | undefined): boolean {
  const former = before.details ?? null;
  if (before.status !== status) return false;
  if (before.set === undefined) return sameDetails(former, details);
  return isDeepStrictEqual(former, before.set) && !countsOccurrences(before.set);
}

/** Review that a change has ended, because it counts as a look. */
function reviewOf({ forReview }: Pick<StatusBefore, 'forReview'>): Pick<FormerState, 'reviewed'> {
  return forReview ? { reviewed: false } : {};
}

function formerOf(before: FormerStatus, status: ErrorStatus): FormerState {
  const now = { status, ...(before.set === undefined ? {} : { details: before.set }) };
  return { status: before.status, details: before.details ?? null, ...reviewOf(before), now };
}

async function setStatuses(
  { backend, project, userId }: BulkDeps,
  ids: readonly string[],
  { kind: _kind, status, details, ...guard }: BulkChange & { readonly kind: 'status' },
): Promise<StepResult> {
  const change = { userId, ...(details === undefined ? {} : { details }), ...guard };
  const results = await backend.setStatuses(project, ids, status, change);
  return {
    changed: results.flatMap(({ errorId: id, before }) =>
      before === null || before.skipped || wasSo(before, status, details)
        ? []
        : [{ id, former: formerOf(before, status), counted: before.counted }],
    ),
    failed: results.flatMap(({ errorId: id, failure }) => (failure === null ? [] : [{ id, message: failure }])),
    skipped: results.flatMap(({ errorId, before }) => (before?.skipped === true ? [errorId] : [])),
    known: results.map(({ errorId }) => errorId),
  };
}

const IN_TRACKER = 'Only the status of errors of a third-party tracker can be changed here: use the tracker';

async function step(deps: BulkDeps, ids: readonly string[], change: BulkChange): Promise<StepResult> {
  if (change.kind === 'status') return setStatuses(deps, ids, change);
  const { errors, project, userId } = deps;
  if (errors === null) throw new AppError('unsupported_by_tracker', IN_TRACKER);
  switch (change.kind) {
    case 'assignee': {
      const { assigneeId: assignee, from } = change;
      const before = await errors.assignAll(project, ids, assignee, userId, from);
      const changed = before.filter(({ skipped, assigneeId }) => !skipped && assigneeId !== assignee);
      return {
        changed: changed.map(({ errorId: id, assigneeId, ...rest }) => ({
          id,
          former: { assignee: assigneeId, ...reviewOf(rest), now: { assignee } },
        })),
        failed: [],
        skipped: before.filter(({ skipped }) => skipped).map(({ errorId }) => errorId),
        known: before.map(({ errorId }) => errorId),
      };
    }
    case 'reviewed': {
      const known = await errors.reviewAll(project, ids, change.reviewed);
      const changed = known.map((id) => ({ id, former: { reviewed: !change.reviewed } }));
      return { changed, failed: [], skipped: [], known };
    }
    case 'delete': {
      const deleted = await errors.removeAll(project, ids, change.discard, userId);
      const changed = ids.slice(0, deleted).map((id) => ({ id, former: null }));
      return { changed, failed: [], skipped: [], known: ids };
    }
  }
}

/** Collects the results of steps; errors with the same former state become one entry. */
class Results {
  /** Ids, each once: taking back may change several things of an error. */
  readonly #changed = new Set<string>();
  readonly #skipped = new Set<string>();
  readonly #known = new Set<string>();
  readonly #failed = new Map<string, string[]>();
  readonly #previous = new Map<string, { former: FormerState; ids: string[]; counted: Counted[] }>();

  get isEmpty(): boolean {
    return this.#changed.size === 0;
  }

  /** Returns true if the error changed in the meantime; then nothing of it is restored. */
  isSkipped(id: string): boolean {
    return this.#skipped.has(id);
  }

  /** Ids of which no step tells whether they exist. */
  unknownOf(asked: Iterable<string>): string[] {
    return [...asked].filter((id) => !this.#known.has(id));
  }

  add({ changed, failed, skipped, known }: StepResult): void {
    for (const id of skipped) this.#skipped.add(id);
    for (const id of known) this.#known.add(id);
    for (const { id, message } of failed) this.fail([id], message);
    for (const { id, former, counted = null } of changed) {
      this.#changed.add(id);
      if (former === null) continue;
      const key = JSON.stringify([former, counted === null]);
      const entry = this.#previous.get(key) ?? { former, ids: [], counted: [] };
      entry.ids.push(id);
      if (counted !== null) entry.counted.push(counted);
      this.#previous.set(key, entry);
    }
  }

  fail(ids: readonly string[], message: string): void {
    this.#failed.set(message, [...(this.#failed.get(message) ?? []), ...ids]);
    for (const id of ids) this.#known.add(id);
  }

  of(asked: number, gone: readonly string[]): BulkResult {
    const failed = [...this.#failed].map(([message, ids]) => ({ ids, message }));
    const failures = new Set(failed.flatMap(({ ids }) => ids).filter((id) => !this.#changed.has(id))).size;
    const previous = [...this.#previous.values()].map(({ former, ...errors }) => ({ ...former, ...errors }));
    const changed = this.#changed.size;
    const skipped = [...this.#skipped].filter((id) => !this.#changed.has(id));
    const unchanged = Math.max(0, asked - changed - failures - skipped.length - gone.length);
    return { changed, unchanged, skipped, gone, failed, previous };
  }
}

export interface PlannedChange {
  readonly change: BulkChange;
  readonly ids: readonly string[];
}

/**
 * Carries out changes in steps of MAX_BULK_STEP errors. A failure before anything was changed is thrown; a later one
 * ends the action and is in the result, so that what was changed can be taken back. In projects with an external tracker
 * throws `bad_request` beyond 100 errors, and `unsupported_by_tracker` for anything but a status.
 */
export async function changeErrors(deps: BulkDeps, planned: readonly PlannedChange[]): Promise<BulkResult> {
  const asked = new Set(planned.flatMap(({ ids }) => ids));
  if (deps.errors === null && asked.size > MAX_IN_TRACKER) {
    throw new AppError('bad_request', `choose at most ${MAX_IN_TRACKER} errors of a third-party tracker at a time`);
  }
  const results = new Results();
  const steps = planned.flatMap(({ change, ids }) => inSteps(ids).map((part) => ({ change, ids: part })));
  for (const [at, { change, ids }] of steps.entries()) {
    try {
      const left = ids.filter((id) => !results.isSkipped(id));
      if (left.length > 0) results.add(await step(deps, left, change));
    } catch (error) {
      if (results.isEmpty || !(error instanceof AppError)) throw error;
      for (const left of steps.slice(at)) results.fail(left.ids, error.message);
      break;
    }
  }
  return results.of(asked.size, await goneOf(deps, results.unknownOf(asked)));
}

function inSteps(ids: readonly string[]): string[][] {
  const steps = Math.ceil(ids.length / MAX_BULK_STEP);
  return Array.from({ length: steps }, (_, n) => ids.slice(n * MAX_BULK_STEP, (n + 1) * MAX_BULK_STEP));
}

/** Returns unknown ids; empty if the store fails, since the changes are already made. */
async function goneOf({ errors, project }: BulkDeps, ids: readonly string[]): Promise<readonly string[]> {
  if (errors === null) return ids;
  const gone: string[] = [];
  try {
    for (const step of inSteps(ids)) gone.push(...(await errors.unknown(project, step)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return gone;
}
