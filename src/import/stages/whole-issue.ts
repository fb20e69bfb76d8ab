import type { ProjectContext } from '../project-context.ts';
import type { RemoteIssue } from '../tracker-reader.ts';
import { putIssue } from './put-issue.ts';
import { takeCounts } from './take-counts.ts';

/**
 * Reads what a list does not tell of an issue (time of the status, releases, the chart of 30 days) and brings its error up to date. Returns
 * the listed one where the tracker does not answer for it.
 */
export async function wholeIssue(context: ProjectContext, listed: RemoteIssue): Promise<RemoteIssue> {
  if (listed.isWhole) return listed;
  const { from, signal, slug } = context;
  const charts = listed.days.length === 0;
  const found = await context.readOf(listed.id, 'issues', 'details', () =>
    from.reader.issue(slug, listed.id, signal, { charts }),
  );
  // Gone or merged since it was listed: the reconciliation lists it.
  if (found?.issue.id !== listed.id || found.issue.status === null) return listed;
  const put = await putIssue(context, found.issue);
  // Lists have the chart of a day only. While events are forwarded the counts of an earlier stage stay.
  if (put !== null && found.issue.days.length > 0 && !(await context.forwardPending()))
    await takeCounts(context, found.issue, found.at, put.errorId);
  return found.issue;
}
