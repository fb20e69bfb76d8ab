import { listErrors, type TrackedError } from '../../api/errors-api.ts';
import { toParameters, type ListQuery } from './list-query.ts';

/** Loads the errors of all pages of a list, until there are more than `most`. Throws an `ApiFailure`. */
export async function allRows(project: string, query: ListQuery, most: number): Promise<readonly TrackedError[]> {
  const rows = new Map<string, TrackedError>();
  for (let cursor: string | null = ''; cursor !== null && rows.size <= most;) {
    const page = await listErrors(project, toParameters({ ...query, per_page: '100', cursor }));
    for (const row of page.errors) rows.set(row.id, row);
    cursor = page.next;
  }
  return [...rows.values()];
}
