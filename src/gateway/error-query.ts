import type { ErrorQuery, SeenBounds, SeenFilter } from '../domain/tracked-error.ts';
import { definedMembers } from '../lib/defined-members.ts';

type Filter = 'search' | 'environment' | 'release' | 'level' | 'cursor';

type AskedErrors = Omit<ErrorQuery, Filter | keyof SeenBounds> & {
  readonly [Name in Filter]?: ErrorQuery[Name] | undefined;
} & { readonly [Name in SeenFilter]?: string | undefined };

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

/** Returns the query of a list; omitted filters and a missing cursor are null. Times are RFC 3339. */
export function errorQuery({
  status,
  sort,
  search = null,
  environment = null,
  release = null,
  level = null,
  limit,
  cursor = null,
  ...seen
}: AskedErrors): ErrorQuery {
  return {
    ...{ status, sort, search, environment, release, level, limit, cursor },
    ...definedMembers({
      firstSeenAfter: instant(seen.first_seen_after),
      firstSeenBefore: instant(seen.first_seen_before),
      lastSeenAfter: instant(seen.last_seen_after),
      lastSeenBefore: instant(seen.last_seen_before),
    }),
  };
}
