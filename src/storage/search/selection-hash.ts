import { seenBounds, type ErrorQuery } from '../../domain/search/error-query.ts';
import { queryHash } from '../errors/cursor.ts';
import { searchWords } from './search-text.ts';

/**
 * Hashes what a list of errors selects, and its order, for cursors. A search that was read counts as it was written,
 * because its times and releases are others on the next page.
 */
export function selectionHash(projectId: number, query: ErrorQuery): string {
  const { sort, asked } = query;
  const { status, environment, release, level, range = null, forReview = false, ...selection } = asked ?? query;
  const searched =
    asked === undefined
      ? [JSON.stringify(query.conditions ?? []), ...searchWords(query.search)]
      : ['asked', asked.search];
  return queryHash([
    ...[projectId, status, sort, environment, release, level, ...seenBounds(selection)],
    ...[range, forReview ? 1 : 0, ...searched],
  ]);
}
