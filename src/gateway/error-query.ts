import type { ErrorQuery } from '../domain/tracked-error.ts';

type Filter = 'search' | 'environment' | 'release' | 'level' | 'cursor';

type AskedErrors = Omit<ErrorQuery, Filter> & { readonly [Name in Filter]?: ErrorQuery[Name] | undefined };

/** What a list was asked for; filters and a cursor that are left out are null. */
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
