import { importedDetails } from '../../domain/imported-details.ts';
import type { ImportedStatus } from '../../domain/import.ts';
import type { ProjectContext } from '../project-context.ts';
import { setUpAgain } from '../state/project-state.ts';
import type { RemoteIssue } from '../tracker-reader.ts';

/** Lists what a status waits for in the tracker and cannot wait for here. */
export function listLeftOutDetails(context: ProjectContext, issueId: string, status: ImportedStatus): void {
  for (const reason of importedDetails(status, null).leftOut) {
    context.leaveOut(`status of issue ${issueId}`, `${reason}, which errgate does not have: it stays ignored`);
  }
}

/**
 * Assigns a new error to the member of the project with the e-mail address of its assignee. Others are listed, to be
 * invited. Later passes change nothing: the assignee here may be another one by then.
 */
export async function importAssignee(context: ProjectContext, errorId: string, issue: RemoteIssue): Promise<void> {
  const email = issue.assignee?.toLowerCase() ?? null;
  if (email === null) return;
  const { deps, projectId, state } = context;
  const userId = (await context.memberIds()).get(email);
  if (userId === undefined) {
    setUpAgain(state, [`member ${email}: errors are assigned to them there`]);
    return;
  }
  await deps.store.setAssignee(projectId, errorId, userId, null, deps.clock.now());
}
