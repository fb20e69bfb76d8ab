import type { ErrorStore } from '../domain/ports/stores/error-store.ts';
import {
  MAX_REPORTED_SEARCHED,
  type ReportedEvent,
  type ReportPage,
  type ReportQuery,
} from '../domain/events/report-list.ts';
import type { UserReport } from '../domain/events/user-report.ts';

/** Reported events read at a time during a search, so that other requests are served between. */
const STEP = 100;

function fits({ name, email, comments }: UserReport, words: readonly string[]): boolean {
  const text = [name, email, comments].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Returns a page of a project's reports; those that a search does not find are left out of their event. */
export async function listReports(
  store: Pick<ErrorStore, 'listReports'>,
  projectId: number,
  { search, limit, cursor }: ReportQuery,
): Promise<ReportPage> {
  const words = (search ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return store.listReports(projectId, limit, cursor);
  const items: ReportedEvent[] = [];
  let searched = 0;
  let next = cursor;
  do {
    const page = await store.listReports(projectId, Math.min(STEP, MAX_REPORTED_SEARCHED - searched), next);
    let looked = 0;
    for (const event of page.items) {
      if (items.length === limit) break;
      looked += 1;
      const reports = event.reports.filter((report) => fits(report, words));
      if (reports.length > 0) items.push({ ...event, reports });
    }
    searched += looked;
    // Within a page of the store the next one begins after the last event looked at.
    if (looked === page.items.length) next = page.next;
    else next = (await store.listReports(projectId, looked, next)).next;
  } while (next !== null && items.length < limit && searched < MAX_REPORTED_SEARCHED);
  return { items, previous: null, next, searched };
}
