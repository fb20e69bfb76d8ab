import type { StatusBefore } from '../../../domain/ports/list-store.ts';
import { parseDetails } from '../../../domain/status-details.ts';
import { MAX_TAB_COUNT, type ErrorSelection, type TabCounts } from '../../../domain/tracked-error.ts';
import { statusName } from '../../error-status.ts';
import { asksReview } from '../../state/marks.ts';
import type { MongoContext } from '../context.ts';
import type { ErrorDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';
import { selectedErrors, type SelectedErrors } from './selected-errors.ts';

/** Counts the errors of each tab; each count ends at MAX_TAB_COUNT. */
export async function countTabs(
  context: MongoContext,
  p: number,
  selection: ErrorSelection,
  now: number,
): Promise<TabCounts> {
  const { forReview: _forReview, ...rest } = selection;
  const count = async (tab: ErrorSelection): Promise<number> => {
    const selected = await selectedErrors(context, p, tab, now);
    return selected === null ? 0 : countSelected(context, p, selected);
  };
  const [unresolved, forReview, resolved, ignored] = await Promise.all([
    count({ ...rest, status: 'unresolved' }),
    count({ ...rest, status: 'unresolved', forReview: true }),
    count({ ...rest, status: 'resolved' }),
    count({ ...rest, status: 'ignored' }),
  ]);
  return { unresolved, forReview, resolved, ignored };
}

async function countSelected(context: MongoContext, p: number, selected: SelectedErrors): Promise<number> {
  if (selected.check !== null) {
    let count = 0;
    for (let after = 0; count < MAX_TAB_COUNT;) {
      const rows = await statesAfter(context, p, selected, after, MAX_TAB_COUNT);
      count += (await selected.check(rows)).length;
      const last = rows.at(-1);
      if (last === undefined || rows.length < MAX_TAB_COUNT) break;
      after = last.id;
    }
    return Math.min(count, MAX_TAB_COUNT);
  }
  const { errors } = context.collections;
  const [alone, merged] = filtersOf(p, selected);
  const counts = await Promise.all([
    errors.countDocuments(alone, { ...reading('errors.count'), limit: MAX_TAB_COUNT }),
    errors.countDocuments(merged, { ...reading('errors.count_merged'), limit: MAX_TAB_COUNT }),
  ]);
  return Math.min(MAX_TAB_COUNT, counts[0] + counts[1]);
}

/** Returns the filters of single errors and of displayed rows of merged ones. */
function filtersOf(p: number, { codes, filterOf, only }: SelectedErrors) {
  const st = { $in: [...codes] };
  const ids = only === null ? {} : { id: { $in: [...only] } };
  return [
    { p, st, into: null, ...ids, ...filterOf('') },
    { p, st, g: { $exists: true }, ...ids, ...filterOf('g.') },
  ] as const;
}

/** Members that `toStatusBefore` reads; `g.ask` stands for `g`. */
export const STATE_MEMBERS = { st: 1, det: 1, as: 1, ask: 1, 'g.ask': 1 } as const;
export type StateMembers = 'st' | 'det' | 'as' | 'ask' | 'g';

const STATE = { id: 1, ...STATE_MEMBERS, 'g.c': 1 } as const;
type StateRow = Pick<ErrorDocument, '_id' | 'id' | StateMembers>;

/** Returns the errors with numbers greater than `after`, lowest first, before any check. */
async function statesAfter(
  context: MongoContext,
  p: number,
  selected: SelectedErrors,
  after: number,
  limit: number,
): Promise<StateRow[]> {
  const [alone, merged] = filtersOf(p, selected);
  const read = (filter: object, name: 'errors.matching' | 'errors.matching_merged') =>
    context.collections.errors
      .find<StateRow>({ p, id: { $gt: after }, $and: [filter] }, reading(name, STATE))
      .hint('by_number')
      .sort({ id: 1 })
      .limit(limit)
      .toArray();
  const rows = await Promise.all([read(alone, 'errors.matching'), read(merged, 'errors.matching_merged')]);
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
