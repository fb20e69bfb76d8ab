import assert from 'node:assert/strict';
import { SESSION_ENDS, type SessionEnd, type SessionUpdate } from '../../src/domain/releases/session.ts';
import type { DigestedReport } from '../../src/domain/events/user-report.ts';
import { scopesOf } from '../../src/storage/releases/fold-releases.ts';
import { endCode } from '../../src/storage/releases/session-outcomes.ts';
import {
  releaseHash,
  sessionRowKey,
  type EventReportsDocument,
  type ReleaseDocument,
  type ReleaseHoursDocument,
  type SessionRowDocument,
  type ShortCounts,
} from '../../src/storage/mongo/documents/release-documents.ts';
import type { SimRecord } from './mongo-sim-records.ts';
import { hexId, HOUR, NOON } from './store-data.ts';

export const PROJECT = 1;

const STATES: readonly (SessionEnd | 'ok' | 'errored')[] = ['ok', 'errored', ...SESSION_ENDS];

/** Few sessions, so that each gets several updates with contradicting ends and users. */
const sessionNo = (id: number): number => id % 4;
const eventIdOf = (id: number): string => hexId(`event ${id}`);

/** Session update of a record. Another program version reads another hour. */
export function digestSimSession({ id, variant }: SimRecord, version: number): SessionUpdate {
  const session = sessionNo(id);
  const state = STATES[(id * 5 + variant) % STATES.length] ?? 'ok';
  const end = state === 'ok' || state === 'errored' ? null : state;
  const startedAt = NOON - (session + version) * 5 * HOUR;
  return {
    kind: 'update',
    projectId: PROJECT,
    keyId: 1,
    receivedAt: NOON,
    release: `r${session % 2}`,
    environment: session === 3 ? null : `env ${session % 2}`,
    sessionId: hexId(`session ${session}`),
    startedAt,
    at: startedAt + id,
    errored: state !== 'ok' && state !== 'exited',
    end,
    userHash: variant === 0 ? null : hexId(`session user ${(id + variant) % 3}`, 24),
  };
}

export function digestSimReport({ id, variant }: SimRecord): DigestedReport {
  const report = { id: hexId(`report ${id} ${variant}`), kind: 'user_report' as const, name: null, email: null };
  return {
    projectId: PROJECT,
    keyId: 1,
    eventId: eventIdOf(id),
    report: { ...report, comments: `${variant}`, url: null, receivedAt: NOON },
  };
}

interface SimCollections {
  of(name: string): Map<string, unknown>;
}

/**
 * Checks sessions and reports: each row exists once, sums match the rows, and rows match the records.
 * If a session has several ends, any of them may be the stored one.
 */
export function checkSessions(db: SimCollections, records: readonly SimRecord[]): void {
  const all = <T>(name: string): T[] => [...db.of(name).values()] as T[];
  const updates = records.map((record) => digestSimSession(record, 0));
  const rows = new Map(all<SessionRowDocument>('sessionRows').map((row) => [row._id.toString('hex'), row]));
  const rowOf = (update: SessionUpdate, kind: 'seen' | 'errored' | 'ended') =>
    rows.get(sessionRowKey(PROJECT, update.sessionId, kind).toString('hex'));
  for (const record of records) {
    const variants = updates.filter(({ sessionId }) => sessionId === digestSimSession(record, 0).sessionId);
    const own = digestSimSession(record, 0);
    assert.ok(rowOf(own, 'seen') !== undefined, 'a session was not seen');
    assert.equal(
      rowOf(own, 'errored') !== undefined,
      variants.some(({ errored }) => errored),
      'errored',
    );
    assert.equal(
      rowOf(own, 'ended') !== undefined,
      variants.some(({ end }) => end !== null),
      'ended',
    );
    const ended = rowOf(own, 'ended');
    assert.ok(ended === undefined || variants.some(({ end }) => endCode(end) === ended.t), 'an end from nowhere');
  }
  checkSums(all('releases'), all('releaseHours'), [...rows.values()], updates);
  checkUsers(all('releases'), all('releaseUsers'), rowOf, updates);
  const events = all<ReleaseDocument>('releases').reduce((sum, { e, ev }) => sum + (e === '' ? ev : 0), 0);
  assert.equal(events, new Set(records.map(({ id }) => id)).size, 'events of releases');
  const reports = all<EventReportsDocument>('eventReports').flatMap(({ r }) => Object.keys(r));
  assert.deepEqual(
    reports.sort(),
    [...new Set(records.map((record) => digestSimReport(record).report.id))].sort(),
    'reports',
  );
}

function checkSums(
  releases: readonly ReleaseDocument[],
  days: readonly ReleaseHoursDocument[],
  rows: readonly SessionRowDocument[],
  updates: readonly SessionUpdate[],
): void {
  const expected = new Map<string, number>();
  const add = (name: string) => expected.set(name, (expected.get(name) ?? 0) + 1);
  for (const row of rows) {
    const kind = row._id.buffer[20];
    const own = updates.find(({ sessionId }) => row._id.toString('hex').slice(8, 40) === sessionId);
    assert.ok(own !== undefined, 'a session from nowhere');
    const members = kind === 0 ? ['s'] : kind === 1 ? ['e'] : ['', '', 'c', 'a', 'u'].slice(row.t, row.t + 1);
    for (const member of members.filter((each) => each !== '')) {
      for (const { environment, release } of scopesOf(PROJECT, own.release, own.environment)) {
        add(`${releaseHash({ environment, release })} ${member}`);
        add(`${releaseHash({ environment, release })} ${row.hr} ${member}`);
        add(`${releaseHash({ environment, release: '' })} ${row.hr} ${member}`);
      }
    }
  }
  const found = new Map<string, number>();
  const list = (name: string, counts: ShortCounts) =>
    Object.entries(counts).forEach(([member, count]) => found.set(`${name} ${member}`, count));
  releases.forEach(({ _id, c = {} }) => list(_id.toString('hex').slice(8), c));
  for (const { _id, d, h } of days) {
    Object.entries(h).forEach(([hour, counts]) =>
      list(`${_id.toString('hex').slice(8, 40)} ${d * 24 + Number(hour)}`, counts),
    );
  }
  assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()), 'sums of sessions');
}

function checkUsers(
  releases: readonly ReleaseDocument[],
  people: readonly { readonly _id: SessionRowDocument['_id'] }[],
  rowOf: (update: SessionUpdate, kind: 'ended') => SessionRowDocument | undefined,
  updates: readonly SessionUpdate[],
): void {
  const keys = people.map(({ _id }) => _id.toString('hex').slice(8));
  for (const { _id, u, cu } of releases) {
    const own = keys.filter((key) => key.startsWith(_id.toString('hex').slice(8)));
    assert.deepEqual(
      [u, cu],
      ['00', '01'].map((kind) => own.filter((key) => key.endsWith(kind)).length),
      'people of a release',
    );
  }
  const expected = new Set<string>();
  for (const update of updates) {
    const crashed = update.end === 'crashed' && rowOf(update, 'ended')?.t === endCode('crashed');
    for (const scope of scopesOf(PROJECT, update.release, update.environment)) {
      if (update.userHash !== null) {
        expected.add(`${releaseHash(scope)}${update.userHash}00`);
        if (crashed) {
          expected.add(`${releaseHash(scope)}${update.userHash}01`);
        }
      }
    }
  }
  assert.deepEqual(keys.sort(), [...expected].sort(), 'people');
}
