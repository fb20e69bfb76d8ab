import type { ExportBounds } from '../../../domain/ports/export-source.ts';
import { reading } from '../engine/operation-options.ts';

/** What was stored when the source was opened. */
export interface Start {
  readonly at: number;
  /** Greatest number of an error. */
  readonly lastError: number;
  readonly projectIds: readonly number[];
}

/** Returns the projects of the bounds that were there. */
export function within({ projectIds }: Start, { projectId }: ExportBounds): readonly number[] {
  return projectId === null ? projectIds : projectIds.filter((id) => id === projectId);
}

/** Options of a read that takes as long as the export: the server's limit is for all batches of a cursor together. */
export function long(name: Parameters<typeof reading>[0], projection?: Readonly<Record<string, unknown>>) {
  const { maxTimeMS: _, ...options } = reading(name, projection);
  return options;
}

/** Collects documents of a cursor to pages. */
export async function* paged<T>(cursor: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const one of cursor) {
    page.push(one);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
