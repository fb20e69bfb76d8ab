import type { ErrorQuery, SeenBounds, SeenFilter } from '../../../domain/search/error-query.ts';
import { definedMembers } from '../../../lib/defined-members.ts';

type Filter = 'search' | 'environment' | 'release' | 'level' | 'cursor';

type AskedErrors = Omit<ErrorQuery, Filter | 'range' | 'forReview' | 'conditions' | 'asked' | keyof SeenBounds> & {
  readonly [Name in Filter]?: ErrorQuery[Name] | undefined;
} & { readonly [Name in SeenFilter]?: string | undefined } & {
  readonly range?: ErrorQuery['range'] | undefined;
  readonly for_review?: boolean | null | undefined;
};

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

/**
 * Returns the query of a list; omitted filters and a missing cursor are null. Times are RFC 3339. The search is as
 * given: `withSearchOf` reads it.
 */
export function errorQuery({
  status,
  sort,
  search = null,
  environment = null,
  release = null,
  level = null,
  limit,
  cursor = null,
  range,
  for_review,
  ...seen
}: AskedErrors): ErrorQuery {
  return {
    ...{ status, sort, search, environment, release, level, limit, cursor },
    ...definedMembers({
      range,
      firstSeenAfter: instant(seen.first_seen_after),
      firstSeenBefore: instant(seen.first_seen_before),
      lastSeenAfter: instant(seen.last_seen_after),
      lastSeenBefore: instant(seen.last_seen_before),
    }),
    ...(for_review === true ? { forReview: true as const } : {}),
  };
}
