import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { copyStore } from '../../src/storage/copy/copy-store.ts';
import { openCopy, openStore, sqliteFile } from '../../src/storage/open/open-store.ts';
import { backupSqlite } from '../../src/storage/sqlite/files/backup.ts';
import { restoreSqlite } from '../../src/storage/sqlite/files/restore.ts';
import { IN_FULL_RUN } from '../support/full-run.ts';
import { describeOnMongo, TestDatabases } from '../support/mongo-engine.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { bodiesOf, readStore } from '../support/read-store.ts';
import { answersBefore, READ_AT, SQLITE_BEFORE, type StoreBefore } from '../support/stores-before-blocks.ts';

const BEFORE = answersBefore();
const COUNTS = { projects: 2, errors: 28, events: 81 };

let place: StoreBefore;
const at = (name: string) => join(place.dataDir, name);

async function answersOf(url: string): Promise<unknown> {
  const store = await openStore({ url, dataDir: place.dataDir });
  try {
    return await readStore(store, READ_AT);
  } finally {
    await store.close();
  }
}

/** Migrates the store; `packed`: also packs the bodies of its events into blocks. */
async function bringUpToDate(packed: boolean): Promise<void> {
  const store = await openStore(place);
  if (packed) await pruneAll(store, { ...KEEP, packReceivedBefore: READ_AT });
  await store.close();
}

describe('a backup of an embedded store of the version before blocks', function () {
  this.timeout(60_000);
  beforeEach(async () => {
    place = await SQLITE_BEFORE.make();
  });
  afterEach(() => place.remove());

  it('that the earlier version made is restored, and answers as before', async () => {
    await rename(at('errgate.db'), at('earlier.backup'));
    assert.deepEqual(await restoreSqlite(at('earlier.backup'), at('errgate.db')), {
      ...COUNTS,
      secrets: {},
      waitingAlerts: 0,
      missingFiles: 0,
    });
    assert.deepEqual(await answersOf(place.url), BEFORE);
  });

  for (const state of ['unchanged', 'migrated', 'packed'] as const) {
    it(`that is made of the ${state} store has every body`, async () => {
      if (state !== 'unchanged') await bringUpToDate(state === 'packed');
      assert.deepEqual(await backupSqlite(at('errgate.db'), at('x.backup')), COUNTS);
      await restoreSqlite(at('x.backup'), at('restored.db'));
      assert.deepEqual(await answersOf(`sqlite:${at('restored.db')}`), BEFORE);
    });
  }
});

describeOnMongo('copying an embedded store of the version before blocks to MongoDB', function (uri) {
  this.timeout(120_000);
  const databases = new TestDatabases(uri);
  beforeEach(async () => {
    place = await SQLITE_BEFORE.make();
  });
  afterEach(async () => {
    await place.remove();
    await databases.dropAll();
  });

  async function copyTo(target: string) {
    const copy = await openCopy(sqliteFile(place.url, place.dataDir), target);
    try {
      return await copyStore({ source: copy.source, target: copy.target, sourceId: 'source' });
    } finally {
      await copy.source.close();
      await copy.target.close();
    }
  }

  it('needs its migration first, and says so', async () => {
    await assert.rejects(copyTo(databases.create()), { code: 'store_outdated', message: /errgate migrate/ });
  });

  for (const state of IN_FULL_RUN ? (['migrated', 'packed'] as const) : (['packed'] as const)) {
    it(`keeps every body of the ${state} store, also when the copy is packed or pruned`, async () => {
      await bringUpToDate(state === 'packed');
      const target = databases.create();
      const counts = await copyTo(target);
      const blocks = counts.find(({ part }) => part === 'eventBlocks');
      assert.equal((blocks?.source ?? 0) > 0, state === 'packed');
      assert.deepEqual(await answersOf(target), BEFORE);

      const store = await openStore({ url: target, dataDir: place.dataDir });
      try {
        await pruneAll(store, { ...KEEP, packReceivedBefore: READ_AT });
        assert.deepEqual(await readStore(store, READ_AT), BEFORE);
        await pruneAll(store, { ...KEEP, maxEventsPerError: 6 });
        const left = await readStore(store, READ_AT);
        assert.ok(left.events < BEFORE.events);
        const bodies = bodiesOf(BEFORE);
        for (const [id, body] of bodiesOf(left)) assert.deepEqual(body, bodies.get(id), id);
      } finally {
        await store.close();
      }
    });
  }
});
