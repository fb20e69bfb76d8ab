import { readNewest, readPages, type ReadIssues } from './issue-pages.ts';
import { boundDraft, type PollDraft, type PollState } from './poll-state.ts';

/** Pages of a list that the first poll reads. */
const STOCK_PAGES = 5;
/**
 * Milliseconds before the first poll from which a first event counts as new: SDKs send events late, and clocks differ.
 */
const LATE_MS = 3_600_000;
/** Milliseconds for which trackers mark an issue as regressed. */
const MARK_MS = 7 * 86_400_000;

/**
 * Reads what is there before anything is reported. Whatever the number of issues, at most fifteen pages are read. Issues
 * outside of these pages are known by the time of their first event.
 */
export async function takeStock(read: ReadIssues, link: string, now: number): Promise<PollState> {
  const newest = await readNewest(read, { status: 'all', maxPages: 1 });
  const all = newest ?? (await readPages(read, { status: 'all', sort: 'last_seen', maxPages: STOCK_PAGES }));
  const unresolved = await readPages(read, { status: 'unresolved', sort: 'last_seen', maxPages: STOCK_PAGES });
  const resolved = await readPages(read, { status: 'resolved', sort: 'last_seen', maxPages: STOCK_PAGES });

  const issues = [...all.issues, ...unresolved.issues, ...resolved.issues];
  const newestSeen = Math.min(now, Math.max(...issues.map(({ lastSeen }) => lastSeen), 0));
  const edges = all.issues.map(({ firstSeen, lastSeen }) => (newest === null ? lastSeen : firstSeen));
  // An issue behind the pages that were read was first seen before the last of them.
  const edge = all.next === null ? 0 : Math.min(...edges);
  // The time of the tracker's newest event is by its own clock.
  const floor = Math.max(edge, (newestSeen === 0 ? now : newestSeen) - LATE_MS);
  const draft: PollDraft = {
    floor,
    known: new Map(issues.map(({ id, firstSeen }) => [id, firstSeen])),
    resolved: new Map(resolved.issues.map(({ id, lastSeen }) => [id, lastSeen])),
    marked: new Set(issues.flatMap(({ id, marks }) => ((marks?.regressed ?? null) === null ? [] : [id]))),
    newestSeen,
  };
  boundDraft(draft);
  const marksFrom = unresolved.next === null ? now : now + MARK_MS;
  return { version: 1, link, stockAt: now, polls: 0, marksFrom, ...draft };
}
