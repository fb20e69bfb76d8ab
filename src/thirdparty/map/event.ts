import type { EventColumns } from '../../domain/events/event-columns.ts';
import type { EventTag, EventUser, Level, NormalisedEvent } from '../../domain/events/event.ts';
import type { EventSummary, ShownEvent, TrackedEvent } from '../../domain/events/tracked-event.ts';
import type { UserReport } from '../../domain/events/user-report.ts';
import { isRecord, setOwn } from '../../lib/own-property.ts';
import type { ThirdpartyEvent } from '../../schemas/thirdparty/event.ts';
import { trackerError } from '../http/tracker-errors.ts';
import {
  breadcrumbsOf,
  exceptionsOf,
  messageOf,
  requestOf,
  stackAsThread,
  templateAsThread,
  threadsOf,
} from './entries.ts';
import { levelOf } from './issue.ts';
import { eventIdOf, filledText, isoOf, listOf, membersOf, textOf, timeOf } from './values.ts';

/** The event's id as 32 hex digits; throws `tracker_invalid_answer`. */
export function idOfEvent(event: ThirdpartyEvent): string {
  const id = eventIdOf(event.eventID);
  if (id !== null) return id;
  throw trackerError(
    'tracker_invalid_answer',
    'the third-party tracker sent an event whose id is not 32 hex digits',
    'Third-party API response contains invalid value for field "eventID"',
    { reason: 'shape' },
  );
}

function tagsOf(value: unknown): EventTag[] {
  const pairs = isRecord(value) ? Object.entries(value).map(([key, one]) => ({ key, value: one })) : listOf(value);
  const tags = new Map<string, string>();
  for (const pair of pairs) {
    const [rawKey, rawValue] = isRecord(pair) ? [pair.key, pair.value] : listOf(pair);
    const key = filledText(rawKey);
    if (key !== null && !tags.has(key)) tags.set(key, textOf(rawValue) ?? '');
  }
  return [...tags].map(([key, text]) => ({ key, value: text }));
}

/** User of an event. */
function userOf(value: unknown): EventUser | null {
  if (!isRecord(value)) return null;
  const user: EventUser = {
    id: filledText(value.id),
    username: filledText(value.username),
    email: filledText(value.email),
    name: filledText(value.name),
    ip_address: filledText(value.ip_address ?? value.ipAddress),
    data: membersOf(value.data),
  };
  const { data, ...identity } = user;
  const isEmpty = Object.values(identity).every((member) => member === null) && Object.keys(data).length === 0;
  return isEmpty ? null : user;
}

function modulesOf(value: unknown): Record<string, string> {
  const modules: Record<string, string> = {};
  if (isRecord(value))
    for (const [name, version] of Object.entries(value)) setOwn(modules, name, textOf(version) ?? '');
  return modules;
}

function sdkOf(value: unknown): NormalisedEvent['sdk'] {
  if (!isRecord(value)) return null;
  const [name, version] = [filledText(value.name), filledText(value.version)];
  return name === null && version === null ? null : { name, version };
}

/** Processing errors of the tracker, one line each. */
function notesOf(value: unknown): string[] {
  return listOf(value).flatMap((error) => {
    const type = isRecord(error) ? filledText(error.type) : null;
    if (type === null) return [];
    const said = isRecord(error) ? filledText(error.message) : null;
    return [said === null ? type : `${type}: ${said}`];
  });
}

/** Entries by type; the first of each is used, unknown types are ignored. */
function entriesOf(event: ThirdpartyEvent): ReadonlyMap<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const { type, data } of event.entries ?? []) if (!entries.has(type)) entries.set(type, data);
  return entries;
}

function stackOf(entries: ReadonlyMap<string, unknown>) {
  const exceptions = exceptionsOf(entries.get('exception'));
  const threads = threadsOf(entries.get('threads'));
  const own = stackAsThread(entries.get('stacktrace'));
  const [only] = exceptions;
  if (only !== undefined && exceptions.length === 1) only.frames ??= own[0]?.frames ?? null;
  if (exceptions.length === 0 && threads.every(({ frames }) => frames === null)) {
    threads.push(...(own.length > 0 ? own : templateAsThread(entries.get('template'))));
  }
  return { exceptions, threads };
}

/** Browser reports (`csp`, `nel`, …) are shown as contexts. */
const REPORTS = ['csp', 'hpkp', 'expectct', 'expectstaple', 'nel'] as const;

function contextsOf(event: ThirdpartyEvent, entries: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const contexts = membersOf(event.contexts);
  for (const type of REPORTS) {
    if (entries.has(type) && !(type in contexts)) contexts[type] = membersOf(entries.get(type));
  }
  return contexts;
}

/** Level of the event from a tag or member; null when only the issue has it. */
export function levelOfEvent(event: ThirdpartyEvent): Level | null {
  const tag = tagsOf(event.tags).find(({ key }) => key === 'level');
  return levelOf(tag?.value) ?? levelOf(event.level);
}

function normalisedEvent(event: ThirdpartyEvent, level: Level | null): ShownEvent {
  const entries = entriesOf(event);
  const tags = tagsOf(event.tags);
  const tag = (key: string): string | null => filledText(tags.find((one) => one.key === key)?.value);
  const { exceptions, threads } = stackOf(entries);
  const said = messageOf(entries.get('message'));
  // The tracker's `message` repeats type and value of an exception.
  const message = said.message ?? (exceptions.length === 0 ? filledText(event.message ?? event.title) : null);
  const release = isRecord(event.release) ? event.release.version : event.release;
  return {
    event_id: idOfEvent(event),
    timestamp: isoOf(event.dateCreated) ?? isoOf(event.dateReceived) ?? new Date(0).toISOString(),
    level,
    platform: filledText(event.platform) ?? 'other',
    logger: tag('logger'),
    release: filledText(release) ?? tag('release'),
    dist: filledText(event.dist) ?? tag('dist'),
    environment: tag('environment'),
    server_name: tag('server_name'),
    transaction: tag('transaction'),
    message,
    logentry: said.logentry,
    exceptions,
    threads,
    breadcrumbs: breadcrumbsOf(entries.get('breadcrumbs')),
    request: requestOf(entries.get('request')),
    user: userOf(event.user),
    tags,
    contexts: contextsOf(event, entries),
    extra: membersOf(event.context),
    modules: modulesOf(event.packages),
    sdk: sdkOf(event.sdk),
    fingerprint: listOf(event.fingerprints).flatMap((part) => textOf(part) ?? []),
    notes: notesOf(event.errors),
  };
}

/** Returns the user report in an event, the newest one; null without the member. */
function reportsOf(value: unknown, eventAt: number): UserReport[] | null {
  if (!isRecord(value)) return value === null ? [] : null;
  const [name, email, comments] = [filledText(value.name), filledText(value.email), filledText(value.comments)];
  const receivedAt = timeOf(value.dateCreated) ?? eventAt;
  return [{ id: textOf(value.id) ?? '', kind: 'user_report', name, email, comments, url: null, receivedAt }];
}

export interface EventView {
  /** Requested issue, used when the event names none. */
  readonly errorId: string;
  /** Level of the event or its issue; null when unknown. */
  readonly level: Level | null;
  /** See `TrackerTraits`. */
  readonly nextIsOlder: boolean;
}

export function trackedEvent(event: ThirdpartyEvent, { errorId, level, nextIsOlder }: EventView): TrackedEvent {
  const at = timeOf(event.dateCreated) ?? timeOf(event.dateReceived) ?? 0;
  const [previous, next] = [eventIdOf(event.previousEventID), eventIdOf(event.nextEventID)];
  return {
    errorId,
    receivedAt: timeOf(event.dateReceived) ?? at,
    event: normalisedEvent(event, level),
    previousEventId: nextIsOlder ? next : previous,
    nextEventId: nextIsOlder ? previous : next,
    position: null,
    stored: null,
    userReports: reportsOf(event.userReport, at),
  };
}

export function eventSummary(event: ThirdpartyEvent, errorId: string): EventSummary {
  const at = timeOf(event.dateCreated) ?? timeOf(event.dateReceived) ?? 0;
  return { eventId: idOfEvent(event), errorId, at, receivedAt: timeOf(event.dateReceived) ?? at };
}

/** Returns what the row of a list says of an event: mostly in its tags. */
export function columnsOfRow(event: ThirdpartyEvent): EventColumns {
  const tags = new Map(tagsOf(event.tags).map(({ key, value }) => [key, value]));
  const tag = (key: string): string | null => filledText(tags.get(key));
  const release = isRecord(event.release) ? event.release.version : event.release;
  return {
    message: filledText(event.message) ?? filledText(event.title),
    level: levelOfEvent(event),
    release: filledText(release) ?? tag('release'),
    environment: tag('environment'),
    user: userOf(event.user),
    transaction: tag('transaction'),
    url: tag('url'),
    browser: tag('browser'),
    os: tag('os'),
    runtime: tag('runtime'),
    device: tag('device'),
    serverName: tag('server_name'),
  };
}

/** Project id in the event, as text; null when missing. */
export function projectOfEvent({ projectID }: ThirdpartyEvent): string | null {
  return projectID === undefined || projectID === null ? null : String(projectID);
}
