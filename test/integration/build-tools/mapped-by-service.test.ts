import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf, makeBundle, sha1 } from '../../support/build-tools.ts';
import { buildOnce } from '../../support/cli-process.ts';
import { mapFixture } from '../../support/map-source.ts';
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
    const authorization = `Bearer ${first.token}`;
    const organization = first.project_path.split('/')[0] ?? '';
    const assemble = async () => {
      const answer = await fetch(`${url}/api/0/organizations/${organization}/artifactbundle/assemble/`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({
          checksum: sha1(BUNDLE),
          chunks: [sha1(BUNDLE)],
          projects: [String(first.project_id)],
        }),
      });
      return (await answer.json()) as { state: string };
    };
    assert.equal((await assemble()).state, 'not_found');
    const { body, contentType } = formOf([{ name: 'file', filename: sha1(BUNDLE), content: BUNDLE }]);
    const sent = await fetch(`${url}/api/0/organizations/${organization}/chunk-upload/`, {
      method: 'POST',
      headers: { authorization, 'content-type': contentType },
      body: new Uint8Array(body),
    });
    assert.equal(sent.status, 200, await sent.text());
    assert.equal((await assemble()).state, 'ok');
    const address = `${url}/api/${first.project_id}/store/?sentry_key=${new URL(first.dsn).username}`;
    const now = Date.now() / 1000;
    const answer = await fetch(address, { method: 'POST', body: JSON.stringify({ ...recorded, timestamp: now }) });
    assert.equal(answer.status, 200, await answer.text());
    const list = `/api/v4/projects/${first.project_id}/error_tracking/errors`;
    const [error] = await eventually(
      () => readPages<{ culprit: string }>(service, list),
      (rows) => rows.length > 0,
    );
    assert.equal(error?.culprit, 'readCost(src/cart.js)');
    const metrics = await (await fetch(`${url}/-/metrics`, { headers: { 'PRIVATE-TOKEN': first.token } })).text();
    assert.match(metrics, /errgate_frames_total\{result="mapped"\} 2/);
    assert.match(metrics, /errgate_frames_total\{result="unmapped"\} 1/);
  });
});
