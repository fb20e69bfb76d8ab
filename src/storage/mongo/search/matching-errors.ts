import type { StatusBefore } from '../../../domain/ports/stores/list-store.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import type { ErrorSelection } from '../../../domain/search/error-query.ts';
import { statusName } from '../../errors/error-status.ts';
import { asksReview } from '../../state/marks.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { ERROR_KEYS } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import { selectedErrors, type SelectedErrors } from './selected-errors.ts';

/** Members that `toStatusBefore` reads; `g.ask` stands for `g`. */
export const STATE_MEMBERS = { st: 1, det: 1, as: 1, ask: 1, 'g.ask': 1 } as const;
export type StateMembers = 'st' | 'det' | 'as' | 'ask' | 'g';

/** Members of an error that tell its state, for `toStatusBefore`. */
export const STATE_ROW = { id: 1, ...STATE_MEMBERS, 'g.c': 1 } as const;
export type StateRow = Pick<ErrorDocument, '_id' | 'id' | StateMembers>;

/** Returns the errors with numbers greater than `after`, lowest first, before any check. */
async function statesAfter(
  context: MongoContext,
  p: number,
  selected: SelectedErrors,
  after: number,
  limit: number,
): Promise<StateRow[]> {
  const { codes, filterOf, only } = selected;
  const id = only === null ? { $gt: after } : { $in: only.filter((each) => each > after) };
  const read = (filter: object, name: 'errors.matching' | 'errors.matching_merged') =>
    context.collections.errors
      .find<StateRow>({ p, id, st: { $in: [...codes] }, ...filter }, reading(name, STATE_ROW))
      .hint(ERROR_KEYS.byNumber)
      .sort({ id: 1 })
      .limit(limit)
      .batchSize(limit)
      .toArray();
  const rows = await Promise.all([
    read({ ...filterOf(''), into: null }, 'errors.matching'),
    read({ ...filterOf('g.'), g: { $exists: true } }, 'errors.matching_merged'),
  ]);
  return rows
    .flat()
    .sort((a, b) => a.id - b.id)
    .slice(0, limit);
}

export async function matchingErrors(
  context: MongoContext,
  p: number,
  selection: ErrorSelection,
  after: number,
  limit: number,
  now: number,
): Promise<StatusBefore[]> {
  const selected = await selectedErrors(context, p, selection, now);
  if (selected === null) return [];
  const found: StateRow[] = [];
  for (let at = after; found.length < limit;) {
    const rows = await statesAfter(context, p, selected, at, limit);
    found.push(...(selected.check === null ? rows : await selected.check(rows)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) break;
    at = last.id;
  }
  return found.slice(0, limit).map((row) => toStatusBefore(row, now));
}

export function toStatusBefore(
  { id, st, det, as, ask, g }: Pick<ErrorDocument, 'id' | StateMembers>,
  now: number,
): StatusBefore {
  return {
    errorId: String(id),
    status: statusName(st),
    details: parseDetails(det ?? null),
    assigneeId: as ?? null,
    forReview: asksReview(statusName(st), g?.ask ?? ask ?? null, now),
  };
}
