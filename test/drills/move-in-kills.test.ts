import assert from 'node:assert/strict';
import { DrillGateway } from '../support/drill-gateway.ts';
import { type FakeSource, startFakeSource } from '../support/fake-source/fake-source.ts';
import { IMPORT_TOKEN } from '../support/import-world.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, type StartedService } from '../support/service-process.ts';
import { describeInFullRun } from '../support/test-stores.ts';

const ERRORS = 20;
/** Milliseconds until a killed import goes on: its lease, two looks, and the start of a service on a busy machine. */
const GOES_ON_MS = 120_000;

interface Progress {
  readonly state: string;
  readonly message: string;
}

// The lease and the looks take half a minute of waiting; the small suite has them in linked-import.test.ts.
describeInFullRun('kill -9 of the service that imports a linked project', (kind, suite) => {
  suite.timeout(GOES_ON_MS * 2);
  let source: FakeSource;
  const store = kind.forProcesses();
  const gateways: DrillGateway[] = [];

  before(async () => {
    source = await startFakeSource('sentry', { delayMs: 20 });
    source.world.addToken(IMPORT_TOKEN);
    source.world.addIssues(source.world.addProject('shop', { id: '4711' }), ERRORS);
  });
  after(async () => {
    for (const gateway of gateways) await gateway.remove();
    await source.close();
    await store.remove();
  });

  async function ask<T>(service: StartedService, method: string, path: string, body?: object): Promise<T> {
    const { url, first } = service;
    const answer = await fetch(`${url}/api/v4/projects/${first.project_id}/error_tracking/${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }

  it('goes on by itself, in another gateway where the store has one, and says that it is interrupted', async () => {
    const env = { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1', ...store.env };
    const first = await DrillGateway.start(env);
    gateways.push(first);
    if (kind.name === 'MongoDB') gateways.push(await DrillGateway.start(env, { first, here: true }));
    await ask(first.service, 'PUT', 'settings/thirdparty', {
      ...{ api_host: source.origin, token: IMPORT_TOKEN, organization_slug: 'acme', project_slug: 'shop' },
      thirdparty_project_id: '4711',
    });
    // The import stays in its middle until the kill.
    let asked = 0;
    const middle = new Promise<void>((resolve) => {
      source.before = (request) => {
        if (/\/events\//.test(request) && (asked += 1) === ERRORS) resolve();
      };
    });
    await ask(first.service, 'POST', 'import', { switch: true });
    await middle;
    await first.down('SIGKILL');
    const killedAt = Date.now();
    if (kind.name !== 'MongoDB') await first.up();
    const survivor = (gateways.at(-1) ?? first).service;
    const states = new Set<string>();
    const messages = new Set<string>();
    await eventually(
      async () => {
        const { state, message } = await ask<Progress>(survivor, 'GET', 'import');
        states.add(state);
        messages.add(message.slice(0, 25));
        return state;
      },
      (state) => state !== 'running',
      GOES_ON_MS,
    );
    const seconds = (Date.now() - killedAt) / 1000;
    assert.deepEqual([...states], ['running', 'done']);
    assert.ok(messages.has('The import is interrupted'), [...messages].join('; '));
    const errors = (await ask<unknown[]>(survivor, 'GET', 'errors?status=all&per_page=100')).length;
    assert.equal(errors, ERRORS);
    recordResult('move-in-kills', { store: kind.name, errors, done_after_kill_s: Math.round(seconds) });
    console.log(`      done ${seconds.toFixed(0)} s after the kill`);
    source.assertClean();
  });
});
