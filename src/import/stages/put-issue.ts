import { textsOf } from '../../domain/errors/error-texts.ts';
import type { ImportedError } from '../../domain/imports/import.ts';
import { importedDetails } from '../../domain/imports/imported-details.ts';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';
import { addNamedRelease } from '../../integrated/triage/named-release.ts';
import type { ProjectContext } from '../project-context.ts';
import { assigneeIdOf, listLeftOutDetails } from './import-triage.ts';
import { noteDropped, noteEmpty, setJoined } from '../state/project-state.ts';
import type { IssuePage, ProjectsReader, RemoteIssue } from '../tracker-reader.ts';

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
  const { state } = context;
  await context.reserveNumber(issue.id);
  const assigneeId = await assigneeIdOf(context, issue);
  const put = await putImported(context, {
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
  if (put === null) return null;
  context.errorIds.set(issue.id, put.errorId);
  listLeftOutDetails(context, issue.id, status);
  if (put.created) {
    setJoined(state, put.errorId, false);
    // A later pass reads the events of recent issues only.
    if (state.events.completeSince !== null) noteEmpty(state, issue.id);
  }
  return put;
}

/**
 * Writes the error of an issue. Where it was resolved in a commit alone, adds the release that names the commit. Null:
 * it was deleted here with its further events dropped, so it is only counted.
 */
export async function putImported(
  { deps: { store, clock }, projectId, state }: ProjectContext<ProjectsReader>,
  error: ImportedError,
): ReturnType<ImportStore['putImportedError']> {
  const put = await store.putImportedError(projectId, error, clock.now());
  if (put === null) {
    noteDropped(state, error.issueId);
    return null;
  }
  const { details } = importedDetails(error.status, null);
  await addNamedRelease(store, projectId, [put.errorId], details, clock.now());
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
