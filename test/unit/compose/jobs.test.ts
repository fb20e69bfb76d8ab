import assert from 'node:assert/strict';
import { serviceJobs, storeJobs } from '../../../src/compose/jobs.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { Jobs } from '../../../src/observability/jobs.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { SILENT_LOGGER } from '../../support/fake-logger.ts';
import { SQLITE } from '../../support/test-stores.ts';

const SETTINGS = { retentionDays: 90, auditDays: 365, maxEventsPerError: 0, maxBytes: 0 };
const ARTIFACTS = { unusedDays: 90, projectMaxBytes: 1e9 };
const clock = { now: () => Date.now() };

describe('the table of jobs', () => {
  it('announces this gateway under one random name, and removes it at the end', async () => {
    const opened = await SQLITE.open();
    const calls: string[] = [];
    const own: Partial<Store> = {
      announceGateway: async (id, version) => void calls.push(`${id} ${version}`),
      retireGateway: async (id) => void calls.push(`${id} gone`),
    };
    const store = { ...opened.store, ...own };
    try {
      const of = { settings: SETTINGS, artifacts: ARTIFACTS, metrics: createMetrics() };
      const parts = { store, owner: 'me', ...of, clock, logger: SILENT_LOGGER };
      const jobs = new Jobs(storeJobs({ ...parts, version: '1.2.3' }), SILENT_LOGGER);
      jobs.start();
      await jobs.stop();
      const id = calls[0]?.split(' ')[0] ?? '';
      assert.match(id, /^[0-9a-f]{32}$/);
      assert.deepEqual(calls, [`${id} 1.2.3`, `${id} gone`]);
    } finally {
      await opened.dispose();
    }
  });

  it('names every job once; what removes data or searches all errors runs on one gateway', async () => {
    const opened = await SQLITE.open();
    const { store } = opened;
    const nothing = () => Promise.resolve();
    const none = { run: nothing, continueStopped: nothing, resume: nothing };
    const parts = { store, owner: 'me', clock, logger: SILENT_LOGGER };
    const table = (shared: boolean) => [
      ...storeJobs({ ...parts, version: '1', settings: SETTINGS, artifacts: ARTIFACTS, metrics: createMetrics() }),
      ...serviceJobs({
        ...parts,
        auditTrail: { writeLeftOut: nothing },
        shared,
        dispatcher: none,
        polling: none,
        moveIns: none,
        uploads: none,
      }),
    ];
    const alone = (shared: boolean) => table(shared).flatMap(({ name, lease }) => (lease ? [name] : []));
    const names = table(true).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(alone(true), ['retention', 'uploads', 'alert facts']);
    // Where nothing happens, an embedded store is written to for leases alone.
    assert.deepEqual(alone(false), ['retention', 'uploads']);
    await opened.dispose();
  });
});
