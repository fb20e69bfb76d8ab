import type { ImportedCounts } from '../../domain/imports/import.ts';
import type { ProjectContext } from '../project-context.ts';
import { letWait } from '../state/project-state.ts';
import type { RemoteIssue } from '../tracker-reader.ts';

/** Tries to take the counts of an error whose own events come in meanwhile. */
const MAX_TRIES = 3;

type KnownCount = RemoteIssue & { readonly count: number };

const hasCount = (issue: RemoteIssue): issue is KnownCount => issue.count !== null;

function countsOf(issue: KnownCount, at: number, knownThere: number): ImportedCounts {
  const { count, users, hours, days } = issue;
  return { count, users, knownThere, at, hours, days };
}

/**
 * Takes the counts of an issue of a page. `knownThere` only grows, so where it is 0 now it was 0 before the page was
 * read. Else the issue is read again.
 */
export async function takeCounts(
  context: ProjectContext,
  issue: RemoteIssue,
  at: number,
  errorId: string,
): Promise<void> {
  if (!hasCount(issue)) {
    context.leaveOut('counts', 'the tracker tells no count for some issues; they keep the count they have');
    return;
  }
  if (await context.forwardPending()) {
    letWait(context.state, issue.id);
    return;
  }
  const { deps, projectId } = context;
  const result = await deps.store.setBase(projectId, errorId, countsOf(issue, at, 0));
  if (result === 'moved') await readCounts(context, issue.id, errorId);
  else if (result === 'fewer') listFewer(context, issue.id);
}

/**
 * Reads an issue between two equal values of `knownThere` and takes its counts. False: it waits for the next pass.
 */
export async function readCounts(context: ProjectContext, issueId: string, errorId: string): Promise<boolean> {
  const { deps, projectId, signal, slug, from } = context;
  for (let tries = 0; tries < MAX_TRIES && !(await context.forwardPending()); tries += 1) {
    const known = await deps.store.knownThere(projectId, errorId, deps.clock.now());
    const found = await context.readOf(issueId, 'issues', 'counts', () => from.reader.issue(slug, issueId, signal));
    if (found === undefined) break;
    if (found?.issue.id !== issueId) {
      const now = found === null ? 'it is gone' : `it was merged into ${found.issue.id} there`;
      context.leaveOut(`issue ${issueId}`, `${now}; its error stays as it was`);
      return true;
    }
    if (!hasCount(found.issue)) return true;
    // An event that was sent meanwhile may be counted there, and its mark be on its way.
    if (await context.forwardPending()) break;
    const result = await deps.store.setBase(projectId, errorId, countsOf(found.issue, found.at, known));
    if (result === 'fewer') listFewer(context, issueId);
    if (result !== 'moved') return true;
  }
  letWait(context.state, issueId);
  return false;
}

function listFewer(context: ProjectContext, issueId: string): void {
  context.leaveOut(`count of issue ${issueId}`, 'the tracker counts less than before; the count stays as it was');
}
