import type { ErrorQuery, ErrorStatus, Page, TrackedError } from '../../../domain/tracked-error.ts';
import { decodeCursor } from '../../cursor.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { selectionHash } from '../../selection-hash.ts';
import type { Collections } from '../collections.ts';
import type { MongoContext } from '../context.ts';
import { orderKey, type IndexKey } from '../error-indexes.ts';
import { itemsOf } from '../lists/error-items.ts';
import { errorPages, type ListOrder } from '../lists/error-pages.ts';
import { selectedErrors } from '../lists/selected-errors.ts';
import { reading } from '../operation-options.ts';
import type { QueryName } from '../query-names.ts';
import type { ErrorRow } from './error-rows.ts';
import { mongoPage } from './mongo-page.ts';

/** Returns the order of a list. Errors that are not ranked yet, or without events in the range, have no place in it. */
function orderOf({ sort, range }: ErrorQuery): ListOrder {
  switch (sort) {
    case 'last_seen':
      return { member: 'last.at', present: null, valueOf: ({ last }) => last.at };
    case 'first_seen':
      return { member: 'first.at', present: null, valueOf: ({ first }) => first.at };
    case 'users':
      return { member: 'u', present: null, valueOf: ({ u }) => u };
    case 'matters':
      return { member: 'rk', present: { $exists: true }, valueOf: ({ rk = 0 }) => rk };
    case 'frequency':
      return range === undefined
        ? { member: 'c', present: null, valueOf: ({ c }) => c }
        : { member: `rg.${range}`, present: { $gt: 0 }, valueOf: ({ rg }) => rg?.[range] ?? 0 };
  }
}

/** Returns one page of a project's errors; see the port for rows that move meanwhile. */
export async function listErrors(
  context: MongoContext,
  projectId: number,
  query: ErrorQuery,
  now: number,
): Promise<Page<TrackedError>> {
  const hash = selectionHash(projectId, query);
  const cursor = decodeCursor(query.cursor, hash, Number.isSafeInteger);
  const selected = await selectedErrors(context, projectId, query, now);
  const order = orderOf(query);
  const fetch = selected === null ? () => Promise.resolve([]) : errorPages(context, projectId, selected, order, hash);
  const placeOf = (row: ErrorRow) => ({ value: order.valueOf(row), id: row.id });
  const page = await mongoPage(fetch, placeOf, cursor, query.limit, hash);
  const toItem = await itemsOf(context, projectId, page.items, query.range, now);
  return { ...page, items: page.items.map(toItem) };
}

/** Counts single and merged errors; reads each index up to the limit. */
export async function countErrors(
  { collections }: MongoContext,
  projectId: number,
  status: ErrorStatus,
  limit: number,
): Promise<number> {
  const inStatus = { p: projectId, st: STATUS_CODES[status] };
  const counts = await Promise.all([
    count(collections, 'errors.count', { ...inStatus, into: null }, orderKey('last.at'), limit),
    count(collections, 'errors.count_merged', { ...inStatus, g: { $exists: true } }, orderKey('g.last.at'), limit),
  ]);
  return Math.min(limit, counts[0] + counts[1]);
}

function count(
  { errors }: Collections,
  name: QueryName,
  filter: object,
  hint: IndexKey,
  limit: number,
): Promise<number> {
  return errors.countDocuments(filter, { ...reading(name), hint, limit });
}
