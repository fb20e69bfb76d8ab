import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/engine/database.ts';
import type { SqliteStatement } from '../../src/storage/sqlite/engine/driver.ts';
import { makeDelivery } from '../support/alert-data.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { LOCAL_SQLITE, type StoreHarness } from '../support/store-harness.ts';
import { BatchJournal, report } from '../support/session-data.ts';
import { errorOf, hexId, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

type Prepare = (this: SqliteDatabase, sql: string) => SqliteStatement;

const DAY = 24 * 3_600_000;

/** Reading a table from its beginning without an index, or all keys of a project by the index of event ids. */
const READS_ALL = /^SCAN (?:v|k|events|event_keys|event_blocks)\b|^SEARCH \w+ USING .*\bINDEX \S+ \(project_id=\?\)$/;

/** Reading a whole table of alerts, except the small ones of settings and destinations. */
const READS_ALL_ALERTS = /^SCAN (?:alert_facts|alert_deliveries|alert_delivery_projects|alert_arms|d|p)\b(?! USING)/;
/** Reads the oldest facts, a bounded number of them. */
const READS_OLDEST_FACTS = /FROM alert_facts ORDER BY seq LIMIT/;

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
    await store.oldestEvent(project.id, id);
    await store.readEvents(project.id, id, 2, null);
    await store.tagNames(project.id);
    await store.tagValues(project.id, 'level', 'e', false);
  }
  await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + DAY });
  await pruneAll(store, { ...KEEP, maxEventsPerError: 10 });
  await pruneAll(store, { ...KEEP, receivedBefore: NOON + 2, keysReceivedBefore: NOON + 2 });
  await pruneAll(store, { ...KEEP, receivedBefore: NOON + DAY, keysReceivedBefore: NOON + DAY });
}

/** Reads and removes facts and deliveries. */
async function useAlerts(store: Store): Promise<void> {
  const project = await makeProject(store);
  await new TestJournal(store).apply([makeEvent(project, 'one')]);
  const { id } = await errorOf(store, project);
  const deliveries = [makeDelivery([project]), makeDelivery([project])];
  for (const delivery of deliveries) await store.saveDelivery(delivery);
  const after = deliveries[0]?.id ?? null;
  for (const destination of [null, 'channel:1'] as const) {
    await store.listDeliveries({ projectId: project.id, destination, limit: 10, after });
  }
  await store.deliveriesAround(project.id, 1);
  await store.failedDeliveries(null);
  await store.failedDeliveries(project.id);
  const [fact] = await store.listFacts(0, 10);
  await store.factsOfError(project.id, id);
  await store.lastFact();
  if (fact !== undefined) await store.addFacts([fact]);
  await store.silenceFacts([{ seq: 1, reason: 'None.' }]);
  const arm = { projectId: project.id, ruleId: 1, errorId: id };
  await store.saveThresholdArm({ ...arm, fired: 1, armed: true, belowSince: null });
  await store.thresholdArms(project.id);
  await store.removeThresholdArm(arm);
  await pruneAll(store, { ...KEEP, factsBefore: 1, deliveriesBefore: 1 });
  await store.busyErrors(NOON, 1);
  await store.recentErrors(project.id, NOON);
  await store.countEvents(project.id, id, NOON, 10);
  await store.errorStates(project.id, [id]);
}

/** Lists the reports of a project, from the newest and after a cursor. */
async function useReports(store: Store): Promise<void> {
  const project = await makeProject(store);
  const reports = ['one', 'two'].map((name) => report(project, hexId(name), name));
  await new BatchJournal(store).give({ reports });
  const { next } = await store.listReports(project.id, 1, null);
  await store.listReports(project.id, 1, next);
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
    await useAlerts(harness.store);
    await useReports(harness.store);
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

  it('on reports read those of a page, each by the primary key of its event', () => {
    const asked = [...statements].filter(([sql]) => sql.includes('event_reports n') && !sql.startsWith('EXPLAIN'));
    assert.equal(asked.length, 3);
    for (const [sql, db] of asked) {
      const plan = db.all(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => String(detail));
      assert.match(plan.join('\n'), /SEARCH r USING COVERING INDEX event_reports_by_time \(project_id=\?/);
      assert.match(plan.join('\n'), /SEARCH n USING PRIMARY KEY \(project_id=\? AND event_id=\?\)/);
      assert.doesNotMatch(plan.join('\n'), /TEMP B-TREE/);
    }
  });

  it('on facts, deliveries and errors that jobs look at read an index', () => {
    const asked = [...statements].filter(
      ([sql]) => /alert_|error_hours/.test(sql) && !sql.startsWith('EXPLAIN') && !READS_OLDEST_FACTS.test(sql),
    );
    assert.ok(asked.length > 20, `only ${asked.length} statements were explained`);
    const reading = asked.flatMap(([sql, db]) =>
      db
        .all(`EXPLAIN QUERY PLAN ${sql}`)
        .map(({ detail }) => String(detail))
        .filter((detail) => READS_ALL_ALERTS.test(detail) || /^SCAN (?:h|e|errors|error_hours)\b/.test(detail))
        .map((detail) => `${detail}: ${sql}`),
    );
    assert.deepEqual(reading, []);
  });
});
