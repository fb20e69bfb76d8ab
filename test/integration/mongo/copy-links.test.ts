import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { copyStore } from '../../../src/storage/copy/copy-store.ts';
import { openCopy, openStore, sqliteFile } from '../../../src/storage/open/open-store.ts';
import { makeLinks } from '../../support/link-data.ts';
import { describeOnMongo, TestDatabases } from '../../support/mongo-engine.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal } from '../../support/store-data.ts';

describeOnMongo('copy-store: links, saved views and favourites', function (uri) {
  this.timeout(60_000);
  const databases = new TestDatabases(uri);
  let dataDir = '';
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'errgate-copy-links-'));
  });
  after(async () => {
    await databases.dropAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function read(store: Store, projectId: number, userId: number) {
    const project = await store.projectById(projectId);
    assert.ok(project !== null);
    return {
      links: await store.projectLinks(projectId),
      issues: await store.linkedIssues(projectId, (await errorOf(store, project, 'a')).id),
      views: await store.savedViews(projectId, userId),
      favourites: await store.favourites(userId),
    };
  }

  it('are the same, and go on', async () => {
    const source = await openStore({ url: 'sqlite:', dataDir });
    const project = await makeProject(source);
    await new TestJournal(source).apply([makeEvent(project, 'a', { group: 'a' })]);
    const { id: errorId } = await errorOf(source, project, 'a');
    const ada = await source.createUser({ username: 'ada', name: 'Ada', admin: false, passwordHash: 'x' });
    await source.setProjectLinks(project.id, makeLinks());
    const add = (store: Store, number: number) =>
      store.addLinkedIssue(
        project.id,
        errorId,
        { url: `https://git.test/${number}`, title: `${number}` },
        ada.id,
        NOON,
      );
    await add(source, 1);
    await add(source, 2);
    const save = (store: Store, name: string, isDefault: boolean) =>
      store.saveView(project.id, ada.id, { name, query: 'search=a%26b', isDefault });
    const mine = await save(source, 'Mine', true);
    await save(source, 'Other', false);
    await source.setFavourite(ada.id, project.id, true);
    const before = await read(source, project.id, ada.id);
    await source.close();

    const url = databases.create();
    const copy = await openCopy(sqliteFile('sqlite:', dataDir), url);
    try {
      for (const { part, source: there, target } of await copyStore({ ...copy, sourceId: 'links' })) {
        assert.equal(there, target, part);
      }
    } finally {
      await copy.source.close();
      await copy.target.close();
    }
    const target = await openStore({ url, dataDir });
    try {
      assert.deepEqual(await read(target, project.id, ada.id), before);
      const third = await add(target, 3);
      assert.ok((third?.id ?? 0) > Math.max(...(before.issues ?? []).map(({ id }) => id)), 'numbers go on');
      assert.deepEqual(await add(target, 1), before.issues?.[0]);
      assert.equal((await save(target, 'Mine', false)).id, mine.id);
      assert.ok((await save(target, 'New', true)).id > mine.id + 1);
      assert.equal(await target.replaceSealedIssueToken(project.id, 'sealed', 'again'), true);
    } finally {
      await target.close();
    }
  });
});
