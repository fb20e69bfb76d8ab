import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../src/domain/app-error.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { ERROR_SORTS } from '../../../src/domain/search/error-query.ts';
import { rankAll } from '../../support/rank-all.ts';
import { COPY_PARTS, type CopyRows } from '../../../src/storage/copy/copy-rows.ts';
import { copyStore } from '../../../src/storage/copy/copy-store.ts';
import { openCopy, openStore, sqliteFile } from '../../../src/storage/open/open-store.ts';
import { openDatabase } from '../../../src/storage/sqlite/files/open-database.ts';
import { describeOnMongo, TestDatabases } from '../../support/mongo-engine.ts';
import {
  DAY,
  EVERYTHING,
  errorOf,
  hexId,
  HOUR,
  makeEvent,
  makeForward,
  makeForwardState,
  makeProject,
  NOON,
  TestJournal,
} from '../../support/store-data.ts';

const PRUNED = {
  receivedBefore: NOON - 2 * HOUR,
  maxEventsPerError: null,
  keysReceivedBefore: 0,
  hoursBefore: 0,
  outcomesBefore: 0,
};

/** Some of everything a store keeps. */
async function fill(store: Store): Promise<Project> {
  const ada = await store.createUser({ username: 'Ada', name: 'Ada L.', admin: true, passwordHash: 'scrypt$x' });
  const bob = await store.createUser({ username: 'bob', name: 'Bob', admin: false, passwordHash: 'scrypt$y' });
  await store.setUserBlocked(bob.id, true);
  await store.setPasswordHash(ada.id, 'scrypt$z', true);
  await store.createSession({
    ...{ hash: 'cd'.repeat(32), userId: ada.id, epoch: 1, createdAt: 5, endsAt: NOON + 1e12 },
    ...{ browser: 'Mozilla/5.0', address: '192.0.2.1', secondFactor: true },
  });
  const one = { userId: ada.id, name: 'one', description: 'first', hash: 'ab'.repeat(32), scopes: ['api'] as const };
  const token = await store.createToken({ ...one, expiresAt: NOON });
  await store.touchToken(token.id, NOON);
  await makeProject(store, 'gone/soon');
  const project = await makeProject(store, 'Old/Name');
  await store.deleteProject(1);
  await store.prune({ ...PRUNED, receivedBefore: null });
  await store.updateProject(project.id, { path: 'new/name', monitorEnabled: false, visibility: 'public' });
  await store.addAlias(project.id, '4711');
  await store.addAlias(project.id, 'old-shop');
  await store.setMember(project.id, bob.id, 30);
  await store.saveSettings(project.id, {
    active: true,
    apiUrl: 'https://t.example/api/0/projects/a/b/',
    sealedToken: 'x',
    tracker: { base: 'https://t', kind: 'urgentry', version: null, checkedAt: 5 },
  });
  await store.saveProtection(project.id, { sensitiveFields: ['iban', 'Kennwort'], projectEventsPerMinute: 600 });
  await store.saveForward({ ...makeForward(project.id), until: NOON });
  await store.saveForwardState(makeForwardState(project.id));
  await store.createKey(project.id, 'glet_one');
  const key = await store.createKey(project.id, 'glet_two');
  await store.touchKeys([{ keyId: key.id, usedAt: NOON }]);
  await store.setKeyActive(project.id, key.id, false);
  await store.initMeta('user_salt', 'salt');

  const journal = new TestJournal(store);
  const outcome = {
    projectId: project.id,
    keyId: 1,
    category: 'session',
    outcome: 'filtered',
    reason: 'r',
    at: NOON,
    quantity: 3,
  } as const;
  for (let group = 0; group < 7; group += 1) {
    const events = Array.from({ length: 40 }, (_, index) =>
      makeEvent(project, `${group}-${index}`, {
        group: `g${group}`,
        user: index % 3 === 0 ? null : `user ${index % 5}`,
        at: NOON - (index % 4) * HOUR - (index % 2) * DAY - index,
        receivedAt: NOON - (index % 4) * HOUR,
        release: `app@${index % 3}`,
        environment: index % 2 === 0 ? 'prod' : 'Stag.$ing',
        tags: [
          ['shard', String(index % 30)],
          ['environment', index % 2 === 0 ? 'prod' : 'Stag.$ing'],
          ['release', `app@${index % 3}`],
        ],
      }),
    );
    await journal.apply(events, [outcome]);
  }
  const item = { projectId: project.id, keyId: 1, receivedAt: NOON };
  const content = { kind: 'user_report', name: null, email: 'a@b.test', comments: 'x', url: null } as const;
  journal.n += 1;
  await store.applyBatch(journal.batchId(journal.n), {
    events: [],
    outcomes: [],
    sessions: Array.from({ length: 60 }, (_, index) => ({
      ...item,
      ...{ kind: 'update', release: `app@${index % 3}`, environment: index % 4 === 0 ? null : 'Stag.$ing' },
      ...{ sessionId: hexId(`session ${index}`), startedAt: NOON - index * HOUR, at: NOON, errored: index % 2 === 0 },
      ...{ end: index % 6 === 0 ? 'crashed' : null, userHash: hexId(`user ${index % 7}`, 24) },
    })),
    reports: [0, 1].map((index) => {
      const report = { ...content, id: hexId(`report ${index}`), receivedAt: NOON + index };
      return { ...item, eventId: hexId(`${project.id} 0-0`), report };
    }),
  });
  await store.setErrorStatus(project.id, (await errorOf(store, project, 'g1')).id, 'resolved', NOON);
  await store.setErrorStatus(project.id, (await errorOf(store, project, 'g2')).id, 'ignored', NOON);
  for (let done = false; !done;) ({ done } = await store.prune(PRUNED));
  return project;
}

/** What people and machines can read of a store, as one value. */
async function readAll(store: Store, project: Project) {
  const errors = (await store.listErrors(project.id, { ...EVERYTHING, sort: 'first_seen' }, NOON)).items;
  await rankAll(store, NOON);
  const orders = [];
  for (const sort of ERROR_SORTS) {
    const query = { ...EVERYTHING, sort, environment: 'Stag.$ing', release: 'app@1', search: 'BAD value' };
    orders.push((await store.listErrors(project.id, query, NOON)).items.map((error) => error.id));
  }
  const details = [];
  for (const { id } of errors) {
    const events = (await store.listEvents(project.id, id, 100, null))?.items ?? [];
    const first = events.at(0);
    details.push({
      detail: await store.errorById(project.id, id, NOON),
      events: events.map((event) => event.eventId).sort(),
      event: first === undefined ? null : (await store.event(project.id, id, first.eventId))?.event,
      reports: await Promise.all(
        events.map(async ({ eventId }) => (await store.event(project.id, id, eventId))?.userReports),
      ).then((all) => all.flat()),
    });
  }
  const { events, errors: errorCount, projects, users } = await store.stats();
  return {
    stats: { events, errorCount, projects, users },
    users: await store.listUsers(),
    hashes: [await store.passwordHash(1), await store.passwordHash(2)],
    tokens: await store.listTokens(null),
    token: await store.tokenByHash('ab'.repeat(32)),
    session: await store.sessionByHash('cd'.repeat(32)),
    projects: await store.listProjects(),
    moved: await store.projectByPath('old/NAME'),
    aliases: await store.listAliases(project.id),
    members: await store.listMembers(project.id),
    settings: await store.settings(project.id),
    protections: await store.listProtections(),
    forwards: await store.listForwards(),
    forwardStates: await store.listForwardStates(null),
    keys: await store.listKeys(project.id),
    salt: await store.getMeta('user_salt'),
    outcomes: (await store.listOutcomes(project.id, NOON - 3 * DAY, NOON + DAY))
      .map((row) => JSON.stringify(row))
      .sort(),
    releases: await Promise.all(
      [null, 'Stag.$ing'].map(async (environment) => {
        const page = await store.listReleases(project.id, { environment, limit: 100, cursor: null }, NOON);
        return page.items.map((each) => JSON.stringify(Object.entries(each).sort())).sort();
      }),
    ),
    errors,
    orders,
    details,
  };
}

describeOnMongo('copying an embedded store to MongoDB', function (uri) {
  this.timeout(180_000);
  const databases = new TestDatabases(uri);
  let dataDir: string;
  let project: Project;
  let before: Awaited<ReturnType<typeof readAll>>;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'errgate-copy-'));
    const store = await openStore({ url: 'sqlite:', dataDir });
    project = await fill(store);
    before = await readAll(store, project);
    await store.close();
  });

  afterEach(async () => {
    await databases.dropAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function copyTo(target: string, partsBeforeFailure?: number, damaged: CopyRows['eventBlocks'][] = []) {
    const copy = await openCopy(sqliteFile('sqlite:', dataDir), target);
    let seen = 0;
    const failing = {
      ...copy.target,
      write: async (part: never, rows: never) => {
        seen += 1;
        if (seen === partsBeforeFailure) throw new Error('the power went');
        await copy.target.write(part, rows);
      },
    };
    try {
      const onDamaged = (block: CopyRows['eventBlocks']) => damaged.push(block);
      return await copyStore({ source: copy.source, target: failing, sourceId: 'source', onDamaged });
    } finally {
      await copy.source.close();
      await copy.target.close();
    }
  }

  it('answers the same afterwards, with the same ids, and goes on counting where the other stopped', async () => {
    const target = databases.create();
    const counts = await copyTo(target);
    assert.deepEqual(
      counts.map(({ part }) => part),
      [...COPY_PARTS],
    );
    assert.ok(counts.every((count) => count.source === count.target));
    assert.ok((counts.find((count) => count.part === 'events')?.source ?? 0) === 280);

    const store = await openStore({ url: target, dataDir });
    try {
      const after = await readAll(store, project);
      assert.deepEqual(after, before);
      assert.ok(before.errors.length === 7 && before.stats.events > 0 && before.stats.events < 280);

      // Repeats are recognised, pruned ones too; people already counted are not counted again.
      const journal = new TestJournal(store, 'of the new store');
      const again = [0, 1, 2, 3].map((index) =>
        makeEvent(project, `1-${index}`, { group: 'g1', user: `user ${index}` }),
      );
      const fresh = makeEvent(project, 'fresh', { group: 'g1', user: 'user 1', receivedAt: NOON + HOUR });
      const result = await journal.apply([...again, fresh, makeEvent(project, 'other', { group: 'new group' })]);
      assert.deepEqual(result, { kind: 'applied', stored: 2, duplicates: 4, newErrors: 1 });
      const grown = await errorOf(store, project, 'g1');
      const former = before.errors.find((error) => error.id === grown.id);
      assert.equal(grown.count, (former?.count ?? 0) + 1);
      assert.equal(grown.userCount, former?.userCount);
      assert.equal(grown.status, 'unresolved', 'a resolved error comes back');
      const newest = await errorOf(store, project, 'new group');
      assert.ok(Number(newest.id) > Math.max(...before.errors.map((error) => Number(error.id))));
      assert.ok((await makeProject(store, 'third/one')).id > project.id);
      assert.ok((await store.createKey(project.id, 'glet_three')).id > 2);
    } finally {
      await store.close();
    }
  });

  it('copies everything beside a damaged block, and names it with its events', async () => {
    const file = sqliteFile('sqlite:', dataDir);
    const db = await openDatabase(file, 'writer', false);
    const { id, events } = db.all(
      `SELECT block_id AS id, count(*) AS events FROM events WHERE block_id IS NOT NULL GROUP BY block_id LIMIT 1`,
    )[0] as { id: number; events: number };
    db.run("UPDATE event_blocks SET bodies = x'0102' WHERE id = ?", id);
    db.close();
    const target = databases.create();
    const damaged: CopyRows['eventBlocks'][] = [];
    const counts = await copyTo(target, undefined, damaged);
    assert.ok(counts.every((count) => count.source === count.target));
    assert.deepEqual(
      damaged.map((block) => [block.id, block.projectId, block.eventIds.length]),
      [[id, project.id, events]],
    );
    const store = await openStore({ url: target, dataDir });
    try {
      const { items } = await store.listErrors(project.id, { ...EVERYTHING, sort: 'first_seen' }, NOON);
      assert.deepEqual(items, before.errors);
    } finally {
      await store.close();
    }
  });

  it('goes on after an interruption, and only then may the store be used for another copy', async () => {
    const target = databases.create();
    for (const failAt of [1, 9, 15]) await assert.rejects(copyTo(target, failAt), /the power went/);
    await assert.rejects(openStore({ url: target, dataDir }), /was interrupted/);
    await copyTo(target);
    const store = await openStore({ url: target, dataDir });
    try {
      assert.deepEqual(await readAll(store, project), before);
    } finally {
      await store.close();
    }
    await assert.rejects(copyTo(target), (error) => error instanceof AppError && error.code === 'conflict');
  });
});
