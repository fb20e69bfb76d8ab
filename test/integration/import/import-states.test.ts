import assert from 'node:assert/strict';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import { IMPORT_TOKEN, importInto } from '../../support/import-world.ts';
import { listAll } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

describeOnStores('states and assignees of imported errors', (kind) => {
  let source: FakeSource;
  let opened: OpenedStore;

  beforeEach(async () => {
    source = await startFakeSource('sentry');
    source.world.addToken(IMPORT_TOKEN);
    opened = await kind.open();
  });

  afterEach(async () => {
    await opened.dispose();
    await source.close();
  });

  it('come along with what they wait for, and are assigned to members by their address', async () => {
    const { store } = opened;
    const shop = source.world.addProject('shop', { id: '4711' });
    const add = (name: string, more: object) =>
      source.world.addIssue(shop, { bodies: [{ body: { message: name }, at: Date.now() - 86_400_000 }], ...more });
    const until = new Date(Date.now() + 86_400_000).toISOString();
    add('one', { status: 'resolved', statusDetails: { inRelease: 'shop@1.4' }, assignee: 'ADA@shop.example' });
    add('two', { status: 'ignored', statusDetails: { ignoreUntil: until, ignoreCount: 7 } });
    add('three', {
      status: 'ignored',
      statusDetails: { ignoreCount: 7, ignoreWindow: 60 },
      assignee: 'bob@shop.example',
    });
    const ada = await store.createUser({
      ...{ username: 'ada', name: 'Ada', admin: false, passwordHash: 'x', email: 'ada@shop.example' },
    });
    const project = await store.createProject({ path: 'acme/shop', name: 'shop', visibility: 'private' });
    await store.setMember(project.id, ada.id, 30);
    const summary = await importInto(store, source);
    const errors = await listAll(store, project);
    const details = errors.map(({ status, statusDetails, assignee }) => [status, statusDetails, assignee?.id ?? null]);
    assert.deepEqual(
      details.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      [
        ['ignored', null, null],
        ['ignored', { ignoreUntil: Date.parse(until), ignoreCount: 7 }, null],
        ['resolved', { inRelease: 'shop@1.4' }, ada.id],
      ],
    );
    assert.match(JSON.stringify(summary.left_outs), /7 more events within a time/);
    assert.match(JSON.stringify(summary.to_set_up), /member bob@shop\.example/);
    const resolved = errors.find(({ status }) => status === 'resolved');
    const log = (await store.listActivity(project.id, resolved?.id ?? '')) ?? [];
    assert.deepEqual(log.map(({ kind: what }) => what).sort(), ['assigned', 'imported']);
    // A person's choice stays, also after another pass.
    await store.setAssignee(project.id, resolved?.id ?? '', null, ada.id, Date.now());
    await importInto(store, source);
    assert.equal((await store.errorById(project.id, resolved?.id ?? '', Date.now()))?.assignee, null);
  });

  it('are assigned by a later pass after a kill, and after their people were invited', async () => {
    const { store } = opened;
    const shop = source.world.addProject('shop', { id: '4711' });
    const add = (message: string, assignee: string) =>
      source.world.addIssue(shop, { bodies: [{ body: { message }, at: Date.now() - 86_400_000 }], assignee });
    add('one', 'ada@shop.example');
    add('two', 'bob@shop.example');
    const project = await store.createProject({ path: 'acme/shop', name: 'shop', visibility: 'private' });
    const join = async (username: string) => {
      const email = `${username}@shop.example`;
      const { id } = await store.createUser({ username, name: username, admin: false, passwordHash: 'x', email });
      await store.setMember(project.id, id, 30);
      return id;
    };
    const assignees = async () =>
      Object.fromEntries((await listAll(store, project)).map(({ message, assignee }) => [message, assignee?.id]));
    const ada = await join('ada');
    const killed = new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          const result: unknown = await Reflect.apply(member, target, given);
          if (name === 'putImportedError') throw new Error('killed');
          return result;
        };
      },
    });
    await assert.rejects(importInto(killed, source));
    const summary = await importInto(store, source);
    assert.match(JSON.stringify(summary.to_set_up), /member bob@shop\.example/);
    assert.deepEqual(await assignees(), { one: ada, two: undefined });
    const bob = await join('bob');
    await importInto(store, source);
    assert.deepEqual(await assignees(), { one: ada, two: bob });
    // A member that left is not assigned again.
    await store.removeMember(project.id, bob);
    await store.setMember(project.id, bob, 30);
    await importInto(store, source);
    assert.deepEqual(await assignees(), { one: ada, two: undefined });
  });

  it('in the next release go by the newest release at the time of the resolution', async () => {
    const { store } = opened;
    const day = 86_400_000;
    const shop = source.world.addProject('shop', { id: '4711' });
    const lastSeen = Date.now() - 2 * day;
    const bodies = [{ body: { message: 'one' }, at: lastSeen }];
    const activity = [{ type: 'set_resolved', at: lastSeen + 1000 }];
    const status = { status: 'resolved', statusDetails: { inNextRelease: true }, activity };
    source.world.addIssue(shop, { bodies, firstSeen: lastSeen, lastSeen, ...status });
    const at = (days: number) => ({ firstSeen: Date.now() - days * day, lastSeen: Date.now() - days * day });
    shop.releases.push({ version: 'shop@1.9', ...at(4) }, { version: 'shop@1.10', ...at(3) });
    shop.releases.push({ version: 'shop@1.11', ...at(1) });
    await importInto(store, source);
    const found = await store.projectByPath('acme/shop');
    assert.ok(found !== null);
    const [error] = await listAll(store, found.project);
    assert.deepEqual(error?.statusDetails, { inNextRelease: true, afterRelease: 'shop@1.10' });
  });

  it('resolved in a commit are resolved in a release that came along and names it', async () => {
    const { store } = opened;
    const shop = source.world.addProject('shop', { id: '4711' });
    const at = Date.now() - 86_400_000;
    const statusDetails = { inCommit: 'BeefCafe0123' };
    const bodies = [{ body: { message: 'one' }, at }];
    source.world.addIssue(shop, { bodies, status: 'resolved', statusDetails });
    shop.releases.push({ version: 'shop@1.11+beefcafe', firstSeen: at, lastSeen: at });
    await importInto(store, source);
    const project = (await store.projectByPath('acme/shop'))?.project ?? assert.fail();
    const [error] = await listAll(store, project);
    const inCommit = { commit: 'beefcafe0123', repository: null };
    assert.deepEqual(error?.statusDetails, { inRelease: 'shop@1.11+beefcafe', inCommit });
  });

  it('stay deleted where further events are dropped, and the report counts them and names ten', async () => {
    const { store } = opened;
    const shop = source.world.addProject('shop', { id: '4711' });
    for (let index = 0; index < 12; index += 1) {
      source.world.addIssue(shop, { bodies: [{ body: { message: `word${index}` }, at: Date.now() - 1000 }] });
    }
    const first = await importInto(store, source);
    assert.deepEqual([first.imported, first.dropped, first.dropped_first], [12, 0, []]);
    const project = (await store.projectByPath('acme/shop'))?.project;
    assert.ok(project !== undefined);
    const errors = await listAll(store, project);
    const some = errors.slice(0, 11).map(({ id }) => id);
    assert.equal(await store.deleteErrors(project.id, some, true, null, Date.now()), 11);
    const again = await importInto(store, source);
    assert.deepEqual([again.imported, again.dropped, again.dropped_first.length, again.left_out], [0, 11, 10, 0]);
    assert.match(again.dropped_first.join(), /^(shop: issue \d+,){9}shop: issue \d+$/);
    assert.equal((await listAll(store, project)).length, 1);
  });
});
