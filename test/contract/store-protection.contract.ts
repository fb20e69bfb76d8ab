import assert from 'node:assert/strict';
import { NO_OVERRIDES } from '../../src/domain/ingest/protection-overrides.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { makeProject } from '../support/store-data.ts';

export function protectionContract(harness: () => StoreHarness): void {
  describe('protection of a project', () => {
    it('is empty until it is saved, and keeps what a patch leaves out', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      assert.equal(await store.protection(project.id), null);
      const first = await store.saveProtection(project.id, { sensitiveFields: ['iban', 'Straße', '"'] });
      assert.deepEqual(first, { ...NO_OVERRIDES, sensitiveFields: ['iban', 'Straße', '"'] });
      const second = await store.saveProtection(project.id, { scrubIps: true, keyEventsPerMinute: 1e9 });
      assert.deepEqual(second, { ...first, scrubIps: true, keyEventsPerMinute: 1e9 });
      const third = await store.saveProtection(project.id, { keyEventsPerMinute: null, projectEventsPerMinute: 1 });
      assert.deepEqual(third, { ...second, keyEventsPerMinute: null, projectEventsPerMinute: 1 });
      assert.deepEqual(await store.saveProtection(project.id, {}), third);
      assert.deepEqual(await store.protection(project.id), third);
    });

    it('is removed when nothing is left of it', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      assert.deepEqual(await store.saveProtection(project.id, { scrubIps: false }), NO_OVERRIDES);
      assert.equal(await store.protection(project.id), null);
      await store.saveProtection(project.id, { sensitiveFields: ['iban'], projectEventsPerMinute: 5 });
      await store.saveProtection(project.id, { sensitiveFields: [] });
      assert.deepEqual(await store.saveProtection(project.id, { projectEventsPerMinute: null }), NO_OVERRIDES);
      assert.equal(await store.protection(project.id), null);
      assert.deepEqual(await store.listProtections(), []);
    });

    it('is part of the access to ingestion, for active and inactive projects', async () => {
      const { store, other } = harness();
      const [one, , three] = [
        await makeProject(store, 'a/one'),
        await makeProject(store, 'a/two'),
        await makeProject(store, 'a/three'),
      ];
      const ofThree = await store.saveProtection(three.id, { scrubIps: true });
      const ofOne = await store.saveProtection(one.id, { sensitiveFields: ['iban'] });
      const expected = [
        [one.id, ofOne],
        [three.id, ofThree],
      ];
      assert.deepEqual(await store.listProtections(), expected);
      assert.deepEqual((await (await other()).ingestAccess(null))?.protections, expected);
    });

    it('is removed with its project, and cannot be saved for an unknown one', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await store.saveProtection(project.id, { scrubIps: true });
      await store.deleteProject(project.id);
      assert.equal(await store.protection(project.id), null);
      assert.deepEqual(await store.listProtections(), []);
      await assert.rejects(store.saveProtection(project.id, { scrubIps: true }), { code: 'project_not_found' });
    });

    it('keeps both of two changes to different members at once', async () => {
      const { store, other } = harness();
      const project = await makeProject(store);
      const elsewhere = await other();
      await Promise.all([
        store.saveProtection(project.id, { sensitiveFields: ['iban'] }),
        elsewhere.saveProtection(project.id, { projectEventsPerMinute: 7 }),
      ]);
      assert.deepEqual(await store.protection(project.id), {
        ...NO_OVERRIDES,
        sensitiveFields: ['iban'],
        projectEventsPerMinute: 7,
      });
    });
  });
}
