import type { StartedService } from './service-process.ts';

/**
 * Reads all rows of a paged answer by its `Link` headers. `rowsOf` finds the rows in a body that is no plain list.
 * Throws for any status except 200.
 */
export async function readPages<T>(
  service: StartedService,
  path: string,
  rowsOf: (body: unknown) => T[] = (body) => body as T[],
): Promise<T[]> {
  const rows: T[] = [];
  let next: string | null = path;
  while (next !== null) {
    const answer: Response = await fetch(service.url + next, { headers: { 'PRIVATE-TOKEN': service.first.token } });
    if (!answer.ok) throw new Error(`GET ${next} answered ${answer.status}: ${await answer.text()}`);
    rows.push(...rowsOf(await answer.json()));
    const link: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    next = link === undefined ? null : new URL(link).pathname + new URL(link).search;
  }
  return rows;
}
