import assert from 'node:assert/strict';
import { startTrackerPolling } from '../../../src/compose/tracker-polling.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { Closers } from '../../../src/lib/closers.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { SILENT_LOGGER } from '../../support/fake-logger.ts';
import { makeProject } from '../../support/store-data.ts';
import { SQLITE } from '../../support/test-stores.ts';
import { createTestTrackers } from '../../support/trackers.ts';

describe('the lease of polls of external trackers', () => {
  it('is taken at once after a crash of the only service of a store, and not from another gateway', async () => {
    const opened = await SQLITE.open();
    const closers = new Closers();
    try {
      const project = await makeProject(opened.store);
      await opened.store.saveProjectAlerts(project.id, { rules: [], lastRuleId: 0, poll: true });
      /** Starts a service that is never stopped properly; returns whether it gets the lease. */
      const starts = (shared: boolean) =>
        new Promise<boolean>((resolve) => {
          const own: Partial<Store> = {
            async acquireLease(...given) {
              const taken = await opened.store.acquireLease(...given);
              resolve(taken);
              return taken;
            },
            releaseLease: () => Promise.resolve(),
          };
          // Methods of the store may be on its prototype.
          const store = new Proxy(opened.store, {
            get: (target, key) => {
              const method: unknown = Reflect.get(own, key) ?? Reflect.get(target, key);
              return typeof method === 'function' ? method.bind(target) : method;
            },
          });
          const parts = { store, shared, opened: Promise.resolve(), logger: SILENT_LOGGER, metrics: createMetrics() };
          const clock = { now: () => Date.now() };
          startTrackerPolling({ ...parts, clock, trackers: createTestTrackers(clock) }, closers);
        });
      assert.equal(await starts(false), true);
      assert.equal(await starts(false), true);
      assert.equal(await starts(true), false);
    } finally {
      await closers.close();
      await opened.dispose();
    }
  });
});
