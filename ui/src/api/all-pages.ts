import type { Answered } from './client.ts';

/** Entries per request: the maximum of the service. */
const PER_PAGE = 100;

/** Reads all pages of a list that is paged by number. */
export async function allPages<T>(
  ask: (query: { readonly page: number; readonly per_page: number }) => Promise<Answered<T[]>>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, headers } = await ask({ page, per_page: PER_PAGE });
    all.push(...data);
    if ((headers.get('X-Next-Page') ?? '') === '') return all;
  }
}
