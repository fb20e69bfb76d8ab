import type { ProjectContext } from '../project-context.ts';
import { sideBySide } from '../side-by-side.ts';
import { settleOwed } from '../state/project-state.ts';
import type { RemoteIssue } from '../tracker-reader.ts';
import { putIssue } from './put-issue.ts';
import { takeCounts } from './take-counts.ts';

/** Issues that are asked for at once; the client bounds requests. */
const AT_ONCE = 8;
/** Issues between two saves. */
const BATCH = 40;

/**
 * Reads issues again of which an earlier run could not read everything, unless this one has met them. `work` gets those
 * that are still there.
 */
export async function readAgain(
  context: ProjectContext,
  issueIds: readonly string[],
  work: (issues: readonly { readonly issue: RemoteIssue; readonly at: number }[]) => Promise<void>,
): Promise<void> {
  const { state } = context;
  const left = issueIds.filter((id) => !context.readIssues.has(id));
  for (let from = 0; from < left.length; from += BATCH) {
    const issues: { readonly issue: RemoteIssue; readonly at: number }[] = [];
    await sideBySide(left.slice(from, from + BATCH), AT_ONCE, async (id) => {
      settleOwed(state, id);
      const issue = await presentIssue(context, id);
      if (issue !== null) issues.push(issue);
    });
    await work(issues);
    await context.stepDone();
  }
}

/** Reads an issue and brings its error up to date; null: it is gone, or the tracker failed again. */
async function presentIssue(
  context: ProjectContext,
  issueId: string,
): Promise<{ readonly issue: RemoteIssue; readonly at: number } | null> {
  const { from, signal, slug } = context;
  const found = await context.readOf(issueId, 'issues', 'details', () => from.reader.issue(slug, issueId, signal));
  if (found === undefined) return null;
  if (found?.issue.id !== issueId) {
    context.leaveOut(`issue ${issueId}`, 'it is gone or was merged there; its error stays as it was');
    return null;
  }
  const put = await putIssue(context, found.issue);
  if (put === null) return null;
  await takeCounts(context, found.issue, found.at, put.errorId);
  return found;
}
