import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { copyStore } from '../../../src/storage/copy/copy-store.ts';
import { openCopy, openStore, sqliteFile } from '../../../src/storage/open/open-store.ts';
import { type MergeFixture, mergeFixture } from '../../contract/merge-fixture.ts';
import { describeOnMongo, TestDatabases } from '../../support/mongo-engine.ts';
import { KEEP, pruneAll } from '../../support/session-data.ts';
import { HOUR, listAll, makeEvent, NOON, TestJournal } from '../../support/store-data.ts';

/** What people see of the project's errors: lists in two orders, details and events under every number. */
async function look(store: Store, project: Project, ids: readonly string[]) {
  const details = [];
  for (const id of ids) {
    details.push({
      detail: await store.errorById(project.id, id, NOON),
      events: (await store.listEvents(project.id, id, 100, null))?.items,
      latest: (await store.latestEvent(project.id, id))?.event.event_id,
    });
  }
  const lists = [await listAll(store, project), await listAll(store, project, { sort: 'frequency', search: 'bravo' })];
  return { lists, details };
}

describeOnMongo('copying merged errors to MongoDB', function (uri) {
  this.timeout(60_000);
  const databases = new TestDatabases(uri);
  let dataDir: string;
  let fixture: MergeFixture;
  let before: Awaited<ReturnType<typeof look>>;
  let apart: Awaited<ReturnType<typeof look>>;
  const idsOf = ({ a, b, c }: MergeFixture): string[] => [a, b, c];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'errgate-copy-'));
    const store = await openStore({ url: 'sqlite:', dataDir });
    fixture = await mergeFixture(store);
    const { project, a, b } = fixture;
    // Some payloads are gone before the copy, as in any store of some age.
    await pruneAll(store, { ...KEEP, receivedBefore: NOON - 4 * HOUR });
    apart = await look(store, project, idsOf(fixture));
    await store.mergeErrors(project.id, [a, b]);
    before = await look(store, project, idsOf(fixture));
    await store.close();
  });
  afterEach(async () => {
    await databases.dropAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function copied(): Promise<Store> {
    const url = databases.create();
    const { source, target } = await openCopy(sqliteFile('sqlite:', dataDir), url);
    try {
      await copyStore({ source, target, sourceId: 'source' });
    } finally {
      await source.close();
      await target.close();
    }
    return openStore({ url, dataDir });
  }

  it('keeps the pointer, the members and every count', async () => {
    const store = await copied();
    try {
      const { project, a, b } = fixture;
      assert.deepEqual(await look(store, project, idsOf(fixture)), before);
      assert.equal((await store.errorById(project.id, b, NOON))?.mergedInto, a);
      assert.deepEqual(before.lists[0]?.map(({ id, count, userCount }) => [id, count, userCount]).slice(0, 1), [
        [a, 5, 3],
      ]);
      assert.equal(await store.rollUpMerged(), 0, 'nothing is left to be brought up to date');
    } finally {
      await store.close();
    }
  });

  it('counts on in the group, and takes it apart again', async () => {
    const store = await copied();
    try {
      const { project, a, b } = fixture;
      const fresh = makeEvent(project, 'fresh', { group: 'bravo', user: 'ada', at: NOON });
      await new TestJournal(store, 'of the new store').apply([fresh]);
      assert.equal(await store.rollUpMerged(), 1);
      const grown = await store.errorById(project.id, a, NOON);
      assert.deepEqual([grown?.count, grown?.userCount, grown?.lastSeen], [6, 3, NOON]);
      await store.unmergeErrors(project.id, a, null);
      const after = await look(store, project, [a]);
      assert.deepEqual(after.details, apart.details.slice(0, 1));
      assert.equal((await store.errorById(project.id, b, NOON))?.count, 4);
    } finally {
      await store.close();
    }
  });
});
