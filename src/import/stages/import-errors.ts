import type { ProjectContext } from '../project-context.ts';
import type { ProjectState, StageState } from '../state/project-state.ts';
import { sideBySide } from '../side-by-side.ts';
import type { RemoteIssue } from '../tracker-reader.ts';
import { walkAll } from './issue-walk.ts';
import { listUnreadable, putIssue } from './put-issue.ts';
import { noteListing } from './unchanged-issues.ts';
import { takeCounts } from './take-counts.ts';

/** Errors that are written at once; a store writes several in one transaction. */
const AT_ONCE = 8;

/** A walk from the first page counts from 0. */
function beginCounting(state: ProjectState, stage: StageState): void {
  state.created = 0;
  state.updated = 0;
  state.counted = 0;
  stage.done = 0;
}

/** Imports all issues with their counts, page by page. */
export async function importErrors(context: ProjectContext): Promise<void> {
  const { state } = context;
  const stage = context.stage('errors');
  if (state.errors.cursor === null) beginCounting(state, stage);
  const marks = await context.marks();
  await walkAll(context, state.errors, async (page) => {
    listUnreadable(context, page);
    const numbers = { created: 0, updated: 0, counted: 0 };
    const work = async (issue: RemoteIssue): Promise<void> => {
      const put = await putIssue(context, issue);
      if (put === null) return;
      if (put.created) numbers.created += 1;
      else numbers.updated += 1;
      numbers.counted += issue.count ?? 0;
      noteListing(context, marks, issue);
      await takeCounts(context, issue, page.at, put.errorId);
    };
    await sideBySide(page.issues, AT_ONCE, work);
    // Changed together with the cursor: a page that is repeated after a kill counts once.
    state.created += numbers.created;
    state.updated += numbers.updated;
    state.counted += numbers.counted;
    stage.done += numbers.created + numbers.updated;
  });
  stage.total = stage.done;
}
