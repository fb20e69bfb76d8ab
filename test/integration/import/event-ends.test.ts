import assert from 'node:assert/strict';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SdkBody } from '../../support/fake-source/source-records.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { IMPORT_TOKEN, importInto } from '../../support/import-world.ts';
import { bodyOf } from '../../support/import-shop.ts';
import { listAll } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

const HOUR = 3_600_000;

for (const tracker of ['glitchtip', 'urgentry', 'bugsink'] as const) {
  describeOnStores(`what the issues of ${tracker} do not tell`, (kind) => {
    let source: FakeSource;
    let opened: OpenedStore;

    beforeEach(async () => {
      source = await startFakeSource(tracker);
      source.world.addToken(IMPORT_TOKEN);
      opened = await kind.open();
    });

    afterEach(async () => {
      await opened.dispose();
      await source.close();
    });

    async function shown() {
      const found = await opened.store.projectByPath('acme/shop');
      assert.ok(found);
      const errors = await listAll(opened.store, found.project);
      return errors.map(({ culprit, level, platform, firstRelease, lastRelease }) => [
        ...[culprit, level, platform, firstRelease, lastRelease],
      ]);
    }

    it('comes from its newest and oldest events, and stays in further runs', async () => {
      const { world } = source;
      const shop = world.addProject('shop', { id: tracker === 'urgentry' ? 'shop-id' : '7' });
      const at = Date.now() - 30 * HOUR;
      const sent = (release: string): SdkBody => ({ ...bodyOf('pay'), level: 'warning', release });
      world.addIssue(shop, {
        ...{ culprit: '', level: tracker === 'bugsink' ? 'error' : 'warning', firstSeen: at, lastSeen: at + HOUR },
        bodies: [
          { body: sent('shop@1'), at },
          { body: sent('shop@2'), at: at + HOUR },
        ],
      });
      await importInto(opened.store, source);
      const expected = [['app.pay in run_pay', 'warning', 'python', 'shop@1', 'shop@2']];
      assert.deepEqual(await shown(), expected);
      // Lists the issues again, and reads no events of old ones.
      await importInto(opened.store, source);
      assert.deepEqual(await shown(), expected);
    });

    it('keeps its platform when the tracker fails to give the events of a further run', async () => {
      const { world } = source;
      const shop = world.addProject('shop', {
        ...{ id: tracker === 'urgentry' ? 'shop-id' : '7', platform: 'javascript' },
      });
      const at = Date.now() - HOUR;
      const issue = world.addIssue(shop, {
        ...{ firstSeen: at, lastSeen: at },
        bodies: [{ body: { ...bodyOf('pay'), platform: 'csharp' }, at }],
      });
      const platforms = async () => (await shown()).map(([, , platform]) => platform);
      await importInto(opened.store, source);
      assert.deepEqual(await platforms(), ['csharp']);
      for (const fault of [faults.htmlLogin(), faults.json(tracker === 'bugsink' ? { results: [] } : [])]) {
        world.touch(issue);
        source.fail(fault, /\/events\//);
        await importInto(opened.store, source);
        source.heal();
        assert.deepEqual(await platforms(), ['csharp'], fault.name);
      }
    });

    it('names no first release where the first events are gone', async () => {
      const { world } = source;
      const shop = world.addProject('shop', { id: tracker === 'urgentry' ? 'shop-id' : '7' });
      const at = Date.now() - 30 * HOUR;
      world.addIssue(shop, {
        ...{ culprit: '', count: 50, firstSeen: at - 100 * HOUR, lastSeen: at },
        bodies: [{ body: { ...bodyOf('pay'), release: 'shop@9' }, at }],
      });
      await importInto(opened.store, source);
      assert.deepEqual(await shown(), [['app.pay in run_pay', 'error', 'python', null, 'shop@9']]);
    });
  });
}
