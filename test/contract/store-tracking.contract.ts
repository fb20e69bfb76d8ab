import assert from 'node:assert/strict';
import type { StoreHarness } from '../support/store-harness.ts';
import { makeProject } from '../support/store-data.ts';

export function trackingContract(harness: () => StoreHarness): void {
  describe('settings', () => {
    it('has none until they are saved, then defaults with the patch', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      assert.equal(await store.settings(project.id), null);
      const saved = await store.saveSettings(project.id, { active: true });
      assert.deepEqual(saved, {
        projectId: project.id,
        active: true,
        integrated: true,
        apiUrl: null,
        projectName: null,
        organizationName: null,
        thirdpartyProjectId: null,
        sealedToken: null,
        tracker: null,
      });
      assert.deepEqual(await store.settings(project.id), saved);
    });

    it('keeps what a patch leaves out and clears what it sets to null', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const tracker = { base: 'https://t', kind: 'glitchtip', version: '5.2.0', checkedAt: 1_795_000_000_000 } as const;
      const link = { integrated: false, apiUrl: 'https://t/api/0/projects/o/p/', projectName: 'p', sealedToken: 'x' };
      const all = { ...link, tracker };
      await store.saveSettings(project.id, { ...all, organizationName: 'o', thirdpartyProjectId: '5' });
      const after = await store.saveSettings(project.id, { sealedToken: null, active: true });
      assert.deepEqual(after, {
        projectId: project.id,
        active: true,
        ...all,
        organizationName: 'o',
        thirdpartyProjectId: '5',
        sealedToken: null,
      });
      assert.deepEqual(await store.settings(project.id), after);
    });

    it('replaces an encrypted token only if it is unchanged', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store, 'a/one'), await makeProject(store, 'a/two')];
      const before = await store.saveSettings(project.id, { apiUrl: 'https://t/', sealedToken: 'old' });
      await store.saveSettings(other.id, { sealedToken: 'old' });
      assert.equal(await store.replaceEncryptedToken(project.id, 'older', 'new'), false);
      assert.deepEqual(await store.settings(project.id), before);
      assert.equal(await store.replaceEncryptedToken(project.id, 'old', 'new'), true);
      assert.deepEqual(await store.settings(project.id), { ...before, sealedToken: 'new' });
      assert.equal(await store.replaceEncryptedToken(project.id, 'old', 'new'), false);
      assert.equal((await store.settings(other.id))?.sealedToken, 'old');
      assert.equal(await store.replaceEncryptedToken(999, 'old', 'new'), false);
    });

    it('refuses settings of a project that does not exist', async () => {
      await assert.rejects(harness().store.saveSettings(12, { active: true }), { code: 'project_not_found' });
    });
  });

  describe('client keys', () => {
    it('creates, lists, finds, disables and deletes keys', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store, 'a/one'), await makeProject(store, 'a/two')];
      const key = await store.createKey(project.id, 'glet_1');
      const second = await store.createKey(project.id, 'glet_2');
      assert.equal(key.active, true);
      assert.deepEqual(await store.listKeys(project.id), [key, second]);
      assert.deepEqual(await store.keyById(project.id, key.id), key);
      assert.equal(await store.keyById(other.id, key.id), null);
      assert.deepEqual(await store.keyByPublicKey('glet_1'), key);
      assert.equal(await store.keyByPublicKey('GLET_1'), null);

      assert.deepEqual(await store.setKeyActive(project.id, key.id, false), { ...key, active: false });
      assert.equal((await store.keyById(project.id, key.id))?.active, false);
      assert.equal(await store.setKeyActive(other.id, key.id, true), null);
      assert.equal((await store.keyById(project.id, key.id))?.active, false);

      assert.equal(await store.deleteKey(other.id, second.id), null);
      assert.deepEqual(await store.deleteKey(project.id, second.id), second);
      assert.equal(await store.deleteKey(project.id, second.id), null);
      assert.notEqual((await store.createKey(project.id, 'glet_3')).id, second.id, 'ids are never used twice');
    });

    it('refuses a public key that is in use in any project', async () => {
      const { store } = harness();
      const [one, two] = [await makeProject(store, 'a/one'), await makeProject(store, 'a/two')];
      await store.createKey(one.id, 'shared');
      await assert.rejects(store.createKey(two.id, 'shared'), { code: 'conflict' });
      await assert.rejects(store.createKey(two.id + 1, 'fresh'), { code: 'project_not_found' });
    });

    it('ensures an active key only where there is none', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const first = await store.ensureActiveKey(project.id, 'k1');
      assert.equal(first?.publicKey, 'k1');
      assert.equal(await store.ensureActiveKey(project.id, 'k2'), null);
      await store.setKeyActive(project.id, first.id, false);
      assert.equal((await store.ensureActiveKey(project.id, 'k3'))?.publicKey, 'k3');
      assert.deepEqual(
        (await store.listKeys(project.id)).map(({ publicKey, active }) => [publicKey, active]),
        [
          ['k1', false],
          ['k3', true],
        ],
      );
    });

    it('keeps the latest use of each key, and never an earlier one', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const key = await store.createKey(project.id, 'k1');
      const unused = await store.createKey(project.id, 'k2');
      assert.equal(key.lastUsedAt, null);
      await store.touchKeys([
        { keyId: key.id, usedAt: 5000 },
        { keyId: 99, usedAt: 5000 },
      ]);
      await store.touchKeys([{ keyId: key.id, usedAt: 4000 }]);
      await store.touchKeys([]);
      const { version } = (await store.ingestAccess(null)) ?? assert.fail('no access');
      await store.touchKeys([{ keyId: key.id, usedAt: 4500 }]);
      assert.equal(await store.ingestAccess(version), null, 'using a key changes nothing for those who send');
      assert.deepEqual(await store.listKeys(project.id), [{ ...key, lastUsedAt: 5000 }, unused]);
    });

    it('sees changes of another process at once', async () => {
      const { store, other } = harness();
      const project = await makeProject(store);
      const elsewhere = await other();
      const key = await elsewhere.createKey(project.id, 'k1');
      assert.deepEqual(await store.keyByPublicKey('k1'), key);
      await store.deleteKey(project.id, key.id);
      assert.equal(await elsewhere.keyByPublicKey('k1'), null);
    });
  });
}
