import { MAX_EVENTS_COUNTED, type EventWithBody } from '../../../domain/events/event-list.ts';
import {
  MAX_EVENTS_FOR_USERS,
  type EventSummary,
  type TrackedEvent,
  type UserOfEvent,
} from '../../../domain/events/tracked-event.ts';
import type { Page } from '../../../domain/page.ts';
import { BlockReader, EVENT_ID, ownBody, type EventBody } from '../../events/event-body.ts';
import { searchTermsOf, type SearchTerms } from '../../search/search-terms.ts';
import { BodiesOfPage } from '../../events/bodies-of-page.ts';
import { decodeCursor, queryHash, type Cursor, type Place } from '../../errors/cursor.ts';
import { UsersOfEvents } from '../../events/users-of-events.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { groupOf } from '../errors/error-groups.ts';
import { reportsOf } from './report-views.ts';
import { beyond, sqlitePage } from '../engine/sqlite-page.ts';

const SUMMARY = `SELECT v.id, v.at, v.received_at, lower(hex(k.event_id)) AS event_id
  FROM events v JOIN event_keys k ON k.id = v.id WHERE v.error_id = ?`;
/** Imported events have negative row ids here. One that is stored as a live event too is shown as that. */
const IMPORTED_SUMMARY = `SELECT -i.id AS id, i.at, i.imported_at AS received_at, lower(hex(i.event_id)) AS event_id
  FROM imported_events i WHERE i.error_id = ? AND NOT EXISTS (SELECT 1 FROM event_keys k JOIN events v ON v.id = k.id
    WHERE k.project_id = i.project_id AND k.event_id = i.event_id)`;
const IMPORTED_EVENT = `SELECT -id AS id, at, imported_at AS received_at, payload, NULL AS block_id, error_id, event_id
  FROM imported_events`;
const COUNT_NEWER = `SELECT count(*) FROM (SELECT 1 FROM events WHERE error_id = ? AND (at, id) > (?, ?) LIMIT ?)`;
const COUNT_NEWER_IMPORTED = `SELECT count(*) FROM (SELECT 1 FROM imported_events i
  WHERE i.error_id = ? AND (i.at, -i.id) > (?, ?) AND NOT EXISTS (SELECT 1 FROM event_keys k JOIN events v ON v.id = k.id
    WHERE k.project_id = i.project_id AND k.event_id = i.event_id) LIMIT ?)`;
/** Before the oldest event, in the direction of newer ones. */
const BEFORE_ALL: Cursor = { value: Number.MIN_SAFE_INTEGER, id: 0, direction: 'previous', inclusive: false };
const EVENT = `SELECT v.id, v.at, v.received_at, v.payload, v.block_id, v.error_id, k.event_id
  FROM event_keys k JOIN events v ON v.id = k.id`;

export function listEvents(
  db: SqliteDatabase,
  projectId: number,
  errorId: string,
  limit: number,
  cursorText: string | null,
): Page<EventSummary> | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    if (group === null) {
      return null;
    }
    const { root, members } = group;
    const hash = queryHash(['events', projectId, root]);
    const cursor = decodeCursor(cursorText, hash, Number.isSafeInteger);
    const fetch = (from: Cursor | null, count: number) => neighbours(db, members, from, count);
    const page = sqlitePage(fetch, 'at', cursor, limit, hash);
    return { ...page, items: page.items.map((row) => toSummary(String(root), row)) };
  });
}

export function readEvents(
  db: SqliteDatabase,
  projectId: number,
  errorId: string,
  limit: number,
  cursorText: string | null,
): Page<EventWithBody> | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    if (group === null) return null;
    const { root, members } = group;
    const hash = queryHash(['events', projectId, root]);
    const cursor = decodeCursor(cursorText, hash, Number.isSafeInteger);
    const rows = neighbours(db, members, cursor, limit + 1);
    const blocks = new BlockReader<number>();
    const bodies = new BodiesOfPage<number>();
    for (const row of rows.slice(0, limit)) {
      const stored = eventOfRow(db, row.id as number);
      const body = stored === undefined ? null : bodyOf(db, row.event_id as string, stored, blocks);
      if (!bodies.take(row.id as number, body)) break;
    }
    const fetch = (from: Cursor | null, count: number) =>
      from === cursor ? rows.slice(0, count) : neighbours(db, members, from, count);
    const page = sqlitePage(fetch, 'at', cursor, bodies.size, hash);
    const items = page.items.map((row) => ({
      ...toSummary(String(root), row),
      event: bodies.of(row.id as number),
    }));
    return { ...page, items };
  });
}

export function event(db: SqliteDatabase, projectId: number, errorId: string, eventId: string): TrackedEvent | null {
  if (!EVENT_ID.test(eventId)) {
    return null;
  }
  const key = [projectId, Buffer.from(eventId, 'hex')] as const;
  const live = `${EVENT} WHERE k.project_id = ? AND k.event_id = ?`;
  const imported = `${IMPORTED_EVENT} WHERE project_id = ? AND event_id = ?`;
  return readEvent(db, projectId, errorId, () => db.get(live, ...key) ?? db.get(imported, ...key));
}

export function latestEvent(db: SqliteDatabase, projectId: number, errorId: string): TrackedEvent | null {
  return readEvent(db, projectId, errorId, (members) => {
    const [newest] = neighbours(db, members, null, 1);
    return newest === undefined ? undefined : eventOfRow(db, newest.id as number);
  });
}

export function oldestEvent(db: SqliteDatabase, projectId: number, errorId: string): TrackedEvent | null {
  return readEvent(db, projectId, errorId, (members) => {
    const [oldest] = neighbours(db, members, BEFORE_ALL, 1);
    return oldest === undefined ? undefined : eventOfRow(db, oldest.id as number);
  });
}

export function newestUsers(db: SqliteDatabase, projectId: number, errorId: string): UserOfEvent[] | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    if (group === null) return null;
    const found = new UsersOfEvents();
    const blocks = new BlockReader<number>();
    // Reads one at a time, because not all may be needed.
    for (const row of neighbours(db, group.members, null, MAX_EVENTS_FOR_USERS)) {
      const eventId = row.event_id as string;
      const stored = eventOfRow(db, row.id as number);
      const body = stored === undefined ? null : bodyOf(db, eventId, stored, blocks);
      if (body !== null && !found.take({ eventId, at: row.at as number, body })) break;
    }
    return found.users;
  });
}

/** Returns the terms of the newest stored event of an error's own row; null when it has none, or it is damaged. */
export function latestTerms(db: SqliteDatabase, id: number): SearchTerms | null {
  const [newest] = neighbours(db, [id], null, 1);
  const row = newest === undefined ? undefined : eventOfRow(db, newest.id as number);
  try {
    const body = row === undefined ? null : bodyOf(db, newest?.event_id as string, row, new BlockReader());
    return body === null ? null : searchTermsOf(body.event);
  } catch {
    return null;
  }
}

function eventOfRow(db: SqliteDatabase, id: number): Row | undefined {
  return id < 0 ? db.get(`${IMPORTED_EVENT} WHERE id = ?`, -id) : db.get(`${EVENT} WHERE k.id = ?`, id);
}

function readEvent(
  db: SqliteDatabase,
  projectId: number,
  errorId: string,
  find: (members: readonly number[]) => Row | undefined,
): TrackedEvent | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    const row = group === null ? undefined : find(group.members);
    if (group === null || row === undefined || !group.members.includes(row.error_id as number)) {
      return null;
    }
    const body = bodyOf(db, Buffer.from(row.event_id as Uint8Array).toString('hex'), row, new BlockReader());
    if (body === null) return null;
    const place = { value: row.at as number, id: row.id as number, inclusive: false };
    const [older] = neighbours(db, group.members, { ...place, direction: 'next' }, 1);
    const [newer] = neighbours(db, group.members, { ...place, direction: 'previous' }, 1);
    return {
      errorId: String(group.root),
      receivedAt: row.received_at as number,
      event: body.event,
      previousEventId: older === undefined ? null : (older.event_id as string),
      nextEventId: newer === undefined ? null : (newer.event_id as string),
      ...placeAmong(db, group.members, place),
      userReports: reportsOf(db, projectId, row.event_id as Uint8Array),
      ...importedMark(row),
    };
  });
}

/** Returns the body of an event, from its row or from the block that the row names; null when that does not have it. */
function bodyOf(db: SqliteDatabase, eventId: string, row: Row, blocks: BlockReader<number>): EventBody | null {
  const blockId = row.block_id as number | null;
  if (blockId === null) return ownBody(row.payload as Uint8Array);
  if (!blocks.has(blockId)) blocks.add(blockId, bodiesOf(db, blockId));
  return blocks.read(blockId, eventId);
}

/** Returns the bytes of a block that a row names. */
export function bodiesOf(db: SqliteDatabase, blockId: number): Uint8Array {
  const block = db.get('SELECT bodies FROM event_blocks WHERE id = ?', blockId);
  if (block === undefined) throw new Error(`the block ${blockId} of event bodies is not in the store`);
  return block.bodies as Uint8Array;
}

/** Returns stored events of an error's rows beyond a place, nearest first; from the newest without one. */
function neighbours(db: SqliteDatabase, members: readonly number[], from: Cursor | null, limit: number): Row[] {
  const order = from?.direction === 'previous' ? 1 : -1;
  return members
    .flatMap((member) => [...neighboursOf(db, member, from, limit), ...importedNeighbours(db, member, from, limit)])
    .sort((a, b) => order * ((a.at as number) - (b.at as number) || (a.id as number) - (b.id as number)))
    .slice(0, limit);
}

/** Returns the position of a stored event and the number of stored ones, each up to MAX_EVENTS_COUNTED. */
function placeAmong(
  db: SqliteDatabase,
  members: readonly number[],
  place: Place,
): Pick<TrackedEvent, 'position' | 'stored'> {
  const newer = countEvents(db, members, place);
  return {
    position: newer >= MAX_EVENTS_COUNTED ? null : newer + 1,
    stored: countEvents(db, members, { value: Number.MIN_SAFE_INTEGER, id: 0 }),
  };
}

/** Counts the stored events after a place, newer first; stops at MAX_EVENTS_COUNTED. Reads indexes. */
function countEvents(db: SqliteDatabase, members: readonly number[], { value, id }: Place): number {
  let count = 0;
  for (const member of members) {
    for (const sql of [COUNT_NEWER, COUNT_NEWER_IMPORTED]) {
      const left = MAX_EVENTS_COUNTED - count;
      if (left <= 0) return count;
      count += db.number(sql, member, value, id, left);
    }
  }
  return count;
}

function neighboursOf(db: SqliteDatabase, errorId: number, from: Cursor | null, limit: number): Row[] {
  if (from === null) {
    return db.all(`${SUMMARY} ORDER BY v.at DESC, v.id DESC LIMIT ?`, errorId, limit);
  }
  const { compare, order } = beyond(from);
  const sql = `${SUMMARY} AND (v.at, v.id) ${compare} (?, ?) ORDER BY v.at ${order}, v.id ${order} LIMIT ?`;
  return db.all(sql, errorId, from.value, from.id, limit);
}

function importedNeighbours(db: SqliteDatabase, errorId: number, from: Cursor | null, limit: number): Row[] {
  if (from === null) {
    return db.all(`${IMPORTED_SUMMARY} ORDER BY i.at DESC, i.id LIMIT ?`, errorId, limit);
  }
  const { compare, order } = beyond(from);
  const byTime = order === 'DESC' ? 'i.at DESC, i.id' : 'i.at, i.id DESC';
  const sql = `${IMPORTED_SUMMARY} AND (i.at, -i.id) ${compare} (?, ?) ORDER BY ${byTime} LIMIT ?`;
  return db.all(sql, errorId, from.value, from.id, limit);
}

/** Marks rows of imported events. */
function importedMark(row: Row): { imported?: true } {
  return (row.id as number) < 0 ? { imported: true } : {};
}

function toSummary(errorId: string, row: Row): EventSummary {
  return {
    eventId: row.event_id as string,
    errorId,
    at: row.at as number,
    receivedAt: row.received_at as number,
    ...importedMark(row),
  };
}
