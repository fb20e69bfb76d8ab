import { AppError } from '../../../domain/app-error.ts';
import type { Counted, StatusDetails } from '../../../domain/errors/error-state.ts';
import { MAX_BULK, type StatusThen } from '../../../domain/ports/stores/list-store.ts';
import type { ErrorQuery, ErrorSelection } from '../../../domain/search/error-query.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import { bodyValidator } from '../../http/body-validator.ts';
import { isPlainErrorId } from '../../http/path-ids.ts';
import { errorQuery } from '../shared/error-query.ts';
import { bulkBodySchema, type BulkBody } from './bulk-schema.ts';
import { formerDetailsOf, statusDetailsOf } from './status-details.ts';

/** One change of many errors. Those that are no longer as in `from` are left as they are. */
export type BulkChange =
  | {
      readonly kind: 'status';
      readonly status: ErrorStatus;
      readonly details: StatusDetails | undefined;
      readonly from?: StatusThen;
      /** What had counted for the condition that is restored, by id. */
      readonly counted?: Readonly<Record<string, Counted>>;
    }
  | { readonly kind: 'assignee'; readonly assigneeId: number | null; readonly from?: number | null }
  | { readonly kind: 'reviewed'; readonly reviewed: boolean }
  | { readonly kind: 'delete'; readonly discard: boolean };

/** Which errors: named ones, or those that match at the time of the action. */
export type BulkScope =
  | { readonly ids: readonly string[] }
  /** The search of the selection is not read yet. `expected`: number that a person confirmed. */
  | { readonly selection: ErrorSelection; readonly expected: number };

export type BulkRequest =
  | { readonly change: BulkChange; readonly scope: BulkScope }
  /** Changes that take back an earlier one. */
  | { readonly restore: readonly { readonly change: BulkChange; readonly ids: readonly string[] }[] };

const validateBulk = bodyValidator(bulkBodySchema);

function invalid(message: string): AppError {
  return new AppError('invalid_parameter', message);
}

function idsOf(ids: readonly (string | number)[]): string[] {
  const texts = ids.map(String);
  if (!texts.every(isPlainErrorId)) throw invalid('ids is invalid');
  return [...new Set(texts)];
}

function changeOf(body: BulkBody, now: number): BulkChange {
  switch (body.action) {
    case 'status': {
      const { status } = body;
      if (status === undefined) throw invalid('status is missing');
      return { kind: 'status', status, details: statusDetailsOf(body, status, now) };
    }
    case 'assignee':
      if (body.user_id === undefined) throw invalid('user_id is missing');
      return { kind: 'assignee', assigneeId: body.user_id };
    case 'reviewed':
      if (body.reviewed === undefined) throw invalid('reviewed is missing');
      return { kind: 'reviewed', reviewed: body.reviewed };
    case 'delete':
    case 'discard':
      return { kind: 'delete', discard: body.action === 'discard' };
    case 'restore':
      throw invalid('restore is missing');
  }
}

type Filters = Parameters<typeof errorQuery>[0];

function selectionOf({ for_review, ...filters }: Partial<BulkBody['filters'] & object>): ErrorSelection {
  // An empty text is no filter, as in the query of a list.
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const asks = for_review === true || for_review === 'true' ? { for_review: true } : {};
  const asked = { status: 'unresolved', ...given, ...asks, sort: 'last_seen', limit: 1 } as Filters;
  const { sort: _sort, limit: _limit, cursor: _cursor, ...selection }: ErrorQuery = errorQuery(asked);
  return selection;
}

function scopeOf(body: BulkBody): BulkScope {
  if (body.ids !== undefined) {
    if (body.all_matching === true) throw invalid('ids and all_matching are given: give one of them');
    return { ids: idsOf(body.ids) };
  }
  if (body.all_matching !== true) throw invalid('ids is missing: give ids, or all_matching with filters');
  if (body.expected === undefined) throw invalid('expected is missing: give the number of errors that was confirmed');
  return { selection: selectionOf(body.filters ?? {}), expected: body.expected };
}

type Former = (BulkBody['restore'] & object)[number];

function parseCounted({ counted, ids }: Former): Readonly<Record<string, Counted>> | null {
  if (counted === undefined) return null;
  if (counted.length !== ids.length) throw invalid('restore.counted is invalid: give one entry for each of ids');
  return Object.fromEntries(ids.map((id, at) => [id, counted[at] ?? { events: 0, users: 0 }]));
}

/** Changes that bring a former state back, while the error is as in `now`. */
function changesBack(former: Former): BulkChange[] {
  const { status, status_details, assignee, reviewed, now = {} } = former;
  const changes: BulkChange[] = [];
  if (status !== undefined) {
    const counted = parseCounted(former);
    const { status: then, status_details: given } = now;
    const compared = then === undefined || given === undefined ? {} : { details: formerDetailsOf({ ...given }, then) };
    changes.push({
      ...{ kind: 'status', status, details: formerDetailsOf({ ...status_details }, status) ?? undefined },
      ...(then === undefined ? {} : { from: { status: then, ...compared } }),
      ...(counted === null ? {} : { counted }),
    });
  }
  if (assignee !== undefined) {
    const from = now.assignee === undefined ? {} : { from: now.assignee };
    changes.push({ kind: 'assignee', assigneeId: assignee, ...from });
  }
  if (reviewed !== undefined) changes.push({ kind: 'reviewed', reviewed });
  return changes;
}

function restoreOf(entries: BulkBody['restore'] & object): BulkRequest {
  const restore = entries.flatMap((former) => {
    const ids = idsOf(former.ids);
    return changesBack(former).map((change) => ({ change, ids }));
  });
  const errors = new Set(restore.flatMap(({ ids }) => ids)).size;
  if (errors > MAX_BULK) throw invalid(`restore has more than ${MAX_BULK} errors`);
  return { restore };
}

/** Reads the body of a bulk action. Throws `invalid_parameter` for anything but one complete action. */
export function bulkRequestOf(rawParameters: Readonly<Record<string, unknown>>, now: number): BulkRequest {
  const body = validateBulk(rawParameters);
  if (body.action === 'restore' && body.restore !== undefined) return restoreOf(body.restore);
  return { change: changeOf(body, now), scope: scopeOf(body) };
}
