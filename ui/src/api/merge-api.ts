import { answered, api } from './client.ts';
import type { ErrorDetail } from './errors-api.ts';

/** Maximum of errors in one request, besides the one in its path. */
export const MAX_NAMED = 100;

/** Maximum of errors that one request merges. */
export const MAX_MERGED = MAX_NAMED + 1;

/** Checks the number of errors in one request against the limit. */
export function canMerge(ids: readonly string[]): boolean {
  return ids.length >= 2 && ids.length <= MAX_MERGED;
}

/** Merges errors into the one with the lowest id, and returns it. */
export async function mergeErrors(project: string, ids: readonly string[]): Promise<ErrorDetail> {
  const [first = '', ...others] = ids;
  const { data } = await answered(
    api.POST('/api/v4/projects/{id}/error_tracking/errors/{error_id}/merge', {
      params: { path: { id: project, error_id: first } },
      body: { ids: others },
    }),
  );
  return data;
}

/** Separates the named errors from the one they were merged into, with their former data. */
export async function unmergeErrors(project: string, errorId: string, ids: readonly string[]): Promise<ErrorDetail> {
  const { data } = await answered(
    api.POST('/api/v4/projects/{id}/error_tracking/errors/{error_id}/unmerge', {
      params: { path: { id: project, error_id: errorId } },
      body: { ids: [...ids] },
    }),
  );
  return data;
}
