import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import type { ErrorQuery } from '../../../domain/search/error-query.ts';
import type { Page } from '../../../domain/page.ts';
import { decodeCursor } from '../../errors/cursor.ts';
import { selectionHash } from '../../search/selection-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { itemsOf } from './error-items.ts';
import { errorPages, orderOf } from './error-pages.ts';
import { selectedErrors } from '../search/selected-errors.ts';
import type { ErrorRow } from '../errors/error-rows.ts';
import { mongoPage } from '../engine/mongo-page.ts';

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
  const toItem = await itemsOf(context, page.items, query.range, now);
  return { ...page, items: page.items.map(toItem) };
}
