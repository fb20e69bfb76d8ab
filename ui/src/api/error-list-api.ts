import { answered, api } from './client.ts';
import type { ListParameters, NewStatusDetails } from './errors-api.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
export type ErrorCounts = Schemas['ErrorCounts'];
export type SearchKeys = Schemas['SearchKeys'];
export type BulkAction = Omit<Schemas['BulkAction'], 'status_details'> & { readonly status_details?: NewStatusDetails };
export type BulkResult = Schemas['BulkResult'];

/** Filters of the list, without its order and its page. */
export type ListFilters = Omit<ListParameters, 'sort' | 'per_page' | 'cursor'> & {
  readonly status: NonNullable<ListParameters['status']>;
};

/** Takes the filters out of the parameters of a list. */
export function filtersOf({ sort: _, per_page: __, cursor: ___, ...filters }: ListParameters): ListFilters {
  return { ...filters, status: filters.status ?? 'unresolved' };
}

/** Counts the errors of each tab that match the filters. Only for projects whose errors are stored here. */
export async function countErrors(project: string, filters: ListFilters, signal: AbortSignal): Promise<ErrorCounts> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/errors/counts', {
      params: { path: { id: project }, query: filters },
      signal,
    }),
  );
  return data;
}

/** Lists the keys and tags by which errors of the project can be searched. */
export async function listSearchKeys(project: string, signal: AbortSignal): Promise<SearchKeys> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/search_keys', { params: { path: { id: project } }, signal }),
  );
  return data;
}

/** Suggests values of a key or a tag. */
export async function listSearchValues(
  project: string,
  key: string,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/search_values', {
      params: { path: { id: project }, query: { key, ...(prefix === '' ? {} : { prefix }) } },
      signal,
    }),
  );
  return data.values;
}

/** Changes many errors at once. The answer has the states before, for `restore`. */
export async function changeErrors(project: string, action: BulkAction): Promise<BulkResult> {
  const { data } = await answered(
    api.POST('/api/v4/projects/{id}/error_tracking/errors/bulk', {
      params: { path: { id: project } },
      body: action as Schemas['BulkAction'],
    }),
  );
  return data;
}
