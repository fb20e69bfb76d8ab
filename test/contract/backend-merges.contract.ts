import assert from 'node:assert/strict';
import { errorNamed, is, listed, NOW, type BackendHarness } from './backend-harness.ts';

export function backendMergeContract(harness: () => BackendHarness): void {
  describe('merging', () => {
    it('merges several errors into one and separates them again, or says that it cannot', async () => {
      const { backend, integratedErrors, project, seed } = harness();
      await seed(project, [
        { name: 'alpha', events: [{ at: NOW }] },
        { name: 'bravo', events: [{ at: NOW - 1 }, { at: NOW - 2 }] },
      ]);
      const [alpha, bravo] = [await errorNamed(harness(), 'alpha'), await errorNamed(harness(), 'bravo')];
      const { merge } = await backend.capabilities(project);
      assert.equal(merge, integratedErrors !== null);
      if (integratedErrors === null) return;
      const root = await integratedErrors.merge(project, [alpha.id, bravo.id]);
      assert.ok([alpha.id, bravo.id].includes(root));
      const gone = root === alpha.id ? bravo.id : alpha.id;
      assert.deepEqual([(await backend.get(project, root)).count, (await listed(harness())).length], [3, 1]);
      assert.equal((await backend.get(project, gone)).mergedInto, root);
      const { errorId, separated } = await integratedErrors.unmerge(project, root, null);
      assert.deepEqual([errorId, separated.map(({ id }) => id)], [root, [gone]]);
      assert.equal((await listed(harness())).length, 2);
      await assert.rejects(integratedErrors.merge(project, [root, '99999999']), is('not_found'));
      await assert.rejects(integratedErrors.unmerge(project, '99999999', null), is('not_found'));
    });
  });
}
