import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { listInvitations } from '../../../src/import/invitations.ts';
import { runKey } from '../../../src/import/state/run-state.ts';
import type { FakeSource } from '../../support/fake-source/fake-source.ts';
import type { SourceProject } from '../../support/fake-source/source-records.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { bodyOf, useImportShop } from '../../support/import-shop.ts';
import { IMPORT_TOKEN, importInto, liveEvent, pictureOf, withReader } from '../../support/import-world.ts';
import { listAll } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const LETTERS = 'abcdefgh'.split('');

describeOnStores('import under faults', (kind, suite) => {
  suite.timeout(60_000);
  let source: FakeSource;
  let store: Store;
  let shop: SourceProject;

  const { projectAt } = useImportShop(kind, (made) => {
    ({ source, shop, store } = made);
    for (const [index, name] of LETTERS.entries())
      source.world.addIssue(shop, { bodies: [{ body: bodyOf(name) }], count: 10 * index + 3 });
  });

  const countsThere = (): [string, number][] =>
    [...shop.issues.values()].map(({ id, count }): [string, number] => [id, count]).sort();

  async function countsHere(path = 'acme/shop'): Promise<[string, number][]> {
    return (await pictureOf(store, await projectAt(path))).map(({ issue, count }) => [issue, count]);
  }

  /** A run that goes on imports everything, and one more changes nothing. */
  async function assertGoesOn(): Promise<void> {
    const summary = await importInto(store, source);
    assert.deepEqual([summary.message, summary.state, summary.complete], ['everything was imported', 'done', true]);
    assert.deepEqual(await countsHere(), countsThere());
    const picture = await pictureOf(store, await projectAt('acme/shop'));
    await importInto(store, source);
    assert.deepEqual(await pictureOf(store, await projectAt('acme/shop')), picture);
  }

  for (const [what, fault] of [
    ['resets connections', faults.reset()],
    ['answers half', faults.half()],
    ['shows a page for people', faults.status(503)],
  ] as const)
    it(`ends when the tracker ${what} from the middle on, and goes on later`, async () => {
      source.before = (request) => {
        if (request.includes('/events/?')) source.fail(fault);
      };
      const broken = await importInto(store, source);
      assert.equal(broken.state, 'failed');
      assert.match(broken.message, /run it again to go on$/);
      source.before = () => undefined;
      source.heal();
      await assertGoesOn();
    });

  it('needs no second run when the tracker comes back', async () => {
    for (const fault of [faults.reset(), faults.status(502), faults.half(), faults.throttled(1)])
      source.fail(fault, /issues/, 2);
    const summary = await importInto(store, source);
    assert.deepEqual([summary.state, summary.complete], ['done', true]);
    assert.deepEqual(await countsHere(), countsThere());
  });

  it('ends when the store goes away in the middle, and goes on when it is back', async () => {
    const gone = new AppError('store_unavailable', 'the database does not answer');
    let puts = 0;
    const failing = new Proxy(store, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]): unknown => {
          puts += Number(name === 'putImportedError');
          return puts > 3 ? Promise.reject(gone) : (Reflect.apply(method, target, args) as unknown);
        };
      },
    });
    const deps = { store: failing, owner: 'gone' };
    // Nothing can be read for a summary either, so the command ends with the reason.
    await assert.rejects(importInto(store, source, { deps }), gone);
    // As after 15 seconds.
    await store.releaseLease(runKey(source.origin, 'acme'), 'gone');
    await assertGoesOn();
  });

  it('does not lose the result when the lease cannot be released', async () => {
    const failing = new Proxy(store, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]): unknown =>
          name === 'releaseLease'
            ? Promise.reject(new AppError('store_unavailable', 'the disk of the store is full'))
            : (Reflect.apply(method, target, args) as unknown);
      },
    });
    const summary = await importInto(store, source, { deps: { store: failing } });
    assert.deepEqual([summary.state, summary.imported], ['done', LETTERS.length]);
  });

  it('says that the members could not be read where the tracker fails to give them', async () => {
    for (const [fault, problem] of [
      [faults.status(500), /members/],
      [faults.status(400), /members: .*400/],
      [faults.status(200, '{"detail":"none"}'), /members/],
    ] as const) {
      source.fail(fault, /members/);
      const { signal } = new AbortController();
      const list = await withReader(source, ({ reader }) => listInvitations(store, reader, signal));
      assert.deepEqual(list.members, []);
      assert.match(`members: ${list.problem ?? ''}`, problem);
      assert.ok(list.problem !== null);
      source.heal();
    }
  });

  it('says that the token was revoked in the middle, and goes on with another one', async () => {
    source.before = (request) => {
      if (request.includes('/events/?')) source.world.revoke(IMPORT_TOKEN);
    };
    const broken = await importInto(store, source);
    assert.equal(broken.state, 'failed');
    assert.match(broken.message, /token/);
    assert.ok(!JSON.stringify(broken).includes(IMPORT_TOKEN));
    source.before = () => undefined;
    source.world.addToken(IMPORT_TOKEN);
    await assertGoesOn();
  });

  it('follows a project that is renamed in the middle of a run', async () => {
    let renamed = false;
    source.before = (request) => {
      if (renamed || !request.includes('/events/?')) return;
      renamed = true;
      source.world.rename(shop, 'store');
    };
    const summary = await importInto(store, source);
    assert.ok(renamed);
    assert.equal(summary.message, 'everything was imported');
    assert.equal(summary.state, 'done');
    assert.deepEqual(await countsHere(), countsThere());
    source.before = () => undefined;
    const again = await importInto(store, source);
    assert.deepEqual([again.state, again.imported, again.updated], ['done', 0, LETTERS.length]);
    assert.equal((await store.listProjects()).length, 1);
  });

  it('does not change an error whose id another project has now', async () => {
    await importInto(store, source);
    const before = await pictureOf(store, await projectAt('acme/shop'));
    const [first] = shop.issues.values();
    source.world.remove(first!);
    const other = source.world.addProject('other', { id: '4712' });
    source.world.addIssue(other, { id: first!.id, bodies: [{ body: bodyOf('z') }], count: 9999 });
    const summary = await importInto(store, source);
    assert.equal(summary.state, 'done');
    assert.deepEqual(
      (await pictureOf(store, await projectAt('acme/shop'))).map(({ issue, count, title }) => [issue, count, title]),
      before.map(({ issue, count, title }) => [issue, count, title]),
    );
    assert.deepEqual(await countsHere('acme/other'), [[first!.id, 9999]]);
  });

  it('stores plausible times for those of 1970 and 2999', async () => {
    const now = Date.now();
    const early = source.world.addIssue(shop, {
      bodies: [{ body: bodyOf('y') }],
      firstSeen: 0,
      lastSeen: now - 60_000,
    });
    const late = source.world.addIssue(shop, {
      bodies: [{ body: bodyOf('z') }],
      firstSeen: now - 60_000,
      lastSeen: Date.UTC(2999, 0, 1),
    });
    const summary = await importInto(store, source);
    assert.deepEqual([summary.state, summary.complete], ['done', true]);
    const errors = await pictureOf(store, await projectAt('acme/shop'));
    for (const { id } of [early, late]) {
      const error = errors.find(({ issue }) => issue === id);
      assert.ok(Number(error?.firstSeen) > now - 3_600_000 && Number(error?.lastSeen) <= Date.now());
      assert.ok(Number(error?.firstSeen) <= Number(error?.lastSeen));
    }
    // A live event is the newest, whatever the tracker said.
    await liveEvent(store, await projectAt('acme/shop'), bodyOf('z'), 'a'.repeat(32));
    const grown = (await pictureOf(store, await projectAt('acme/shop'))).find(({ issue }) => issue === late.id);
    assert.deepEqual([grown?.count, Number(grown?.lastSeen) >= now], [2, true]);
  });

  it('gives a key that two projects there show to the first, and lists it for the second', async () => {
    const other = source.world.addProject('other', { id: '4712', keys: 0 });
    source.world.addKey(other, { publicKey: shop.keys[0]!.publicKey, label: 'Shared' });
    source.world.addKey(other, { label: 'Own' });
    source.world.addIssue(other, { bodies: [{ body: bodyOf('a') }], count: 5 });
    const summary = await importInto(store, source);
    assert.match(summary.message, /^1 left: key "Shared" of other;/);
    assert.equal((await store.keyByPublicKey(shop.keys[0]!.publicKey))?.projectId, (await projectAt('acme/shop')).id);
    assert.equal((await store.listKeys((await projectAt('acme/other')).id)).length, 1);
    const [line] = summary.left_outs.filter(({ what }) => what.includes('Shared'));
    assert.match(line?.reason ?? '', /belongs to acme\/shop/);
  });

  it('leaves the own errors of the target project as they are', async () => {
    const project = await store.createProject({ path: 'team/store', name: 'store', visibility: 'private' });
    await store.saveSettings(project.id, { active: true, integrated: true });
    for (const [index, name] of ['a', 'own'].entries())
      await liveEvent(store, project, bodyOf(name), `${index}`.repeat(32));
    const own = await listAll(store, project);
    const options = { projects: [{ slug: 'shop', path: 'team/store', projectId: null }] };
    const summary = await importInto(store, source, { options });
    assert.deepEqual([summary.state, summary.imported], ['done', LETTERS.length]);
    await store.rollUpMerged();
    const after = await listAll(store, project);
    // The error with the key of an issue is merged with it; the other one stays alone.
    const alone = after.find(({ title }) => title.includes('broken own'));
    assert.deepEqual(
      alone,
      own.find(({ title }) => title.includes('broken own')),
    );
    assert.equal(after.length, LETTERS.length + 1);
    const [first] = shop.issues.values();
    const joined = after.find(({ title, message }) => `${title} ${message ?? ''}`.includes('broken a'));
    assert.equal(joined?.count, first!.count + 1);
    // New errors get numbers that neither side has.
    await liveEvent(store, project, bodyOf('new'), 'f'.repeat(32));
    const numbers = (await listAll(store, project)).map(({ id }) => id);
    assert.equal(new Set(numbers).size, LETTERS.length + 2);
    const fresh = (await listAll(store, project)).find(({ title }) => title.includes('broken new'));
    assert.ok(!shop.issues.has(fresh!.id));
  });
});
