import assert from 'node:assert/strict';
import { FORWARD_STATE_MS } from '../../src/domain/ingest/forward.ts';
import { makeForward, makeForwardState, makeProject } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

export function forwardContract(harness: () => StoreHarness): void {
  describe('forwarding of a project', () => {
    it('is saved, replaced, listed and removed', async () => {
      const { store, other } = harness();
      const [one, two] = [await makeProject(store, 'a/one'), await makeProject(store, 'a/two')];
      assert.equal(await store.forward(one.id), null);
      const ofTwo = makeForward(two.id);
      const ofOne = { ...makeForward(one.id), until: 99, target: 'https://other.example/x/8' };
      await store.saveForward(ofTwo);
      await store.saveForward(makeForward(one.id));
      await store.saveForward(ofOne);
      const elsewhere = await other();
      assert.deepEqual(await elsewhere.forward(one.id), ofOne);
      assert.deepEqual(await elsewhere.listForwards(), [ofOne, ofTwo]);
      assert.deepEqual((await elsewhere.ingestAccess(null))?.forwards, [
        [one.id, 99],
        [two.id, null],
      ]);
      assert.equal(await store.removeForward(one.id), true);
      assert.equal(await store.removeForward(one.id), false);
      assert.deepEqual(await elsewhere.listForwards(), [ofTwo]);
    });

    it('takes another encryption of the same DSN only', async () => {
      const { store } = harness();
      const { id } = await makeProject(store);
      await store.saveForward(makeForward(id));
      assert.equal(await store.replaceSealedDsn(id, 'another', 'new'), false);
      assert.equal(await store.replaceSealedDsn(id, 'sealed', 'new'), true);
      assert.equal((await store.forward(id))?.sealedDsn, 'new');
    });

    it('has a state per spool', async () => {
      const { store, other } = harness();
      const [one, two] = [await makeProject(store, 'a/one'), await makeProject(store, 'a/two')];
      const first = makeForwardState(one.id, 'a'.repeat(32));
      const second = makeForwardState(one.id, 'b'.repeat(32));
      const third = { ...makeForwardState(two.id), failure: null, failedAt: null, oldestAt: null, succeededAt: null };
      await store.saveForwardState(second);
      await store.saveForwardState({ ...first, bytes: 77 });
      await store.saveForwardState(first);
      await store.saveForwardState(third);
      const elsewhere = await other();
      assert.deepEqual(await elsewhere.listForwardStates(one.id), [first, second]);
      assert.deepEqual(await elsewhere.listForwardStates(null), [first, second, third]);
    });

    it('forgets spools that are silent for a month', async () => {
      const { store } = harness();
      const { id } = await makeProject(store);
      await store.saveForwardState(makeForwardState(id, 'a'.repeat(32)));
      const later = { ...makeForwardState(id, 'b'.repeat(32)), updatedAt: 851 + FORWARD_STATE_MS };
      await store.saveForwardState(later);
      assert.deepEqual(await store.listForwardStates(id), [later]);
    });

    it('is removed with its project, and cannot be saved for an unknown one', async () => {
      const { store } = harness();
      const { id } = await makeProject(store);
      await store.saveForward(makeForward(id));
      await store.saveForwardState(makeForwardState(id));
      await store.deleteProject(id);
      assert.equal(await store.forward(id), null);
      assert.deepEqual(await store.listForwardStates(null), []);
      await assert.rejects(store.saveForward(makeForward(id)), { code: 'project_not_found' });
      await store.saveForwardState(makeForwardState(id));
      assert.deepEqual(await store.listForwardStates(null), []);
    });
  });
}
