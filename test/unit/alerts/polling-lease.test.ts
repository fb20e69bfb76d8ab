import assert from 'node:assert/strict';
import { leaseOwner } from '../../../src/compose/jobs.ts';
import { createTrackerPolling } from '../../../src/compose/tracker-polling.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { SILENT_LOGGER } from '../../support/fake-logger.ts';
import { makeProject } from '../../support/store-data.ts';
import { SQLITE } from '../../support/test-stores.ts';
import { createTestTrackers } from '../../support/trackers.ts';

describe('the lease of polls of external trackers', () => {
  it('is taken at once after a crash of the only service of a store, and not from another gateway', async () => {
    const opened = await SQLITE.open();
    try {
      const project = await makeProject(opened.store);
      await opened.store.saveProjectAlerts(project.id, { rules: [], lastRuleId: 0, poll: true });
      /** Runs polls of a service that is never stopped properly; returns whether it gets the lease. */
      const starts = async (shared: boolean) => {
        let held = false;
        const own: Partial<Store> = {
          acquireLease: async (...given) => (held = await opened.store.acquireLease(...given)),
        };
        // Methods of the store may be on its prototype.
        const store = new Proxy(opened.store, {
          get: (target, key) => {
            const method: unknown = Reflect.get(own, key) ?? Reflect.get(target, key);
            return typeof method === 'function' ? method.bind(target) : method;
          },
        });
        const clock = { now: () => Date.now() };
        const parts = { store, clock, trackers: createTestTrackers(clock), metrics: createMetrics() };
        await createTrackerPolling({ ...parts, owner: leaseOwner(shared), logger: SILENT_LOGGER }).run();
        return held;
      };
      assert.equal(await starts(false), true);
      assert.equal(await starts(false), true);
      assert.equal(await starts(true), false);
    } finally {
      await opened.dispose();
    }
  });
});
