import { textsOf } from '../../domain/errors/error-texts.ts';
import type { ProjectContext } from '../project-context.ts';
import { putError } from '../put-error.ts';
import { assigneeIdOf, listLeftOutDetails } from './import-triage.ts';
import { noteDropped, noteEmpty, setJoined } from '../state/project-state.ts';
import type { IssuePage, RemoteIssue } from '../tracker-reader.ts';

/**
 * Creates or updates the error of an issue. Null: the tracker is about to merge, delete or reprocess it, and it is
 * listed as left out; or it was deleted here with its further events dropped, so it is only counted.
 */
export async function putIssue(
  context: ProjectContext,
  issue: RemoteIssue,
): Promise<{ readonly errorId: string; readonly created: boolean } | null> {
  const { status } = issue;
  if (status === null) {
    context.leaveOut(`issue ${issue.id}`, issue.skipped ?? 'the tracker is changing it', 'retry');
    return null;
  }
  const { deps, projectId, state } = context;
  await context.reserveNumber(issue.id);
  const assigneeId = await assigneeIdOf(context, issue);
  const put = await putError(deps, projectId, {
    sourceId: state.sourceId,
    issueId: issue.id,
    externalIds: issue.externalIds,
    externalUrl: issue.url,
    ...textsOf(issue),
    firstSeen: issue.firstSeen,
    lastSeen: issue.lastSeen,
    firstRelease: issue.firstRelease,
    lastRelease: issue.lastRelease,
    status,
    assignee: issue.assignee,
    ...(assigneeId === undefined ? {} : { assigneeId }),
  });
  if (put === null) {
    noteDropped(state, issue.id);
    return null;
  }
  context.errorIds.set(issue.id, put.errorId);
  listLeftOutDetails(context, issue.id, status);
  if (put.created) {
    setJoined(state, put.errorId, false);
    // A later pass reads the events of recent issues only.
    if (state.events.completeSince !== null) noteEmpty(state, issue.id);
  }
  return put;
}

/** Returns the error of an issue, from an earlier stage where it is still known. */
export async function errorOf(context: ProjectContext, issue: RemoteIssue): Promise<string | null> {
  return context.errorIds.get(issue.id) ?? (await putIssue(context, issue))?.errorId ?? null;
}

/** Lists the rows of a page that the reader could not read. */
export function listUnreadable(context: ProjectContext, page: IssuePage): void {
  for (const { id, reason, isOther } of page.leftOut) {
    context.leaveOut(id === null ? 'an issue' : `issue ${id}`, reason, isOther === true ? undefined : 'retry');
  }
}
