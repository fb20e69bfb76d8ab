import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../domain/app-error.ts';
import type { StatusDetails } from '../domain/error-state.ts';
import type { ErrorBackend, IntegratedErrors } from '../domain/ports/error-backend.ts';
import { MAX_BULK, MAX_BULK_STEP, type StatusBefore } from '../domain/ports/list-store.ts';
import type { Project } from '../domain/project.ts';
import type { ErrorSelection, ErrorStatus } from '../domain/tracked-error.ts';
import type { BulkChange } from './bulk-request.ts';

/** Former state of errors; only what was changed is present. */
export interface FormerState {
  readonly status?: ErrorStatus;
  /** Null: none. */
  readonly details?: StatusDetails | null;
  readonly assignee?: number | null;
  readonly reviewed?: boolean;
}

export interface BulkResult {
  readonly changed: number;
  /** Errors that were so already, and ids that are unknown. */
  readonly unchanged: number;
  readonly failed: readonly { readonly ids: readonly string[]; readonly message: string }[];
  readonly previous: readonly (FormerState & { readonly ids: readonly string[] })[];
}

export interface BulkDeps {
  readonly project: Project;
  readonly backend: Pick<ErrorBackend, 'setStatuses'>;
  /** Null where an external tracker stores the errors. */
  readonly errors: Pick<IntegratedErrors, 'matching' | 'assignAll' | 'reviewAll' | 'removeAll'> | null;
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

interface StepResult {
  readonly changed: readonly { readonly id: string; readonly former: FormerState | null }[];
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

function sameDetails(a: StatusDetails | null, b: StatusDetails | undefined): boolean {
  const { afterRelease: _after, ...former } = a ?? {};
  return isDeepStrictEqual(former, b ?? {});
}

/** Review that a change has ended, because it counts as a look. */
function reviewOf({ forReview }: Pick<StatusBefore, 'forReview'>): Pick<FormerState, 'reviewed'> {
  return forReview ? { reviewed: false } : {};
}

async function setStatuses(
  { backend, project, userId }: BulkDeps,
  ids: readonly string[],
  { status, details }: BulkChange & { readonly kind: 'status' },
): Promise<StepResult> {
  const change = { userId, ...(details === undefined ? {} : { details }) };
  const results = await backend.setStatuses(project, ids, status, change);
  const changed = results.flatMap(({ errorId: id, before }) =>
    before === null || (before.status === status && sameDetails(before.details ?? null, details))
      ? []
      : [{ id, former: { status: before.status, details: before.details ?? null, ...reviewOf(before) } }],
  );
  const failed = results.flatMap(({ errorId: id, failure }) => (failure === null ? [] : [{ id, message: failure }]));
  return { changed, failed };
}

const IN_TRACKER = 'Only the status of errors of a third-party tracker can be changed here: use the tracker';

async function step(deps: BulkDeps, ids: readonly string[], change: BulkChange): Promise<StepResult> {
  if (change.kind === 'status') return setStatuses(deps, ids, change);
  const { errors, project, userId } = deps;
  if (errors === null) throw new AppError('unsupported_by_tracker', IN_TRACKER);
  switch (change.kind) {
    case 'assignee': {
      const before: StatusBefore[] = await errors.assignAll(project, ids, change.assigneeId, userId);
      const changed = before.filter(({ assigneeId }) => assigneeId !== change.assigneeId);
      return {
        changed: changed.map(({ errorId: id, assigneeId, ...before }) => ({
          id,
          former: { assignee: assigneeId, ...reviewOf(before) },
        })),
        failed: [],
      };
    }
    case 'reviewed': {
      const changed = await errors.reviewAll(project, ids, change.reviewed);
      return { changed: changed.map((id) => ({ id, former: { reviewed: !change.reviewed } })), failed: [] };
    }
    case 'delete': {
      const deleted = await errors.removeAll(project, ids, change.discard, userId);
      return { changed: ids.slice(0, deleted).map((id) => ({ id, former: null })), failed: [] };
    }
  }
}

/** Collects the results of steps; errors with the same former state become one entry. */
class Results {
  /** Ids, each once: taking back may change several things of an error. */
  readonly #changed = new Set<string>();
  readonly #failed = new Map<string, string[]>();
  readonly #previous = new Map<string, { former: FormerState; ids: string[] }>();

  get isEmpty(): boolean {
    return this.#changed.size === 0;
  }

  add({ changed, failed }: StepResult): void {
    for (const { id, message } of failed) this.fail([id], message);
    for (const { id, former } of changed) {
      this.#changed.add(id);
      if (former === null) continue;
      const key = JSON.stringify(former);
      const entry = this.#previous.get(key) ?? { former, ids: [] };
      entry.ids.push(id);
      this.#previous.set(key, entry);
    }
  }

  fail(ids: readonly string[], message: string): void {
    this.#failed.set(message, [...(this.#failed.get(message) ?? []), ...ids]);
  }

  of(asked: number): BulkResult {
    const failed = [...this.#failed].map(([message, ids]) => ({ ids, message }));
    const failures = new Set(failed.flatMap(({ ids }) => ids).filter((id) => !this.#changed.has(id))).size;
    const previous = [...this.#previous.values()].map(({ former, ids }) => ({ ...former, ids }));
    const changed = this.#changed.size;
    return { changed, unchanged: Math.max(0, asked - changed - failures), failed, previous };
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
  const asked = new Set(planned.flatMap(({ ids }) => ids)).size;
  if (deps.errors === null && asked > MAX_IN_TRACKER) {
    throw new AppError('bad_request', `choose at most ${MAX_IN_TRACKER} errors of a third-party tracker at a time`);
  }
  const results = new Results();
  const steps = planned.flatMap(({ change, ids }) =>
    Array.from({ length: Math.ceil(ids.length / MAX_BULK_STEP) }, (_, n) => ({
      change,
      ids: ids.slice(n * MAX_BULK_STEP, (n + 1) * MAX_BULK_STEP),
    })),
  );
  for (const [at, { change, ids }] of steps.entries()) {
    try {
      results.add(await step(deps, ids, change));
    } catch (error) {
      if (results.isEmpty || !(error instanceof AppError)) throw error;
      for (const left of steps.slice(at)) results.fail(left.ids, error.message);
      break;
    }
  }
  return results.of(asked);
}
