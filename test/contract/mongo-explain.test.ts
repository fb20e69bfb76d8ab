import assert from 'node:assert/strict';
import type { mongo } from 'mongoose';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { ERROR_SORTS } from '../../src/domain/search/error-query.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { queryNames, recordQueryNames, REFERENCE_QUERIES } from '../support/query-names.ts';
import { findsOne, readsIndex, scansCollection, SentQueries, type SentQuery } from '../support/mongo-commands.ts';
import { ordersBy, sortsInMemory } from '../support/mongo-sorts.ts';
import { hintProblem } from '../support/mongo-hints.ts';
import { IN_FULL_RUN, itInFullRun } from '../support/full-run.ts';
import { describeOnMongo, TestDatabases, withOption } from '../support/mongo-engine.ts';
import { openMongo, type OpenedMongo } from '../support/mongo-harness.ts';
import { scatteringQueries, shardedCollections } from '../support/scaling-doc.ts';
import { refreshStatistics, fillMongo } from '../support/mongo-fill.ts';
import { EVERYTHING, NOON } from '../support/store-data.ts';
import { fillSmall, useEverything } from '../support/mongo-use-everything.ts';

/** Full size in `npm run test:full`: planners of small collections scan them, so plans are looked at only there. */
const [EVENTS, ERRORS, PROJECTS] = IN_FULL_RUN ? [100_000, 10_000, 50] : [1000, 300, 10];

/** Queries that want all of a small collection, and the sums over the errors for which no request waits. */
const READS_ALL = new Set<string>([
  'reports.walk',
  'import_sources.list',
  'users.list',
  'groups.list',
  'tokens.list',
  'second_factors.list',
  'projects.list',
  'project_aliases.list',
  'protections.list',
  'forwards.list',
  'forward_states.list',
  'alert_channels.list',
  'alert_preferences.list',
  'project_alerts.list',
  'upload_projects.list',
  'pending_uploads.list',
  'alert_conversations.list',
  // The driver looks for any file before it writes one, to know whether its indexes are there.
  'find artifacts.files',
  'stats.errors',
  'stats.projects',
  'stats.users',
]);
/** Sorts of some rows that one person or one project has. */
const SORTS_FEW = new Set<string>(['ingest.keys']);
/** Rows that a server may sort in memory: no more than a page or two. */
const FEW = 40;
/** Errors of one project with one count. */
const TIES = IN_FULL_RUN ? 3000 : 300;
/** Collections with one row per gateway, per counter or per kind of lease: reading them whole costs nothing. */
const TINY = new Set(['slots', 'gateways', 'counters', 'errgate', 'meta', 'removedprojects']);

/** Milliseconds in which an engine has looked at tables that were just filled. */
const STATISTICS_MS = 120_000;

describeOnMongo('queries of the MongoDB store', function (uri) {
  this.timeout(300_000);
  const databases = new TestDatabases(uri);
  let context: MongoContext;
  let store: Store;
  let close: OpenedMongo['close'];
  let sent: SentQueries;

  before(async () => {
    ({ context, store, close } = await openMongo(withOption(databases.create(), 'monitorCommands', 'true')));
    sent = new SentQueries(context.connection.getClient());
    const ids = [];
    for (let index = 0; index < PROJECTS; index += 1) {
      const { id } = await store.createProject({ path: `g/p${index}`, name: 'p', visibility: 'private' });
      ids.push(id);
    }
    await fillSmall(context, ids);
    await fillMongo(context.connection, { projects: ids, errors: ERRORS, events: EVENTS });
    await useEverything(store, context, EVENTS);
    if (IN_FULL_RUN) await refreshStatistics(context.connection);
  });
  after(async () => {
    await close();
    await databases.dropAll();
  });

  it('all have a name of the sources, and each of these is used', () => {
    const names = queryNames();
    const ofRecords = [...REFERENCE_QUERIES, ...[...recordQueryNames().values()].flat()];
    const seen = new Set(
      sent
        .all()
        .filter(({ named }) => named)
        .map(({ name }) => name),
    );
    assert.deepEqual(
      names.filter((name) => !seen.has(name)),
      [],
      'in the sources but never asked: ask them in useEverything',
    );
    assert.deepEqual(
      [...seen].filter((name) => !names.includes(name) && !ofRecords.includes(name)),
      [],
    );
    for (const [table, queries] of recordQueryNames()) {
      assert.ok(
        queries.some((name) => seen.has(name)),
        `nothing asks for rows of ${table}: do so in useEverything`,
      );
    }
  });

  /** A collection that nothing was written to yet has what every one has. */
  const indexesOf = (collection: string): Promise<mongo.IndexDescription[]> =>
    context.connection
      .collection(collection)
      .indexes()
      .catch(() => [{ key: { _id: 1 } }]);

  const looksInto = async (lookup: mongo.Document | null): Promise<boolean> => {
    const plan = await context.connection.db?.command({ explain: lookup ?? {}, verbosity: 'queryPlanner' });
    return readsIndex(plan) && !scansCollection(plan);
  };
  const isOneRow = async ({ collection, lookup }: SentQuery): Promise<boolean> => {
    const index = (await indexesOf(collection)).find((each) => findsOne(each, lookup ?? {}));
    return index !== undefined && looksInto({ ...lookup, hint: index.name });
  };

  itInFullRun(`read an index; none scans a collection of up to ${EVENTS} documents`, async () => {
    const asked = sent
      .all()
      .filter(({ name, collection, lookup }) => lookup !== null && !READS_ALL.has(name) && !TINY.has(collection));
    assert.ok(asked.length > 60, `only ${asked.length} queries were explained`);
    let scans = asked;
    // A planner that goes by statistics may not have counted the new rows yet, and an engine with other work may have
    // refused to; an index that is missing stays missing.
    for (const deadline = Date.now() + STATISTICS_MS; scans.length > 0 && Date.now() < deadline;) {
      const still = [];
      for (const query of scans) {
        if (!(await looksInto(query.lookup)) && !(await isOneRow(query))) still.push(query);
      }
      if (still.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        await refreshStatistics(context.connection, new Set(still.map(({ collection }) => collection)));
      }
      scans = still;
    }
    assert.deepEqual(
      scans.map(({ name, lookup }) => `${name}: ${JSON.stringify(lookup)}`),
      [],
    );
  });

  it('ask only for indexes that servers may use for them', async () => {
    const hinted = sent.all().filter(({ hint }) => hint !== null);
    assert.ok(hinted.length > 60, `only ${hinted.length} queries have a hint`);
    const wrong: string[] = [];
    for (const query of hinted) {
      const problem = hintProblem(query, await indexesOf(query.collection));
      if (problem !== null) wrong.push(`${query.name}: ${problem}: ${JSON.stringify(query.lookup)}`);
    }
    assert.deepEqual(wrong, []);
  });

  it('name the project, unless docs/scaling.md says that they reach all shards', () => {
    const sharded = new Set(shardedCollections());
    const scattering = new Set(scatteringQueries());
    const asked = sent.all().filter(({ collection, lookup }) => lookup !== null && sharded.has(collection));
    assert.ok(asked.length > 40, `only ${asked.length} queries were looked at`);
    const filterOf = (lookup: mongo.Document | null): object => {
      const [first] = (lookup?.['pipeline'] ?? []) as { $match?: object }[];
      return (first?.$match ?? lookup?.['filter'] ?? {}) as object;
    };
    // The roll-up of merged errors, which carries no name.
    const rollsUp = (filter: object): boolean => Object.keys(filter).join() === 'into';
    const namesProject = (filter: object): boolean =>
      'p' in filter || ('$or' in filter && (filter.$or as object[]).every(namesProject));
    assert.deepEqual(
      asked
        .map(({ name, lookup }) => ({ name, filter: filterOf(lookup) }))
        .filter(({ name, filter }) => !namesProject(filter) && !scattering.has(name) && !rollsUp(filter))
        .map(({ name, filter }) => `${name}: ${JSON.stringify(filter)}`),
      [],
    );
  });

  it('are ordered by an index', async () => {
    const wrong: string[] = [];
    for (const { name, collection, lookup } of sortedQueries()) {
      const indexes = await indexesOf(collection);
      if (!indexes.some((index) => ordersBy(index, lookup ?? {}))) wrong.push(`${name}: ${JSON.stringify(lookup)}`);
    }
    assert.deepEqual(wrong, []);
  });

  itInFullRun('are read in that order; none sorts a project in memory', async () => {
    const { db } = context.connection;
    const wrong: string[] = [];
    for (const { name, collection, lookup } of sortedQueries()) {
      const plan = await db?.command({ explain: lookup ?? {}, verbosity: 'queryPlanner' });
      // Few rows may come from another index that finds them sooner.
      const filter = (lookup?.['filter'] ?? {}) as object;
      const many = sortsInMemory(plan) && ((await db?.collection(collection).countDocuments(filter)) ?? 0) > FEW;
      if (many) wrong.push(`${name}: ${JSON.stringify(lookup)}`);
    }
    assert.deepEqual(wrong, []);
  });

  const sortedQueries = (): SentQuery[] => {
    const sorted = sent
      .all()
      .filter(
        ({ name, collection, lookup }) =>
          lookup?.['sort'] !== undefined && !SORTS_FEW.has(name) && !TINY.has(collection),
      );
    assert.ok(sorted.length > 30, `only ${sorted.length} sorts were looked at`);
    return sorted;
  };

  it('that sort without an index are detected', async () => {
    const { db } = context.connection;
    const errors = (await db?.collection('errors').indexes()) ?? [];
    const ordered = (filter: object, sort: object) => errors.some((index) => ordersBy(index, { filter, sort }));
    assert.ok(ordered({ p: 1, st: 0, c: { $lt: 9 } }, { c: -1, id: -1 }));
    assert.ok(ordered({ p: 1, st: { $in: [0, 1] } }, { c: 1, id: 1 }), 'the other way round');
    assert.ok(!ordered({ p: 1 }, { c: -1, id: -1 }), 'all statuses at once');
    assert.ok(!ordered({ p: 1, st: { $gt: 0 } }, { c: -1, id: -1 }), 'a range of statuses');
    assert.ok(!ordered({ p: 1, st: 0 }, { k: -1, id: -1 }), 'a member without an index');
    assert.ok(!ordered({ p: 1, st: 0 }, { c: -1, id: 1 }), 'half the other way round');
    assert.ok(
      sortsInMemory({ queryPlanner: { winningPlan: { stage: 'PROJECTION_SIMPLE', inputStage: { stage: 'SORT' } } } }),
    );
    assert.ok(
      !sortsInMemory({ queryPlanner: { winningPlan: { stage: 'SORT_MERGE' }, rejectedPlans: [{ stage: 'SORT' }] } }),
    );
  });

  it('for a page after a cursor match that page only, also where all errors have the same count', async () => {
    const { id } = await store.createProject({ path: 'g/ties', name: 'ties', visibility: 'private' });
    await fillMongo(context.connection, { projects: [id], errors: TIES, events: 0, count: () => 7 });
    const { db } = context.connection;
    for (const sort of ERROR_SORTS) {
      for (const status of ['unresolved', 'all'] as const) {
        const query = { ...EVERYTHING, sort, status, limit: 10 };
        const first = await store.listErrors(id, query, NOON);
        const second = await store.listErrors(id, { ...query, cursor: first.next }, NOON);
        for (const cursor of [null, first.next, second.previous]) {
          const asked = { ...query, cursor };
          const known = await store.listErrors(id, asked, NOON);
          sent.forget();
          assert.deepEqual(await store.listErrors(id, asked, NOON), known);
          const lookups = sent.all().filter(({ name }) => name === 'errors.list');
          assert.ok(lookups.length > 0);
          let matched = 0;
          for (const { lookup } of lookups) {
            matched += (await db?.collection('errors').countDocuments(lookup?.['filter'] as object)) ?? 0;
          }
          // The row after the page is looked at too, and one on the other side of it.
          assert.ok(matched <= 12, `${sort}, ${status}, ${cursor === null ? 'first' : 'other'} page: ${matched} rows`);
        }
      }
    }
  });

  it('that ask for an index that servers refuse are detected', () => {
    const few = [{ key: { p: 1, at: 1 }, partialFilterExpression: { at: { $gt: 0 } } }] as const;
    const problem = (filter: object, hint: object) =>
      hintProblem({ name: 'q', named: true, collection: 'c', lookup: { find: 'c', filter }, hint }, few);
    assert.equal(problem({ p: 1, at: 5 }, { p: 1, at: 1 }), null);
    assert.equal(problem({ $and: [{ at: { $gte: 1, $lt: 9 } }] }, { p: 1, at: 1 }), null);
    assert.match(problem({ p: 1 }, { p: 1, at: 1 }) ?? '', /does not imply/);
    assert.match(problem({ at: { $gte: 0 } }, { p: 1, at: 1 }) ?? '', /does not imply/);
    assert.match(problem({ at: 5 }, { at: 1, p: 1 }) ?? '', /no index/);
  });

  itInFullRun('that scan without an index are detected', async () => {
    const { db } = context.connection;
    const unindexed = { find: 'events', filter: { at: NOON } };
    assert.ok(scansCollection(await db?.command({ explain: unindexed, verbosity: 'queryPlanner' })));
    const indexed = { find: 'users', filter: { lower: 'user5' } };
    assert.ok(readsIndex(await db?.command({ explain: indexed, verbosity: 'queryPlanner' })));
    const byName = { key: { lower: 1 }, unique: true } as const;
    assert.ok(findsOne(byName, indexed));
    assert.ok(!findsOne({ key: { lower: 1 } }, indexed), 'an index that is not unique');
    assert.ok(!findsOne({ key: { lower: 1, name: 1 }, unique: true }, indexed), 'a member that is not asked for');
    assert.ok(!findsOne(byName, { filter: { lower: { $gte: 'user5' } } }), 'a range');
  });
});
