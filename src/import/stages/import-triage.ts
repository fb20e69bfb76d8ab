import { importedDetails } from '../../domain/imports/imported-details.ts';
import type { ImportedStatus } from '../../domain/imports/import.ts';
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
 * Returns the member of the project with the e-mail address of the issue's assignee; undefined: none. Addresses of
 * others are listed, to be invited: a later pass assigns their errors.
 */
export async function assigneeIdOf(context: ProjectContext, issue: RemoteIssue): Promise<number | undefined> {
  const email = issue.assignee?.toLowerCase() ?? null;
  if (email === null) return undefined;
  const userId = (await context.memberIds()).get(email);
  if (userId === undefined) setUpAgain(context.state, [`member ${email}: errors are assigned to them there`]);
  return userId;
}
