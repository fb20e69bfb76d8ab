import { AppError } from '../domain/app-error.ts';
import type { TrackedEvent } from '../domain/events/tracked-event.ts';
import type { ThirdpartyEvent, ThirdpartyTag } from '../schemas/thirdparty/event.ts';
import type { ThirdpartyIssue } from '../schemas/thirdparty/issue.ts';
import { askTrackerWithin } from './http/ask-within.ts';
import { getEvent, getLatestEvent } from './endpoints/event.ts';
import { getIssue } from './endpoints/issue.ts';
import { listEvents } from './endpoints/list-events.ts';
import { listTags } from './endpoints/tags.ts';
import { idOfEvent, levelOfEvent, trackedEvent } from './map/event.ts';
import { levelOf } from './map/issue.ts';
import { isOwnEvent, requireOwnIssue } from './ownership.ts';
import { unknownThing } from './http/refused.ts';
import type { TrackerSession } from './session.ts';
import { idText } from './http/shape.ts';

/** Reads an issue and checks its project. Throws `not_found`. */
export async function ownIssue(session: TrackerSession, errorId: string): Promise<ThirdpartyIssue> {
  const issue = await getIssue(session, errorId);
  await requireOwnIssue(session, issue);
  return issue;
}

/** Reads the issue and a part of it, and checks the project; in parallel once the routes are known. */
export async function withParts<T>(
  session: TrackerSession,
  errorId: string,
  ask: () => Promise<T>,
): Promise<[ThirdpartyIssue, T]> {
  if (!session.dialect.knows('issue')) return [await ownIssue(session, errorId), await ask()];
  return Promise.all([ownIssue(session, errorId), ask()]);
}

/** Reads an event and checks its project; adds the level of its issue where the event has none. */
export async function ownEvent(
  session: TrackerSession,
  errorId: string,
  ask: () => Promise<ThirdpartyEvent>,
): Promise<TrackedEvent> {
  // An issue reveals the route of issues; an unknown event would not.
  let issue = session.dialect.knows('issue') ? null : await ownIssue(session, errorId);
  const event = await ask();
  const isOwn = await isOwnEvent(session, event);
  if (isOwn === false) throw unknownThing('event');
  const level = levelOfEvent(event);
  // Some trackers send events without a level; the issue has it.
  if (isOwn === null || level === null) issue ??= await ownIssue(session, errorId);
  const known = level ?? levelOf(issue?.level);
  const { groupID } = event;
  const ownId = issue?.id ?? groupID ?? errorId;
  return trackedEvent(event, {
    errorId: idText(isOwn === null ? ownId : (groupID ?? errorId), 'groupID'),
    level: known,
    nextIsOlder: session.dialect.traits.nextIsOlder,
  });
}

/**
 * Reads the newest event, from the list when the tracker has no `latest`. Throws `events_removed` for an error of the
 * project with an empty list.
 */
export async function latestOf(session: TrackerSession, errorId: string): Promise<ThirdpartyEvent> {
  try {
    return await getLatestEvent(session, errorId);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
  }
  await ownIssue(session, errorId);
  const { rows } = await listEvents(session, errorId, 1, null);
  const [newest] = rows;
  if (newest === undefined) {
    throw new AppError('events_removed', '404 Not found: the third-party tracker has removed the events of this error');
  }
  return getEvent(session, errorId, idOfEvent(newest));
}

/** Tags of an issue, or why there are none. */
export interface TagsAnswer {
  readonly tags: readonly ThirdpartyTag[] | null;
  /** `complete`: all tags; `none`: the tracker has no such list; `refused`: a retry would fail too. */
  readonly outcome: 'complete' | 'none' | 'refused' | 'failed';
}

/** Limits the wait for tags, so that they do not delay the rest of the error. */
export async function tagsInTime(session: TrackerSession, errorId: string, limitMs: number): Promise<TagsAnswer> {
  try {
    const tags = await askTrackerWithin(session, limitMs, (limited) => listTags(limited, errorId));
    return { tags, outcome: tags === null ? 'none' : 'complete' };
  } catch (error) {
    if (!(error instanceof AppError)) return { tags: null, outcome: 'failed' };
    const status = error.code === 'tracker_refused' ? error.details?.status : undefined;
    const refuses = status !== undefined && status < 500;
    // A response of another form is permanent, so a retry does not help.
    return { tags: null, outcome: refuses || error.code === 'tracker_invalid_answer' ? 'refused' : 'failed' };
  }
}
