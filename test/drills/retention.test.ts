import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { describeOnMongoInFullRun, TestDatabases } from '../support/mongo-engine.ts';
import { recordResult } from '../support/record-result.ts';
import { BatchJournal } from '../support/session-data.ts';
import { BEGIN, ERRORS, liveThroughMonths, SetClock, SETTINGS } from '../support/simulated-months.ts';
import { DAY, listAll, makeEvent } from '../support/store-data.ts';
import { type Held, mongoRows, sqliteRows } from '../support/store-rows.ts';

/** Full size by `ERRGATE_TEST_RETENTION_EVENTS=1000` (`npm run test:full`). */
const EVENTS = Number(process.env['ERRGATE_TEST_RETENTION_EVENTS'] ?? 30);
const DAYS = 183;
/** From here on every bound is reached: the longest is 90 days. */
const STEADY_FROM = 105;
const STEADY_DAYS = 25;
/**
 * Of crowded errors up to a sixteenth more goes. Pages of a table whose rows come and go end up half full, which
 * takes longer than the months do; all of them together settle earlier.
 */
const TOLERANCE = { rows: 1.07, bytes: 1.25, allBytes: 1.1 };

/** A table of ten rows, such as blocks of event bodies, changes by whole rows. */
const FEW_ROWS = 3;

/** Four pages: what a table of few rows and its indexes may grow by. */
const SMALL_TABLE = 4 * 4096;

type Samples = Map<number, Map<string, Held>>;

function isSampled(day: number): boolean {
  return day >= STEADY_FROM && (DAYS - day) % 14 === 0;
}

function greatest(samples: Samples, table: string, what: keyof Held, from: number, until: number): number {
  const days = [...samples].filter(([day]) => day >= from && day <= until);
  assert.ok(days.length > 1, 'there is something to compare');
  return Math.max(...days.map(([, held]) => held.get(table)?.[what] ?? 0));
}

/** Nothing but the tables named is larger in the last weeks than it was when every bound was reached. Answers its bytes. */
function assertFlat(samples: Samples, growing: readonly string[], slackBytes: number): number {
  let [early, late] = [0, 0];
  const last = [...samples.values()].at(-1) ?? new Map<string, Held>();
  for (const table of [...last.keys()].filter((name) => !growing.includes(name))) {
    for (const what of ['rows', 'bytes'] as const) {
      const before = greatest(samples, table, what, STEADY_FROM, STEADY_FROM + STEADY_DAYS);
      const after = greatest(samples, table, what, STEADY_FROM + STEADY_DAYS + 1, DAYS);
      const slack = what === 'bytes' ? slackBytes : FEW_ROWS;
      assert.ok(after <= before * TOLERANCE[what] + slack, `${table}: ${before} ${what} became ${after}`);
      if (what === 'bytes') [early, late] = [early + before, late + after];
    }
  }
  assert.ok(late <= early * TOLERANCE.allBytes, `${early} bytes became ${late}`);
  return late;
}

/** What the rows of a day come to: the bounds in figures. */
function assertBounds(rows: (table: string) => number, names: Readonly<Record<string, string>>, perDay: number): void {
  const of = (kind: string): number => rows(names[kind] ?? '');
  const bounds: Record<string, readonly [least: number, most: number]> = {
    errors: [ERRORS, ERRORS],
    events: [1, ERRORS * SETTINGS.maxEventsPerError],
    keys: [perDay, 8 * perDay + ERRORS * SETTINGS.maxEventsPerError],
    sessions: [perDay, 8 * perDay],
    releases: [2, 2 * 92],
    visitors: [perDay, 2 * 92 * perDay],
    reports: [1, 2 * 31 + 2],
  };
  for (const [kind, [least, most]] of Object.entries(bounds).filter(([name]) => name in names)) {
    assert.ok(of(kind) >= least && of(kind) <= most, `${kind}: ${of(kind)} is not within ${least} and ${most}`);
  }
}

describe('retention drill: six months of ids, users and tags that are always new', () => {
  it('keeps the size of the embedded store constant, except for users and errors', async function () {
    this.timeout(120_000 + EVENTS * 2000);
    const dataDir = mkdtempSync(join(tmpdir(), 'errgate-months-'));
    const clock = new SetClock();
    const store = await openStore({ url: 'sqlite:', dataDir, clock });
    try {
      const samples: Samples = new Map();
      const began = performance.now();
      const project = await liveThroughMonths({
        ...{ store, clock, days: DAYS, step: 1, events: EVENTS },
        onDay: (day) => {
          if (isSampled(day)) samples.set(day, sqliteRows(dataDir));
          return Promise.resolve();
        },
      });
      const seconds = Math.round((performance.now() - began) / 1000);
      // Errors reach further steps of users, so that facts come late.
      const flat = assertFlat(samples, ['error_users', 'alert_facts'], SMALL_TABLE);
      const last = sqliteRows(dataDir);
      const held = (table: string): Held => last.get(table) ?? { rows: 0, bytes: 0 };
      const names = { errors: 'errors', events: 'events', keys: 'event_keys', sessions: 'sessions' };
      const more = { releases: 'releases', visitors: 'release_users', reports: 'event_reports' };
      assertBounds((table) => held(table).rows, { ...names, ...more }, EVENTS);
      // Of an error 60 keys are counted: 2 with a hundred values at most, one with 20, the others with one each.
      assert.equal(held('error_tag_keys').rows, ERRORS * 60);
      assert.equal(held('error_tags').rows, ERRORS * (1 + 100 + 20 + 57));
      assert.ok(held('error_hours').rows <= ERRORS * Math.min(EVENTS / ERRORS, 24) * 32);
      assert.ok(held('alert_facts').rows <= ERRORS * Math.log10(DAYS * EVENTS));
      const users = held('error_users');
      assert.equal(users.rows, DAYS * EVENTS);
      await assertCounts(store, project.id, DAYS * EVENTS);

      const perError = await bytesPerError(store, dataDir, project.id);
      const perUser = users.bytes / users.rows;
      assert.ok(perUser < 60 && perError < 6000, `${perUser} bytes per user, ${perError} per error`);
      recordResult('retention-drill', {
        ...{ store: 'SQLite', days: DAYS, events: DAYS * EVENTS, seconds, bytes_besides_users: flat },
        ...{ user_rows: users.rows, bytes_per_user: round(perUser), bytes_per_error: Math.round(perError) },
        file_bytes: statSync(join(dataDir, 'errgate.db')).size,
      });
    } finally {
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  describeOnMongoInFullRun('on MongoDB', function (uri) {
    it('keeps the size of every collection constant, except for users', async function () {
      const full = EVENTS > 100;
      const events = full ? Math.round(EVENTS / 10) : EVENTS;
      this.timeout(180_000 + events * 10_000);
      const databases = new TestDatabases(uri);
      const url = databases.create();
      const dataDir = mkdtempSync(join(tmpdir(), 'errgate-months-'));
      const clock = new SetClock();
      const store = await openStore({ url, dataDir, clock });
      try {
        const samples: Samples = new Map();
        const began = performance.now();
        // What counts is the time that passes.
        const step = full ? 1 : 7;
        const project = await liveThroughMonths({
          ...{ store, clock, days: DAYS, step, events },
          onDay: async (day) => {
            if (isSampled(day)) samples.set(day, await mongoRows(url));
          },
        });
        const seconds = Math.round((performance.now() - began) / 1000);
        const flat = assertFlat(samples, ['errorusers'], 0);
        const last = samples.get(DAYS);
        const rows = (table: string): number => last?.get(table)?.rows ?? 0;
        const names = { errors: 'errors', keys: 'events', releases: 'releases', reports: 'eventreports' };
        assertBounds(rows, { ...names, visitors: 'releaseusers' }, events);
        const batches = Math.ceil(DAYS / step);
        const users = last?.get('errorusers') ?? { rows: 0, bytes: 0 };
        assert.equal(users.rows, batches * events);
        await assertCounts(store, project.id, batches * events);
        recordResult('retention-drill', {
          ...{ store: 'MongoDB', days: DAYS, events: batches * events, seconds, bytes_besides_users: flat },
          ...{ user_rows: users.rows, bytes_per_user: round(users.bytes / users.rows), bytes_per_error: null },
          file_bytes: null,
        });
      } finally {
        await store.close();
        await databases.dropAll();
        rmSync(dataDir, { recursive: true, force: true });
      }
    });
  });
});

/** Whatever was removed is still counted. */
async function assertCounts(store: Store, projectId: number, events: number): Promise<void> {
  const project = await store.projectById(projectId);
  assert.ok(project !== null);
  const errors = await listAll(store, project, {}, BEGIN + DAYS * DAY);
  let [count, people] = [0, 0];
  for (const error of errors) {
    count += error.count;
    people += error.userCount ?? 0;
  }
  assert.deepEqual([errors.length, count, people], [ERRORS, events, events]);
}

/** What an error takes besides its events, people and hours: its row, five tags, and the indexes of both. */
async function bytesPerError(store: Store, dataDir: string, projectId: number): Promise<number> {
  const project = await store.projectById(projectId);
  assert.ok(project !== null);
  const bytes = (): number => {
    const held = sqliteRows(dataDir);
    return ['errors', 'error_tags', 'error_tag_keys'].reduce((sum, table) => sum + (held.get(table)?.bytes ?? 0), 0);
  };
  const before = bytes();
  const count = 1000;
  const tags = ['environment', 'release', 'level', 'browser', 'os'].map((key) => [key, `some ${key}`] as const);
  const events = Array.from({ length: count }, (_, index) =>
    makeEvent(project, `single ${index}`, {
      group: `single ${index}`,
      at: BEGIN + DAYS * DAY,
      release: 'shop@after',
      tags,
    }),
  );
  await new BatchJournal(store, 'errors').give({ events });
  return (bytes() - before) / count;
}

function round(bytes: number): number {
  return Math.round(bytes * 10) / 10;
}
