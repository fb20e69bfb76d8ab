import type { ProjectContext } from '../project-context.ts';
import { sideBySide } from '../side-by-side.ts';
import { letWait } from '../state/project-state.ts';
import type { RemoteIssue } from '../tracker-reader.ts';
import { walkRecent } from './issue-walk.ts';
import { listUnreadable, putIssue } from './put-issue.ts';
import { readCounts, takeCounts } from './take-counts.ts';

/** Issues that are worked on at once; the client bounds requests. */
const AT_ONCE = 8;

/**
 * Brings up to date what has changed since the full pass began: issues with new events, and those whose counts wait.
 */
export async function settleCounts(context: ProjectContext): Promise<void> {
  const { state } = context;
  const stage = context.stage('counts');
  stage.done = 0;
  if (state.errors.completeSince !== null) {
    await walkRecent(context, state.errors.completeSince, async (page) => {
      listUnreadable(context, page);
      const work = async (issue: RemoteIssue): Promise<void> => {
        const put = await putIssue(context, issue);
        if (put !== null) await takeCounts(context, issue, page.at, put.errorId);
        // An issue that began during the full pass.
        if (put?.created === true) state.created += 1;
      };
      await sideBySide(page.issues, AT_ONCE, work);
      stage.done += page.issues.length;
    });
  }
  const waiting = state.waiting;
  state.waiting = [];
  stage.total = stage.done + waiting.length;
  await sideBySide(waiting, AT_ONCE, async (issueId) => {
    const errorId = await errorOfIssue(context, issueId);
    if (errorId !== null) await readCounts(context, issueId, errorId);
    stage.done += 1;
    context.report();
  }).catch((error: unknown) => {
    state.waiting = [...new Set([...state.waiting, ...waiting])];
    throw error;
  });
}

async function errorOfIssue(context: ProjectContext, issueId: string): Promise<string | null> {
  const known = context.errorIds.get(issueId);
  if (known !== undefined) return known;
  const { from, slug, signal } = context;
  const found = await context.readOf(issueId, 'issues', 'details', () => from.reader.issue(slug, issueId, signal));
  if (found === undefined) {
    letWait(context.state, issueId);
    return null;
  }
  if (found?.issue.id !== issueId) {
    context.leaveOut(`issue ${issueId}`, 'it is gone or was merged there; its error stays as it was');
    return null;
  }
  return (await putIssue(context, found.issue))?.errorId ?? null;
}
