import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/store.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import type { SqliteStatement } from '../../src/storage/sqlite/driver.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { LOCAL_SQLITE, type StoreHarness } from '../support/store-harness.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

type Prepare = (this: SqliteDatabase, sql: string) => SqliteStatement;

const DAY = 24 * 3_600_000;

/** Reading a table from its beginning without an index, or all keys of a project by the index of event ids. */
const READS_ALL = /^SCAN (?:v|k|events|event_keys|event_blocks)\b|^SEARCH \w+ USING .*\bINDEX \S+ \(project_id=\?\)$/;

/** Reads the oldest rows, a bounded number of them. */
const READS_OLDEST = /FROM events ORDER BY id LIMIT/;

/** Reads, packs and removes events, alone and in blocks. */
async function useEvents(store: Store): Promise<void> {
  const project = await makeProject(store);
  const journal = new TestJournal(store);
  const groups = ['one', 'two', 'three'];
  for (let batch = 0; batch < 4; batch += 1) {
    const at = NOON + batch;
    const events = Array.from({ length: batch < 3 ? 60 : 3 }, (_, index) =>
      makeEvent(project, `event ${batch} ${index}`, { at: at + index, receivedAt: at, group: groups[index % 3] ?? '' }),
    );
    await journal.apply(events);
    const last = events.at(-1)?.eventId ?? '';
    const { id } = await errorOf(store, project, 'three');
    await store.event(project.id, id, last);
    await store.latestEvent(project.id, id);
  }
  await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + DAY });
  await pruneAll(store, { ...KEEP, maxEventsPerError: 10 });
  await pruneAll(store, { ...KEEP, receivedBefore: NOON + 2, keysReceivedBefore: NOON + 2 });
  await pruneAll(store, { ...KEEP, receivedBefore: NOON + DAY, keysReceivedBefore: NOON + DAY });
}

describe('statements of the SQLite store', () => {
  let harness: StoreHarness;
  const statements = new Map<string, SqliteDatabase>();
  const prepare: Prepare = Reflect.get(SqliteDatabase.prototype, 'prepare');

  before(async () => {
    SqliteDatabase.prototype.prepare = function (this: SqliteDatabase, sql) {
      statements.set(sql, this);
      return prepare.call(this, sql);
    };
    harness = await LOCAL_SQLITE.open();
    await useEvents(harness.store);
  });
  after(async () => {
    SqliteDatabase.prototype.prepare = prepare;
    await harness.dispose();
  });

  it('on events, keys and blocks read an index', () => {
    const asked = [...statements].filter(
      ([sql]) => /\bevents\b|event_keys|event_blocks/.test(sql) && !READS_OLDEST.test(sql),
    );
    assert.ok(asked.length > 20, `only ${asked.length} statements were explained`);
    const reading = asked.flatMap(([sql, db]) =>
      db
        .all(`EXPLAIN QUERY PLAN ${sql}`)
        .map(({ detail }) => String(detail))
        .filter((detail) => READS_ALL.test(detail))
        .map((detail) => `${detail}: ${sql}`),
    );
    assert.deepEqual(reading, []);
  });
});
