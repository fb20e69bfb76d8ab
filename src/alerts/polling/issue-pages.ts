import { AppError } from '../../domain/app-error.ts';
import type { TrackedError } from '../../domain/errors/tracked-error.ts';
import type { ErrorSort } from '../../domain/search/error-query.ts';
import type { Page } from '../../domain/page.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';

/** List of a linked project, as a poll reads it. `cursor` null: the first page. */
export type ReadIssues = (
  status: ErrorStatus | 'all',
  sort: ErrorSort,
  cursor: string | null,
) => Promise<Pick<Page<TrackedError>, 'items' | 'next'>>;

export interface PagesRead {
  /** Each issue once, as it was when it was read last. */
  readonly issues: readonly TrackedError[];
  /** Cursor of the page behind those that were read; null: the list was read to its end. */
  readonly next: string | null;
}

interface PagesWanted {
  readonly status: ErrorStatus | 'all';
  readonly sort: ErrorSort;
  readonly maxPages: number;
  /** Returns whether the page behind this one is wanted. Default: always. */
  readonly more?: (page: readonly TrackedError[]) => boolean;
  /** Page to begin with; default: the first. */
  readonly cursor?: string | null;
}

/**
 * Reads pages of a list whose issues may move between pages meanwhile. A cursor that has become invalid ends it, as if
 * there were no further page.
 */
export async function readPages(read: ReadIssues, wanted: PagesWanted): Promise<PagesRead> {
  const { status, sort, maxPages, more = () => true } = wanted;
  const issues = new Map<string, TrackedError>();
  let cursor = wanted.cursor ?? null;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await read(status, sort, cursor).catch((error: unknown) => {
      if (cursor !== null && error instanceof AppError && error.code === 'bad_request') return null;
      throw error;
    });
    if (page === null) return { issues: [...issues.values()], next: null };
    for (const issue of page.items) issues.set(issue.id, issue);
    cursor = page.next;
    if (cursor === null || !more(page.items)) break;
  }
  return { issues: [...issues.values()], next: cursor };
}

/** Reads pages by the first event; null when the tracker has no such order. */
export async function readNewest(read: ReadIssues, wanted: Omit<PagesWanted, 'sort'>): Promise<PagesRead | null> {
  try {
    return await readPages(read, { ...wanted, sort: 'first_seen' });
  } catch (error) {
    if (error instanceof AppError && error.code === 'unsupported_by_tracker') return null;
    throw error;
  }
}
