import assert from 'node:assert/strict';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SdkBody, SourceProject } from '../../support/fake-source/source-records.ts';
import { eventIdFor } from '../../support/import-shop.ts';
import { IMPORT_TOKEN, importInto, liveEvent, pictureOf } from '../../support/import-world.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

/** Message as SDKs of Java, Ruby and Rust send it: the stack is that of a thread. */
function messageOf(text: string, given: SdkBody = {}): SdkBody {
  const frames = [{ module: 'shop.Stock', function: 'check', filename: 'Stock.java', lineno: 7, in_app: true }];
  return {
    ...{ platform: 'java', level: 'warning', logger: 'shop.Stock', message: text },
    threads: { values: [{ id: 1, current: true, crashed: false, stacktrace: { frames } }] },
    ...given,
  };
}

for (const tracker of ['glitchtip', 'urgentry'] as const) {
  describeOnStores(`messages with the stack of a thread, which ${tracker} drops`, (kind) => {
    let source: FakeSource;
    let opened: OpenedStore;
    let shop: SourceProject;

    beforeEach(async () => {
      source = await startFakeSource(tracker);
      source.world.addToken(IMPORT_TOKEN);
      shop = source.world.addProject('shop', { id: tracker === 'urgentry' ? 'shop-id' : '7' });
      opened = await kind.open();
    });

    afterEach(async () => {
      await opened.dispose();
      await source.close();
    });

    /** Imports what is there, sends live events, imports again. Returns the counts, and the errors joined by likeness. */
    async function countsAfter(live: readonly SdkBody[]) {
      const { store } = opened;
      await importInto(store, source);
      const found = await store.projectByPath('acme/shop');
      assert.ok(found);
      for (const [index, body] of live.entries()) {
        await liveEvent(store, found.project, body, eventIdFor(`live ${index}`));
      }
      const { joined } = await importInto(store, source);
      const errors = await pictureOf(store, found.project);
      const counts = errors.map(({ count }) => count).sort((one, other) => one - other);
      return { counts, joined: joined.likeness, origins: JSON.stringify(errors.map(({ origin }) => origin)) };
    }

    it('are counted in the only error with their text, level and platform, which says so', async () => {
      source.world.addIssue(shop, { bodies: [{ body: messageOf('stock of 12 is low') }], count: 5 });
      source.world.addIssue(shop, { bodies: [{ body: messageOf('stock is gone') }], count: 7 });
      const { counts, joined, origins } = await countsAfter([messageOf('stock of 3417 is low')]);
      assert.deepEqual([counts, joined], [[6, 7], 1]);
      assert.match(origins, /joined by likeness: it has the same message, level and platform/);
    });

    it('stay apart from another text, level or platform', async () => {
      source.world.addIssue(shop, { bodies: [{ body: messageOf('stock of 12 is low') }], count: 5 });
      const { counts, joined } = await countsAfter([
        messageOf('stock of 12 is high'),
        messageOf('stock of 12 is low', { level: 'fatal' }),
        messageOf('stock of 12 is low', { platform: 'ruby' }),
      ]);
      assert.deepEqual([counts, joined], [[1, 1, 1, 5], 0]);
    });

    it('stay apart from two errors that both are alike', async () => {
      for (const environment of ['one', 'two']) {
        source.world.addIssue(shop, { bodies: [{ body: messageOf('stock of 12 is low', { environment }) }], count: 5 });
      }
      const { counts, joined } = await countsAfter([messageOf('stock of 12 is low')]);
      assert.deepEqual([counts, joined], [[1, 5, 5], 0]);
    });
  });
}
