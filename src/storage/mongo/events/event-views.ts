import type { mongo } from 'mongoose';
import { MAX_EVENTS_COUNTED, type EventWithBody } from '../../../domain/events/event-list.ts';
import {
  MAX_EVENTS_FOR_USERS,
  type EventSummary,
  type TrackedEvent,
  type UserOfEvent,
} from '../../../domain/events/tracked-event.ts';
import type { Page } from '../../../domain/page.ts';
import { decodeCursor, queryHash, type Cursor } from '../../errors/cursor.ts';
import { BodiesOfPage } from '../../events/bodies-of-page.ts';
import { EVENT_ID, type EventBody } from '../../events/event-body.ts';
import { UsersOfEvents } from '../../events/users-of-events.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventIdOf, eventKey, hexBinary, groupHashOf } from '../documents/document-keys.ts';
import { WITH_PAYLOAD, type EventDocument } from '../documents/documents.ts';
import { reading } from '../engine/operation-options.ts';
import { groupOf } from '../errors/error-groups.ts';
import { EventBodies } from './event-bodies.ts';
import { reportsOf } from './event-reports.ts';
import { importedMembers } from '../errors/imported-rows.ts';
import { byId } from '../engine/batch-collections.ts';
import { importedEvents, importedNeighbours, type ImportedEventRow } from './imported-events.ts';
import { beyond, mongoPage, orderOf } from '../engine/mongo-page.ts';

const SUMMARY = { at: 1, r: 1 } as const;

type EventRow = Pick<EventDocument, '_id' | 'at' | 'r'> & Partial<Pick<ImportedEventRow, 'imported'>>;
type FoundEvent = EventRow & Pick<EventDocument, 'd'>;

export async function listEvents(
  context: MongoContext,
  projectId: number,
  errorId: string,
  limit: number,
  cursorText: string | null,
): Promise<Page<EventSummary> | null> {
  const error = await groupHashesOf(context, projectId, errorId);
  if (error === null) return null;
  const hash = queryHash(['events', projectId, error.id]);
  const cursor = decodeCursor(cursorText, hash, (id) => typeof id === 'string' && EVENT_ID.test(id));
  const fetch = (from: Cursor | null, count: number) => neighbours(context, projectId, error, from, count);
  const page = await mongoPage(fetch, placeOf, cursor, limit, hash);
  return { ...page, items: page.items.map((row) => summaryOf(error.id, row)) };
}

export async function readEvents(
  context: MongoContext,
  projectId: number,
  errorId: string,
  limit: number,
  cursorText: string | null,
): Promise<Page<EventWithBody> | null> {
  const error = await groupHashesOf(context, projectId, errorId);
  if (error === null) return null;
  const hash = queryHash(['events', projectId, error.id]);
  const cursor = decodeCursor(cursorText, hash, (id) => typeof id === 'string' && EVENT_ID.test(id));
  const rows = await neighbours(context, projectId, error, cursor, limit + 1);
  const taken = new BodiesOfPage<string>();
  for await (const { row, body } of bodiesOf(context, projectId, rows.slice(0, limit))) {
    if (!taken.take(eventIdOf(row._id), body)) break;
  }
  const fetch = async (from: Cursor | null, count: number) =>
    from === cursor ? rows.slice(0, count) : neighbours(context, projectId, error, from, count);
  const page = await mongoPage(fetch, placeOf, cursor, taken.size, hash);
  const items = page.items.map((row) => {
    const summary = summaryOf(error.id, row);
    return { ...summary, event: taken.of(summary.eventId) };
  });
  return { ...page, items };
}

function summaryOf(errorId: string, { _id, at, r, imported }: EventRow): EventSummary {
  return { eventId: eventIdOf(_id), errorId, at, receivedAt: r, ...(imported === true ? { imported } : {}) };
}

/** Reads the bodies of events in order, a few at a time: not all may be needed. */
async function* bodiesOf(
  context: MongoContext,
  p: number,
  rows: readonly EventRow[],
): AsyncGenerator<{ readonly row: EventRow; readonly body: EventBody | null }> {
  const bodies = new EventBodies(context);
  for (let from = 0; from < rows.length; from += USERS_BATCH) {
    const page = rows.slice(from, from + USERS_BATCH);
    const idsOf = (imported: boolean) => page.flatMap((row) => (Boolean(row.imported) === imported ? [row._id] : []));
    const [live, there] = await Promise.all([
      context.collections.events.find({ _id: { $in: idsOf(false) }, p }, reading('events.users', { d: 1 })).toArray(),
      importedEvents(context, p, idsOf(true)),
    ]);
    await bodies.load(p, live);
    const byKey = new Map([...live, ...there].map((event) => [event._id.toString('hex'), event]));
    for (const row of page) {
      const event = byKey.get(row._id.toString('hex'));
      yield { row, body: event === undefined ? null : await bodies.read(p, event) };
    }
  }
}

export async function event(
  context: MongoContext,
  projectId: number,
  errorId: string,
  eventId: string,
): Promise<TrackedEvent | null> {
  const error = EVENT_ID.test(eventId) ? await groupHashesOf(context, projectId, errorId) : null;
  if (error === null) return null;
  const filter = { _id: eventKey(projectId, eventId), p: projectId };
  const found = await context.collections.events.findOne(filter, reading('events.by_id', { ...SUMMARY, l: 1, d: 1 }));
  if (found?.d !== undefined) {
    const own = error.groupHashes.includes(found.l.toString('hex'));
    return own ? withNeighbours(context, projectId, error, found) : null;
  }
  const [there] = error.imported.length === 0 ? [] : await importedEvents(context, projectId, [filter._id]);
  const isOwn = there !== undefined && error.imported.includes(there.l.toString('hex'));
  return isOwn ? withNeighbours(context, projectId, error, { ...there, imported: true }) : null;
}

export async function latestEvent(
  context: MongoContext,
  projectId: number,
  errorId: string,
): Promise<TrackedEvent | null> {
  const error = await groupHashesOf(context, projectId, errorId);
  if (error === null) return null;
  const newest = await context.collections.events.findOne(ofGroupHashes(projectId, error.groupHashes), {
    ...reading('events.latest', { ...SUMMARY, d: 1 }),
    sort: { at: -1, _id: -1 },
  });
  const [there] = await importedNeighbours(context, projectId, error.imported, null, 1);
  if (there !== undefined && (newest === null || isNewer(there, newest))) {
    const [event] = await importedEvents(context, projectId, [there._id]);
    if (event !== undefined) return withNeighbours(context, projectId, error, { ...event, imported: true });
  }
  return newest === null ? null : withNeighbours(context, projectId, error, newest);
}

export async function oldestEvent(
  context: MongoContext,
  projectId: number,
  errorId: string,
): Promise<TrackedEvent | null> {
  const error = await groupHashesOf(context, projectId, errorId);
  if (error === null) return null;
  const [oldest] = await neighbours(context, projectId, error, BEFORE_ALL, 1);
  return oldest === undefined ? null : event(context, projectId, errorId, eventIdOf(oldest._id));
}

/** Before the oldest event, in the direction of newer ones. */
const BEFORE_ALL: Cursor = {
  ...{ value: Number.MIN_SAFE_INTEGER, id: '0'.repeat(32) },
  ...{ direction: 'previous', inclusive: false },
};

function isNewer(a: EventRow, b: EventRow): boolean {
  return a.at > b.at || (a.at === b.at && byId(a._id, b._id) > 0);
}

export async function newestUsers(
  context: MongoContext,
  projectId: number,
  errorId: string,
): Promise<UserOfEvent[] | null> {
  const error = await groupHashesOf(context, projectId, errorId);
  if (error === null) return null;
  if (error.imported.length > 0) return usersOfImported(context, projectId, error);
  const newest = context.collections.events
    .find(ofGroupHashes(projectId, error.groupHashes), reading('events.users', { at: 1, d: 1 }))
    .sort({ at: -1, _id: -1 })
    .limit(MAX_EVENTS_FOR_USERS)
    .batchSize(USERS_BATCH);
  const found = new UsersOfEvents();
  const bodies = new EventBodies(context);
  try {
    for (let page = await nextPage(newest); page.length > 0; page = await nextPage(newest)) {
      await bodies.load(projectId, page);
      for (const event of page) {
        const body = await bodies.read(projectId, event);
        if (body !== null && !found.take({ eventId: eventIdOf(event._id), at: event.at, body })) return found.users;
      }
    }
    return found.users;
  } finally {
    await newest.close();
  }
}

/** Returns the newest users of an error with imported events among its live ones. */
async function usersOfImported(context: MongoContext, p: number, error: GroupHashes): Promise<UserOfEvent[]> {
  const rows = await neighbours(context, p, error, null, MAX_EVENTS_FOR_USERS);
  const found = new UsersOfEvents();
  for await (const { row, body } of bodiesOf(context, p, rows)) {
    if (body !== null && !found.take({ eventId: eventIdOf(row._id), at: row.at, body })) break;
  }
  return found.users;
}

/** Events fetched at a time: payloads may be large, and not all may be needed. */
const USERS_BATCH = 10;

async function nextPage<T>(cursor: mongo.FindCursor<T>): Promise<T[]> {
  const page: T[] = [];
  while (page.length < USERS_BATCH) {
    const next = await cursor.next();
    if (next === null) break;
    page.push(next);
  }
  return page;
}

async function withNeighbours(
  context: MongoContext,
  projectId: number,
  error: GroupHashes,
  found: FoundEvent,
): Promise<TrackedEvent | null> {
  const body = await new EventBodies(context).read(projectId, found);
  if (body === null) return null;
  const place = { ...placeOf(found), inclusive: false };
  const neighbour = async (direction: 'next' | 'previous') => {
    const [row] = await neighbours(context, projectId, error, { ...place, direction }, 1);
    return row === undefined ? null : eventIdOf(row._id);
  };
  const [older, newer, above, stored, userReports] = await Promise.all([
    neighbour('next'),
    neighbour('previous'),
    countEvents(context, projectId, error, { ...place, direction: 'previous' }),
    countEvents(context, projectId, error, null),
    reportsOf(context, projectId, found._id),
  ]);
  return {
    errorId: error.id,
    receivedAt: found.r,
    event: body.event,
    previousEventId: older,
    nextEventId: newer,
    position: above >= MAX_EVENTS_COUNTED ? null : above + 1,
    stored,
    userReports,
    ...(found.imported === true ? { imported: found.imported } : {}),
  };
}

/** Counts stored events beyond a place, all without one; stops at MAX_EVENTS_COUNTED. Reads indexes. */
async function countEvents(
  context: MongoContext,
  p: number,
  { groupHashes, imported }: GroupHashes,
  from: Cursor | null,
): Promise<number> {
  const id = from === null ? null : eventKey(p, String(from.id));
  const filter = { ...ofGroupHashes(p, groupHashes), ...beyond(from, 'at', '_id', id) };
  const [live, there] = await Promise.all([
    context.collections.events.countDocuments(filter, { ...reading('events.count'), limit: MAX_EVENTS_COUNTED }),
    importedNeighbours(context, p, imported, from, MAX_EVENTS_COUNTED),
  ]);
  return Math.min(MAX_EVENTS_COUNTED, live + there.length);
}

/** Returns events of an error beyond a place, live and imported ones, nearest first; from the newest without one. */
async function neighbours(
  context: MongoContext,
  projectId: number,
  { groupHashes, imported }: GroupHashes,
  from: Cursor | null,
  limit: number,
): Promise<EventRow[]> {
  const [live, there] = await Promise.all([
    liveNeighbours(context, projectId, groupHashes, from, limit),
    importedNeighbours(context, projectId, imported, from, limit),
  ]);
  if (there.length === 0) return live;
  const order = orderOf(from);
  return [...live, ...there].sort((a, b) => (isNewer(a, b) ? order : -order)).slice(0, limit);
}

async function liveNeighbours(
  { collections }: MongoContext,
  projectId: number,
  groupHashes: readonly string[],
  from: Cursor | null,
  limit: number,
): Promise<EventRow[]> {
  const id = from === null ? null : eventKey(projectId, String(from.id));
  return collections.events
    .find(
      { ...ofGroupHashes(projectId, groupHashes), ...beyond(from, 'at', '_id', id) },
      reading('events.of_error', SUMMARY),
    )
    .sort({ at: orderOf(from), _id: orderOf(from) })
    .limit(limit)
    .toArray();
}

/** Group hashes of an error's events: its own and those of errors merged into it. */
interface GroupHashes {
  readonly id: string;
  readonly groupHashes: readonly string[];
  /** Those of imported errors, which may have imported events. */
  readonly imported: readonly string[];
}

async function groupHashesOf(context: MongoContext, projectId: number, errorId: string): Promise<GroupHashes | null> {
  const group = await groupOf(context, projectId, errorId);
  if (group === null) return null;
  return {
    id: String(group.root.id),
    groupHashes: group.members.map(({ _id }) => groupHashOf(_id)),
    imported: importedMembers(group.members).map(({ _id }) => groupHashOf(_id)),
  };
}

function ofGroupHashes(p: number, groupHashes: readonly string[]) {
  const [only] = groupHashes;
  const l = only !== undefined && groupHashes.length === 1 ? hexBinary(only) : { $in: groupHashes.map(hexBinary) };
  return { p, l, ...WITH_PAYLOAD };
}

function placeOf({ _id, at }: EventRow) {
  return { value: at, id: eventIdOf(_id) };
}
