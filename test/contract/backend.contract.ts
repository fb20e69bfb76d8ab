import assert from 'node:assert/strict';
import { ERROR_SORTS } from '../../src/domain/search/error-query.ts';
import { backendErrorContract } from './backend-errors.contract.ts';
import { NOW, type BackendHarness } from './backend-harness.ts';
import { backendListContract } from './backend-lists.contract.ts';
import { backendMergeContract } from './backend-merges.contract.ts';
import { backendPagingContract } from './backend-paging.contract.ts';

/** What every backend of a project's errors must do; what it cannot it says beforehand. */
export function backendContract(name: string, make: () => Promise<BackendHarness>): void {
  describe(`backend contract: ${name}`, () => {
    let current: BackendHarness | undefined;
    beforeEach(async () => {
      current = await make();
    });
    afterEach(async () => {
      const ended = current;
      current = undefined;
      await ended?.dispose();
      ended?.assertClean();
    });
    const harness = (): BackendHarness => {
      if (current === undefined) throw new Error('there is no backend outside a test');
      return current;
    };

    it('says what it can do, the same at each call', async () => {
      const { backend, project, seed } = harness();
      // Filters of a tracker of unknown kind can only be probed with an error.
      await seed(project, [{ name: 'alpha', events: [{ at: NOW }] }]);
      const { sorts, filters, conditions, marks, merge, releases, statusDetails, unstableSorts } =
        await backend.capabilities(project);
      assert.ok(sorts.includes('last_seen'), 'the default order works everywhere');
      assert.ok(sorts.every((sort) => ERROR_SORTS.includes(sort)));
      assert.equal(new Set(sorts).size, sorts.length);
      assert.ok(filters.includes('status') && filters.includes('search'));
      assert.deepEqual([typeof merge, typeof releases, typeof statusDetails], ['boolean', 'boolean', 'boolean']);
      assert.deepEqual(await backend.capabilities(project), {
        sorts,
        filters,
        conditions,
        marks,
        merge,
        releases,
        statusDetails,
        unstableSorts,
      });
    });

    it('names the page of the external tracker, if there is one', async () => {
      const { backend, project, seed } = harness();
      const url = await backend.externalUrl(project);
      if (url !== null) assert.match(url, /^https?:\/\/[^/@]+\//);
      await seed(project, [{ name: 'alpha', events: [{ at: NOW }] }]);
      const [error] = (
        await backend.list(project, {
          status: 'all',
          search: null,
          sort: 'last_seen',
          environment: null,
          release: null,
          level: null,
          limit: 1,
          cursor: null,
        })
      ).items;
      assert.equal(error?.externalUrl === null, url === null);
      if (url !== null) assert.ok(error?.externalUrl?.startsWith(new URL(url).origin), error?.externalUrl ?? '');
    });

    backendListContract(harness);
    backendPagingContract(harness);
    backendErrorContract(harness);
    backendMergeContract(harness);
  });
}
