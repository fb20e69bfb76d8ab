import type { ProjectContext } from '../project-context.ts';
import { type IssueMarks, type Listing, listingOf, triageOf } from '../state/issue-marks.ts';
import { isOpen, noteEmpty } from '../state/project-state.ts';
import type { RemoteIssue } from '../tracker-reader.ts';
import { ownEvents } from './mark-found-events.ts';
import { errorOf } from './put-issue.ts';

/** Issue of a list or of an answer of its own. */
export interface MetIssue {
  readonly issue: RemoteIssue;
  /** Time of the answer by the tracker's clock. */
  readonly at: number;
  /** What the list told of it; null: it was not listed. */
  readonly listing: Listing | null;
}

/** What was read of an issue. */
export interface ReadIssue {
  /** As the issue alone tells it, where that was read. */
  readonly issue: RemoteIssue;
  /** True: live events lead to its error. */
  readonly joined: boolean;
  /** Own live events of its error, before its events were read. */
  readonly own: number;
  /** Time of the newest event; milliseconds. */
  readonly newestAt: number | null;
  readonly reportedAt: number;
}

/** Milliseconds after which a tracker is taken to show an event that it has counted. */
const SETTLED_MS = 60_000;

/** Parts without which an issue is not whole. */
const PARTS = ['issues', 'events', 'comments', 'reports'];

/**
 * Remembers what is listed of an issue that the stage of events reads again, and has it read one that changed without
 * an event.
 */
export function noteListing(context: ProjectContext, marks: IssueMarks, issue: RemoteIssue): void {
  const { state } = context;
  if (state.events.completeSince === null) return;
  const mark = marks.get(issue.id);
  const listing = listingOf(issue);
  if (mark !== undefined && mark.triage !== listing.triage) noteEmpty(state, issue.id);
  if (isOpen(state, issue.id)) context.listings.set(issue.id, listing);
}

/** Forgets all issues when the options of this run ask for more of them, or for something else. */
export async function forgetUnderOtherOptions(context: ProjectContext, marks: IssueMarks): Promise<void> {
  const { eventsPerError, onConflict } = context.options;
  const { readWith } = context.state;
  const isOther =
    readWith !== undefined && (eventsPerError > readWith.eventsPerError || onConflict !== readWith.onConflict);
  if (isOther) await marks.clear();
  context.state.readWith = { eventsPerError, onConflict };
}

/**
 * Returns true for an issue of which nothing has changed since it was read. `reported`: newest user reports by issue;
 * null: the tracker lists none, so the issue is asked what its list does not tell.
 */
export async function isUnchanged(
  context: ProjectContext,
  marks: IssueMarks,
  reported: ReadonlyMap<string, number> | null,
  { issue, listing }: MetIssue,
): Promise<boolean> {
  const { from, signal, slug, state } = context;
  const mark = marks.get(issue.id);
  if (mark === undefined || mark.own === null || mark.listed !== listing?.listed || isOpen(state, issue.id))
    return false;
  const errorId = await errorOf(context, issue);
  if (errorId === null || (await ownEvents(context, errorId)) !== mark.own) return false;
  if (reported !== null) return (reported.get(issue.id) ?? 0) <= mark.reported;
  if (issue.isWhole) return true;
  const found = await context.readOf(issue.id, 'issues', 'details', () =>
    from.reader.issue(slug, issue.id, signal, { charts: false }),
  );
  // It failed, and is read again by the next run.
  if (found === undefined) return true;
  return found?.issue.id === issue.id && triageOf(found.issue) === mark.details;
}

/** Remembers an issue that was read whole; forgets one of which something is missing. */
export async function markIssue(
  context: ProjectContext,
  marks: IssueMarks,
  { issue: { id, lastSeen }, at, listing }: MetIssue,
  { issue, joined, own, newestAt, reportedAt }: ReadIssue,
): Promise<void> {
  const { from, state } = context;
  const lacks = PARTS.some((part) => state.refused.includes(part)) || from.reader.lacks('events').length > 0;
  if (lacks || isOpen(state, id) || listing === null) {
    marks.delete(id);
    return;
  }
  // The newest events may not be shown yet, and while events are forwarded its chart is not taken.
  const isSettled = joined && at - lastSeen >= SETTLED_MS && (newestAt === null || lastSeen - newestAt <= SETTLED_MS);
  const isClosed = isSettled && !(await context.forwardPending());
  marks.set(id, { ...listing, details: triageOf(issue), reported: reportedAt, own: isClosed ? own : null });
}
