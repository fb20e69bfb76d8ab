import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { makeForward, makeProject } from '../support/store-data.ts';

const HOUR_MS = 3_600_000;

/** What gateways that share a store ask of it beside the data. */
export function gatewayContract(harness: () => StoreHarness): void {
  describe('access to ingestion', () => {
    it('is empty at first', async () => {
      const access = await harness().store.ingestAccess(null);
      assert.deepEqual([access?.keys, access?.aliases, access?.protections, access?.forwards], [[], [], [], []]);
    });

    it('lists the active keys of active, integrated projects only', async () => {
      const { store } = harness();
      const [on, off, external, never] = await Promise.all(['on', 'off', 'external', 'never'].map(makeIn(store)));
      assert.ok(on && off && external && never);
      await store.saveSettings(on.id, { active: true });
      await store.saveSettings(off.id, { active: false });
      await store.saveSettings(external.id, { active: true, integrated: false });
      const keys = [];
      for (const { id } of [on, off, external, never]) keys.push(await store.createKey(id, `key_of_${id}`));
      const disabled = await store.createKey(on.id, 'disabled');
      await store.setKeyActive(on.id, disabled.id, false);
      await store.addAlias(on.id, '7001');
      const access = await store.ingestAccess(null);
      assert.deepEqual(access?.keys, [{ id: keys[0]?.id, projectId: on.id, publicKey: `key_of_${on.id}` }]);
      assert.deepEqual(access.aliases, [[on.id, '7001']]);
    });

    it('reports every change, also by another process, and nothing else', async () => {
      const { store, other } = harness();
      const elsewhere = await other();
      const project = await makeProject(store);
      let known: string | null = null;
      const seen = async (change: () => Promise<unknown>) => {
        await change();
        const access = await elsewhere.ingestAccess(known);
        assert.ok(access !== null, `not announced: ${String(change)}`);
        assert.notEqual(access.version, known);
        known = access.version;
        assert.equal(await elsewhere.ingestAccess(known), null);
        return access.keys.length;
      };
      assert.equal(await seen(() => store.saveSettings(project.id, { active: true })), 0);
      assert.equal(await seen(() => store.createKey(project.id, 'one')), 1);
      const [key] = await store.listKeys(project.id);
      assert.ok(key !== undefined);
      assert.equal(await seen(() => store.setKeyActive(project.id, key.id, false)), 0);
      assert.equal(await seen(() => store.ensureActiveKey(project.id, 'two')), 1);
      assert.equal(await seen(() => store.addAlias(project.id, '7001')), 1);
      assert.equal(await seen(() => store.deleteKey(project.id, key.id)), 1);
      assert.equal(await seen(() => store.saveSettings(project.id, { integrated: false })), 0);
      assert.equal(await seen(() => store.saveSettings(project.id, { integrated: true })), 1);
      assert.equal(await seen(() => store.saveProtection(project.id, { scrubIps: true })), 1);

      assert.equal(await seen(() => store.saveForward(makeForward(project.id))), 1);
      assert.equal(await seen(() => store.removeForward(project.id)), 1);
      assert.equal(await seen(() => store.saveForward(makeForward(project.id))), 1);

      await store.createUser({ username: 'u', name: 'U', admin: false, passwordHash: 'x' });
      await store.setMeta('a', 'b');
      assert.equal(await elsewhere.ingestAccess(known), null);

      assert.equal(await seen(() => store.deleteProject(project.id)), 0);
      const after = await store.ingestAccess(null);
      assert.deepEqual([after?.aliases, after?.protections, after?.forwards], [[], [], []]);
    });
  });

  describe('leases', () => {
    it('are held by one owner at a time, which may extend them', async () => {
      const { store, other } = harness();
      const elsewhere = await other();
      assert.equal(await store.acquireLease('work', 'host one', HOUR_MS), true);
      assert.equal(await elsewhere.acquireLease('work', 'host two', HOUR_MS), false);
      assert.equal(await elsewhere.acquireLease('other work', 'two', HOUR_MS), true);
      assert.equal(await store.acquireLease('work', 'host one', HOUR_MS), true);
      await elsewhere.releaseLease('work', 'host two');
      assert.equal(await elsewhere.acquireLease('work', 'host two', HOUR_MS), false);
      await store.releaseLease('work', 'host one');
      await store.releaseLease('work', 'host one');
      assert.equal(await elsewhere.acquireLease('work', 'host two', HOUR_MS), true);
    });

    it('end by themselves', async () => {
      const { store, other } = harness();
      assert.equal(await store.acquireLease('work', 'host one', 0), true);
      assert.equal(await (await other()).acquireLease('work', 'host two', HOUR_MS), true);
      assert.equal(await store.acquireLease('work', 'host one', HOUR_MS), false);
    });

    it('go to one of several processes that ask at once', async () => {
      const { store, other } = harness();
      const elsewhere = await other();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : elsewhere).acquireLease('work', `owner ${index}`, HOUR_MS),
        ),
      );
      assert.equal(answers.filter(Boolean).length, 1);
    });
  });
}

const makeIn =
  (store: Store) =>
  (name: string): Promise<Project> =>
    makeProject(store, `group/${name}`);
