import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBundle } from '../../support/build-tools.ts';
import { buildOnce } from '../../support/cli-process.ts';
import { mapFixture } from '../../support/map-source.ts';
import { ProcessTool } from '../../support/process-tool.ts';
import { readPages } from '../../support/read-pages.ts';
import { eventually, startServiceProcess, type ServiceProcess } from '../../support/service-process.ts';
import { describeOnStores, type ProcessStore } from '../../support/test-stores.ts';

const CART = 'd3e78fc3-9d1d-4655-8803-fa284dfd4d32';
const recorded = (JSON.parse(mapFixture('event.json').toString()) as { event: Record<string, unknown> }).event;
const name = 'cart-zUTjjcmR.js';
const BUNDLE = makeBundle([
  {
    ...{ path: `files/_/_/${name}`, type: 'minified_source', url: `~/${name}`, content: mapFixture(name) },
    headers: { 'debug-id': CART, sourcemap: `${name}.map` },
  },
  {
    ...{ path: `files/_/_/${name}.map`, type: 'source_map', url: `~/${name}.map` },
    ...{ content: mapFixture(`${name}.map`), headers: { 'debug-id': CART } },
  },
]);

describeOnStores('a service that has the maps of a build', (kind, suite) => {
  suite.timeout(120_000);
  let dataDir: string;
  let store: ProcessStore;
  let service: ServiceProcess;

  before(async () => {
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-mapped-'));
    store = kind.forProcesses();
    service = await startServiceProcess(dataDir, store.env);
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    rmSync(dataDir, { recursive: true, force: true });
    await store.remove();
  });

  it('groups events by original places, in the digest thread', async () => {
    const { url, first } = service;
    const tool = new ProcessTool(service);
    assert.deepEqual(await tool.upload(BUNDLE), { state: 'ok', missingChunks: [], detail: null });
    await tool.sendEvent(recorded);
    const list = `/api/v4/projects/${first.project_id}/error_tracking/errors`;
    const [error] = await eventually(
      () => readPages<{ culprit: string }>(service, list),
      (rows) => rows.length > 0,
    );
    assert.equal(error?.culprit, 'readCost(src/cart.js)');
    const metrics = await (await fetch(`${url}/-/metrics`, { headers: { 'PRIVATE-TOKEN': first.token } })).text();
    assert.match(metrics, /errgate_frames_total\{result="mapped"\} 2/);
    assert.match(metrics, /errgate_frames_total\{result="unmapped"\} 1/);
    assert.match(metrics, /errgate_events_grouped_as_sent_total 1/);
  });
});
