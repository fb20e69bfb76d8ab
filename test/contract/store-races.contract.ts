import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { makeProject } from '../support/store-data.ts';

const ROUNDS = 12;

/** Two processes that make the same thing at once: one makes it, whatever the order of their steps. */
export function raceContract(harness: () => StoreHarness): void {
  describe('races', () => {
    /** Runs the same in two processes, several times at once, and gives back what came of it. */
    const race = async <T>(work: (store: Store, round: number) => Promise<T>): Promise<(T | string)[]> => {
      const { store, other } = harness();
      const stores = [store, await other()] as const;
      return Promise.all(
        Array.from({ length: ROUNDS }, async (_, round) => {
          try {
            return await work(stores[(round % 2) as 0 | 1], round);
          } catch (error) {
            return (error as { code?: string }).code ?? String(error);
          }
        }),
      );
    };

    it('give a username to one of them', async () => {
      const made = await race((store, round) =>
        store.createUser({ username: round % 3 === 0 ? 'ada' : 'ADA', name: 'x', admin: false, passwordHash: 'x' }),
      );
      assert.equal(made.filter((each) => typeof each === 'object').length, 1);
      assert.deepEqual(
        made.filter((each) => typeof each !== 'object'),
        Array.from({ length: ROUNDS - 1 }, () => 'conflict'),
      );
      assert.equal((await harness().store.listUsers()).length, 1);
    });

    it('give a path to one of them, also when it moves there', async () => {
      const { store } = harness();
      const mover = await makeProject(store, 'a/mover');
      const made = await race((each, round) =>
        round % 3 === 0 ? each.updateProject(mover.id, { path: 'a/wanted' }) : makeProject(each, 'a/wanted'),
      );
      const owners = new Set(made.flatMap((each) => (typeof each === 'object' && each !== null ? [each.id] : [])));
      assert.equal(owners.size, 1);
      assert.deepEqual(
        made.filter((each) => typeof each !== 'object' && each !== 'conflict'),
        [],
      );
      assert.ok(owners.has((await store.projectByPath('a/wanted'))?.project.id ?? 0));
    });

    it('give a public key to one of them, and each key and project its own id', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const same = await race((each) => each.createKey(project.id, 'same'));
      assert.equal(same.filter((each) => typeof each === 'object').length, 1);
      await race((each, round) => each.createKey(project.id, `key${round}`));
      await race((each, round) => makeProject(each, `a/p${round}`));
      const ids = (await store.listKeys(project.id)).map(({ id }) => id);
      assert.deepEqual([ids.length, new Set(ids).size], [ROUNDS + 1, ROUNDS + 1]);
      const projects = (await store.listProjects()).map(({ id }) => id);
      assert.deepEqual([projects.length, new Set(projects).size], [ROUNDS + 1, ROUNDS + 1]);
    });

    it('make one active key where several are ensured, also after it was disabled', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      for (const turn of ['first', 'second']) {
        const made = await race((each, round) => each.ensureActiveKey(project.id, `${turn}${round}`));
        const keys = made.flatMap((each) => (typeof each === 'object' && each !== null ? [each] : []));
        assert.equal(keys.length, 1, turn);
        assert.equal(made.filter((each) => each === null).length, ROUNDS - 1);
        await store.setKeyActive(project.id, keys[0]?.id ?? 0, false);
      }
      assert.equal((await store.listKeys(project.id)).length, 2);
    });

    it('keep the settings that each of them changed', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await race((each, round) =>
        each.saveSettings(project.id, round % 2 === 0 ? { projectName: 'name' } : { organizationName: 'organization' }),
      );
      const settings = await store.settings(project.id);
      assert.deepEqual([settings?.projectName, settings?.organizationName], ['name', 'organization']);
    });

    it('keep the first of several values for a shared name', async () => {
      const values = await race((each, round) => each.initMeta('salt', `value${round}`));
      assert.equal(new Set(values).size, 1);
      assert.equal(await harness().store.getMeta('salt'), values[0]);
    });

    it('add an alias once', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await race((each) => each.addAlias(project.id, 'old-shop'));
      assert.deepEqual(await store.listAliases(project.id), ['old-shop']);
    });

    it('let one of them remove a project', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const removed = await race((each) => each.deleteProject(project.id));
      assert.deepEqual(removed.filter((each) => each === true).length, 1);
      assert.equal(removed.filter((each) => each === false).length, ROUNDS - 1);
    });
  });
}
