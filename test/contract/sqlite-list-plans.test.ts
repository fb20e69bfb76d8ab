import assert from 'node:assert/strict';
import type { SearchCondition } from '../../src/domain/search/search-condition.ts';
import { TIME_RANGES } from '../../src/domain/search/time-range.ts';
import { ERROR_SORTS, type ErrorQuery, type ErrorSelection } from '../../src/domain/search/error-query.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/engine/database.ts';
import type { SqliteStatement } from '../../src/storage/sqlite/engine/driver.ts';
import { encodePayload } from '../support/encode-payload.ts';
import { exception, frame } from '../support/factories.ts';
import {
  errorOf,
  EVERYTHING,
  hexId,
  makeEvent,
  makeProject,
  NOON,
  normalisedEvent,
  TestJournal,
} from '../support/store-data.ts';
import { LOCAL_SQLITE, type StoreHarness } from '../support/store-harness.ts';

type Prepare = (this: SqliteDatabase, sql: string) => SqliteStatement;

type Wanted = SearchCondition extends infer C ? (C extends SearchCondition ? Omit<C, 'not'> : never) : never;

/** Each kind of condition. */
const CONDITIONS: readonly Wanted[] = [
  { field: 'status', value: 'resolved' },
  { field: 'level', value: 'fatal' },
  ...(['new', 'regressed', 'escalating', 'unhandled', 'for_review'] as const).map(
    (value) => ({ field: 'mark', value }) as const,
  ),
  { field: 'assignee', value: null },
  { field: 'assignee', value: 7 },
  { field: 'type', value: 'ValueError' },
  { field: 'type', value: 'Val', match: 'prefix' },
  { field: 'release', value: 'shop@1' },
  { field: 'release', value: 'shop@', match: 'prefix' },
  { field: 'environment', value: 'live' },
  { field: 'environment', value: 'li', match: 'prefix' },
  { field: 'user', value: 'ada' },
  { field: 'file', value: 'a.py' },
  { field: 'file', value: 'a', match: 'prefix' },
  { field: 'url.host', value: 'site-b.example' },
  { field: 'url.path', value: '/check', match: 'prefix' },
  { field: 'function', value: 'run' },
  { field: 'function', value: 'ru', match: 'prefix' },
  { field: 'tag', key: 'browser', value: null },
  { field: 'tag', key: 'browser', value: 'Firefox 1' },
  { field: 'tag', key: 'browser', value: 'Fire', match: 'prefix' },
  { field: 'tag', key: 'browser', value: 'Firefox', match: 'name' },
  {
    field: 'any',
    of: [
      { field: 'tag', key: 'browser', value: 'Firefox', match: 'name' },
      { field: 'tag', key: 'browser', value: 'Chrome' },
      { field: 'tag', key: 'browser.name', value: 'Firefox' },
      { field: 'release', value: 'shop@1' },
    ],
  },
  {
    field: 'any',
    of: [
      { field: 'level', value: 'fatal' },
      { field: 'level', value: 'error' },
    ],
  },
  {
    field: 'any',
    of: [
      { field: 'user', value: 'ada' },
      { field: 'user', value: 'bob' },
    ],
  },
  { field: 'first_seen', after: NOON, before: null },
  { field: 'last_seen', after: NOON, before: NOON },
];

const SELECTION: ErrorSelection = {
  ...{ status: 'unresolved', search: null, environment: null, release: null, level: null },
};

/** Reading a table from its beginning. Values passed as JSON and rows of subqueries are no tables. */
const SCANS = /^SCAN (\w+)(?! VIRTUAL)/;
/** Reading all errors of a project that have no part in a list: not by its status, order, or a mark. */
const READS_PROJECT = /^SEARCH (?:e|errors) USING .*\(project_id=\?\)$/;
/** Indexes of few errors: those with a mark or an assignee. */
const FEW = /errors_(?:regressed|escalated|for_review|by_assignee)/;

describe('plans of lists on the SQLite store', () => {
  let harness: StoreHarness;
  let project: Awaited<ReturnType<typeof makeProject>>;
  const statements = new Map<string, SqliteDatabase>();
  const prepare: Prepare = Reflect.get(SqliteDatabase.prototype, 'prepare');

  before(async () => {
    harness = await LOCAL_SQLITE.open();
    const { store } = harness;
    await store.initMeta('user_salt', 'salt');
    project = await makeProject(store);
    const journal = new TestJournal(store);
    const frames = [frame({ filename: 'a.py', function: 'run', in_app: true })];
    const events = Array.from({ length: 40 }, (_, index) => {
      const eventId = hexId(`plan ${index}`);
      return makeEvent(project, `plan ${index}`, {
        ...{ eventId, group: `g${index}`, user: `user ${index}`, tags: [['browser', `Firefox ${index}`]] },
        payload: encodePayload({ ...normalisedEvent(eventId), exceptions: [exception({ frames })] }),
      });
    });
    await journal.apply(events);
    const [one, two] = [await errorOf(store, project, 'g1'), await errorOf(store, project, 'g2')];
    await store.mergeErrors(project.id, [one.id, two.id]);
    await store.rankErrors(NOON);
    SqliteDatabase.prototype.prepare = function (this: SqliteDatabase, sql) {
      statements.set(sql, this);
      return prepare.call(this, sql);
    };
  });
  after(async () => {
    SqliteDatabase.prototype.prepare = prepare;
    await harness.dispose();
  });
  beforeEach(() => statements.clear());

  /** Returns the steps of the plans of all statements since the test began, with the statement. */
  const steps = (): { detail: string; sql: string }[] =>
    [...statements]
      .filter(([sql]) => sql.trimStart().startsWith('SELECT') || sql.trimStart().startsWith('WITH'))
      .flatMap(([sql, db]) =>
        prepare
          .call(db, `EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map((row) => ({ detail: String(row['detail']), sql })),
      );

  /** Requires that every step reads an index, bounded by more than the project. */
  const assertBounded = (least: number): void => {
    const found = steps();
    assert.ok(found.length >= least, `only ${found.length} steps were explained`);
    const tables = new Set(['e', 't', 'u', 'm', 'k', 'g', 'h', 'errors', 'error_groups', 'error_tags', 'error_terms']);
    const wrong = found.filter(({ detail }) => {
      const scanned = SCANS.exec(detail)?.[1];
      return (scanned !== undefined && tables.has(scanned)) || (READS_PROJECT.test(detail) && !FEW.test(detail));
    });
    assert.deepEqual(
      wrong.map(({ detail, sql }) => `${detail}: ${sql}`),
      [],
    );
  };

  const list = (part: Partial<ErrorQuery>) =>
    harness.store.listErrors(project.id, { ...EVERYTHING, limit: 10, ...part }, NOON);

  it('read the index of their order, in every range, and sort no errors', async () => {
    for (const status of ['unresolved', 'all'] as const) {
      for (const sort of ERROR_SORTS) {
        await list({ status, sort });
        for (const range of TIME_RANGES) await list({ status, sort, range });
      }
    }
    const first = await list({ sort: 'matters' });
    await list({ sort: 'matters', cursor: first.next });
    assertBounded(200);
    const lists = steps().filter(({ sql }) => sql.includes('AS merged FROM errors e'));
    const unordered = lists.filter(({ detail }) => /^SEARCH e /.test(detail) && !/USING INDEX/.test(detail));
    assert.deepEqual(unordered, []);
    // The merge of the arms is the only sort.
    const sorts = lists.filter(({ detail }) => detail.includes('TEMP B-TREE'));
    assert.deepEqual(
      sorts.filter(({ detail }) => detail !== 'USE TEMP B-TREE FOR ORDER BY').map(({ detail }) => detail),
      [],
    );
  });

  it('begin within the index at the time at which a range begins, and count its tabs so', async () => {
    await list({ sort: 'last_seen', range: '24h' });
    await harness.store.countTabs(project.id, { ...SELECTION, range: '24h' }, NOON);
    const reads = steps().filter(({ detail }) => /^SEARCH e .*_by_last_seen/.test(detail));
    assert.ok(reads.length > 0, JSON.stringify(steps()));
    for (const { detail } of reads) assert.match(detail, /last_seen>\?/);
  });

  for (const condition of CONDITIONS) {
    it(`ask each error, or an index: ${JSON.stringify(condition)}`, async () => {
      for (const not of [false, true]) {
        const conditions = [{ not, ...condition } as SearchCondition];
        await list({ conditions, status: 'all' });
        await list({ conditions, status: 'all', sort: 'matters' });
        await harness.store.countTabs(project.id, { ...SELECTION, conditions }, NOON);
        await harness.store.matchingErrors(project.id, { ...SELECTION, conditions }, 0, 10, NOON);
      }
      assertBounded(20);
      const onTags = steps().filter(({ detail, sql }) => / t USING /.test(detail) && sql.includes('error_tags t'));
      for (const { detail } of onTags) assert.match(detail, /error_id=\? AND key=\?/);
    });
  }

  it('seek the release and the environment of a filter within the values of the tag', async () => {
    await list({ release: 'shop@1', environment: 'live' });
    const seeks = steps().filter(({ detail }) => /error_id=\? AND key=\? AND value=\?/.test(detail));
    assert.ok(seeks.length > 1, JSON.stringify(steps().map(({ detail }) => detail)));
  });

  it('of suggestions, reviews, words and counts read an index', async () => {
    const { store } = harness;
    await list({ forReview: true });
    await list({ search: 'some words' });
    await list({ release: 'shop@1', environment: 'live', level: 'fatal' });
    await store.countTabs(project.id, SELECTION, NOON);
    await store.projectNews([project.id], NOON);
    await store.filterValues(project.id);
    await store.releaseNames(project.id);
    await store.tagNames(project.id);
    await store.tagValues(project.id, 'browser', 'fi', true);
    assertBounded(60);
  });

  it('that scan a table, or all errors of a project, are detected', async () => {
    await list({});
    const [db] = statements.values();
    assert.ok(db !== undefined);
    for (const sql of [
      'SELECT t.value FROM error_tags t WHERE t.value = 1',
      'SELECT e.id FROM errors e WHERE e.title = 1',
      'SELECT e.id FROM errors e INDEXED BY errors_by_count WHERE project_id = 1 AND merged_into IS NULL',
    ]) {
      statements.clear();
      statements.set(sql, db);
      assert.throws(() => assertBounded(1), /SCAN|SEARCH/, sql);
    }
  });
});
