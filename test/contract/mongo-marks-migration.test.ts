import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { mongo } from 'mongoose';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { ErrorQuery } from '../../src/domain/search/error-query.ts';
import { hashOfIdentity } from '../../src/lib/user-hash.ts';
import { openStore, type OpenStoreOptions } from '../../src/storage/open/open-store.ts';
import { pendingMigration } from '../../src/storage/open/pending-migration.ts';
import { describeOnMongo, TestDatabases, withClient } from '../support/mongo-engine.ts';
import { rankAll } from '../support/rank-all.ts';
import { errorOf, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { makeDataDir } from '../support/store-harness.ts';

/** Collections that came with marks. */
const LIST_COLLECTIONS = 'usernames deletederrors discardedhashes discardedgroups'.split(' ');
/** Indexes of searches and ranks in collections that are older. */
const LIST_INDEXES = [
  ['errorusers', 'of_user'],
  ['errortags', 'by_term'],
  ['errors', 'by_term'],
  ['errors', 'for_review'],
  ['errors', 'to_rank'],
  ['errors', 'by_matters'],
] as const;

describeOnMongo('a MongoDB store of the schema before marks', function (uri) {
  this.timeout(180_000);
  const databases = new TestDatabases(uri);
  const opened: Store[] = [];
  const url = databases.create();
  const change = (work: (db: mongo.Db) => Promise<unknown>) => withClient(url, (client) => work(client.db()));
  after(async () => {
    for (const store of opened) await store.close();
    await databases.dropAll();
  });

  it('asks for no review of its errors, and finds them by tag, user and rank', async () => {
    const dataDir = await makeDataDir();
    const openIn = async (options: Pick<OpenStoreOptions, 'migrate'>) => {
      const store = await openStore({ url, dataDir, ...options });
      opened.push(store);
      return store;
    };
    const before = await openIn({});
    await before.initMeta('user_salt', 'salt');
    const project = await makeProject(before);
    const userHash = hashOfIdentity('salt', project.id, 'id:u7');
    const tags = [['browser', 'Firefox']] as const;
    await new TestJournal(before).apply([{ ...makeEvent(project, '1', { tags }), userHash }]);
    await before.close();
    await change(async (db) => {
      // Members, collections and indexes that came with marks; the store of the release before has none of them.
      const marks = { ask: '', uh: '', reg: '', esc: '', rk: '', rg: '', due: '', dq: '', tm: '' };
      await db.collection('errors').updateMany({}, { $unset: marks });
      await db.collection('errortags').updateMany({}, { $unset: { x: '' } });
      await db.collection('errorusers').updateMany({}, { $unset: { h: '' } });
      for (const name of LIST_COLLECTIONS) await db.dropCollection(name);
      for (const [name, index] of LIST_INDEXES) await db.collection(name).dropIndex(index);
      await db.collection('errgate').updateOne({ _id: 'schema' as never }, { $set: { version: 6 } });
    });
    await assert.rejects(openIn({}), { code: 'store_outdated', message: /errgate migrate/ });
    const store = await openIn({ migrate: true });
    assert.deepEqual(await pendingMigration({ url, dataDir }), []);
    const { id, marks } = await errorOf(store, project);
    assert.deepEqual(marks, {
      isNew: true,
      regressed: null,
      escalating: null,
      unmuted: null,
      unhandled: null,
      forReview: false,
    });
    assert.deepEqual(await listAll(store, project, { forReview: true }), []);
    await store.rankErrors(NOON);
    const found = async (conditions: ErrorQuery['conditions'], sort: ErrorQuery['sort'] = 'last_seen') =>
      (await listAll(store, project, { sort, ...(conditions === undefined ? {} : { conditions }) })).map(
        (each) => each.id,
      );
    assert.deepEqual(await found([{ not: false, field: 'tag', key: 'browser', value: 'Firefox' }]), [id]);
    assert.deepEqual(await found([{ not: false, field: 'tag', key: 'browser', value: 'Opera' }]), []);
    const begins = { not: false, field: 'tag', key: 'browser', value: 'Fire', match: 'prefix' } as const;
    assert.deepEqual(await found([begins]), [id]);
    assert.deepEqual(await found([{ not: false, field: 'user', value: 'u7' }]), [id]);
    assert.deepEqual(await found([], 'matters'), [id]);
    // Of the release before, terms had a case.
    await change(async (db) => {
      const terms = await db.collection('errortags').findOne({});
      const cased = (terms?.x as string[]).map((term) => term.replace('firefox', 'Firefox'));
      assert.notDeepEqual(cased, terms?.x);
      await db.collection('errortags').updateMany({}, { $set: { x: cased } });
      await db.collection('errgate').updateOne({ _id: 'schema' as never }, { $set: { version: 8 } });
    });
    assert.deepEqual(await found([{ not: false, field: 'tag', key: 'browser', value: 'FIREFOX' }]), []);
    await openIn({ migrate: true });
    assert.deepEqual(await found([{ not: false, field: 'tag', key: 'browser', value: 'FIREFOX' }]), [id]);
    // The next event of another error asks for one again.
    await new TestJournal(store).apply([makeEvent(project, '2', { group: 'new' })]);
    const asking = await listAll(store, project, { forReview: true });
    assert.deepEqual(
      asking.map(({ message }) => message),
      ['bad value in new'],
    );
    // Ranks were of another rule; those of merged errors follow.
    const [one, two] = (await listAll(store, project)).map((error) => error.id);
    await new TestJournal(store).apply([makeEvent(project, '3', { group: 'third' })]);
    await store.mergeErrors(project.id, [one ?? '', two ?? '']);
    await rankAll(store, NOON);
    const ranks = () =>
      change((db) =>
        db
          .collection('errors')
          .find({}, { projection: { rk: 1, 'g.rk': 1 } })
          .toArray(),
      );
    const right = await ranks();
    await change(async (db) => {
      // The journals of this test are no gateways at work.
      await db.collection('slots').updateMany({}, [{ $set: { off: '$seen' } }]);
      await db.collection('errors').updateMany({}, { $set: { rk: 1 } });
      await db.collection('errors').updateMany({ 'g.rk': { $exists: true } }, { $set: { 'g.rk': 1 } });
      await db.collection('errgate').updateOne({ _id: 'schema' as never }, { $set: { version: 9 } });
    });
    assert.notDeepEqual(await ranks(), right);
    await rankAll(await openIn({ migrate: true }), NOON);
    assert.deepEqual(await ranks(), right);
    await rm(dataDir, { recursive: true, force: true });
  });
});
