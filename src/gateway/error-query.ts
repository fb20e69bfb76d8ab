import type { ErrorQuery } from '../domain/tracked-error.ts';

type Filter = 'search' | 'environment' | 'release' | 'level' | 'cursor';

type AskedErrors = Omit<ErrorQuery, Filter> & { readonly [Name in Filter]?: ErrorQuery[Name] | undefined };

/** Returns the query of a list; omitted filters and a missing cursor are null. */
export function errorQuery({
  status,
  sort,
  search = null,
  environment = null,
  release = null,
  level = null,
  limit,
  cursor = null,
}: AskedErrors): ErrorQuery {
  return { status, sort, search, environment, release, level, limit, cursor };
}
