import type { ProjectContext } from '../project-context.ts';
import { readAhead } from '../../lib/read-ahead.ts';
import type { Walk } from '../state/project-state.ts';
import type { IssuePage } from '../tracker-reader.ts';

/** Milliseconds by which a pass of recent issues overlaps the one before: clocks differ, and trackers count late. */
export const OVERLAP_MS = 3_600_000;

export type OnPage = (page: IssuePage) => Promise<void>;

/**
 * Walks over all issues by first occurrence, which does not change. Goes on where the state says, and saves it after
 * each page.
 */
export async function walkAll(context: ProjectContext, walk: Walk, onPage: OnPage): Promise<void> {
  if (walk.cursor === null) walk.since = null;
  const pages = context.from.reader.issues(context.slug, 'all', walk.cursor, context.signal);
  for await (const page of readAhead(pages)) {
    walk.since ??= page.at;
    await onPage(page);
    walk.cursor = page.next;
    await context.stepDone();
  }
  walk.completeSince = walk.since;
  walk.cursor = null;
}

/**
 * Walks over the issues seen since a time, newest first; begins again when it was interrupted. Returns the time of the
 * first page, null without any.
 */
export async function walkRecent(context: ProjectContext, since: number, onPage: OnPage): Promise<number | null> {
  let begunAt: number | null = null;
  for await (const page of context.from.reader.issues(context.slug, 'recent', null, context.signal)) {
    begunAt ??= page.at;
    const recent = page.issues.filter(({ lastSeen }) => lastSeen >= since - OVERLAP_MS);
    await onPage({ ...page, issues: recent });
    await context.stepDone();
    if (recent.length < page.issues.length) break;
  }
  return begunAt;
}
