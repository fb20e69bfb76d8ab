import assert from 'node:assert/strict';
import type { HealthState } from '../../../src/domain/ports/health.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const FINE: HealthState = { ok: true, reason: null };

describeOnStores('health and metrics', (kind) => {
  let app: RunningApp;
  let accepting: HealthState;
  let reading: () => Promise<HealthState>;
  let digesting: HealthState;
  let intact: HealthState;

  before(async () => {
    app = await startApp(kind, {
      health: {
        accepting: () => accepting,
        reading: () => reading(),
        digesting: () => digesting,
        intact: () => intact,
      },
    });
  });
  after(() => app.close());
  beforeEach(() => {
    accepting = FINE;
    reading = async () => FINE;
    digesting = FINE;
    intact = FINE;
  });

  const asked = async (path: string) => {
    const answer = await app.get(path);
    return [answer.status, answer.json()];
  };

  it('report that everything works', async () => {
    assert.deepEqual(await asked('/-/liveness'), [200, { status: 'ok' }]);
    assert.deepEqual(await asked('/-/readiness'), [200, { accepting: true, reading: true }]);
    assert.deepEqual(await asked('/-/readiness?for=reads'), [200, { accepting: true, reading: true }]);
    for (const path of ['/-/health', '/health', '/.well-known/healthz']) {
      assert.deepEqual(await asked(path), [200, { status: 'ok', accepting: true, reading: true }], path);
    }
  });

  it('report that the store is unavailable: ready for events, not for reads', async () => {
    reading = async () => ({ ok: false, reason: 'the disk is gone' });
    const body = { accepting: true, reading: false, reason: 'the disk is gone' };
    assert.deepEqual(await asked('/-/liveness'), [200, { status: 'ok' }]);
    assert.deepEqual(await asked('/-/readiness'), [200, body]);
    assert.deepEqual(await asked('/-/readiness?for=reads'), [503, body]);
    assert.deepEqual(await asked('/-/health'), [200, { status: 'degraded', ...body }]);
    reading = () => Promise.reject(new Error('internal detail'));
    assert.deepEqual(await asked('/-/readiness'), [200, { ...body, reason: 'the store does not answer' }]);
  });

  it('report that events cannot be accepted', async () => {
    accepting = { ok: false, reason: 'the journal is full' };
    const body = { accepting: false, reading: true, reason: 'the journal is full' };
    assert.deepEqual(await asked('/-/readiness'), [503, body]);
    assert.deepEqual(await asked('/-/readiness?for=reads'), [200, body]);
    for (const path of ['/-/health', '/health', '/.well-known/healthz']) {
      assert.deepEqual(await asked(path), [503, { status: 'failing', ...body }], path);
    }
  });

  it('report that new events do not reach the store; readiness does not depend on it', async () => {
    digesting = { ok: false, reason: 'new events are not stored: the store file is damaged' };
    const body = { accepting: true, reading: true };
    assert.deepEqual(await asked('/-/readiness'), [200, body]);
    assert.deepEqual(await asked('/-/health'), [200, { status: 'degraded', ...body, reason: digesting.reason }]);
    reading = async () => digesting;
    assert.equal((await app.get('/-/health')).json().reason, digesting.reason);
  });

  it('refuse questions about unknown abilities', async () => {
    const [status] = await asked('/-/readiness?for=lunch');
    assert.equal(status, 400);
  });

  it('give metrics to loopback, in the text format', async () => {
    await app.get('/api/v4/version');
    const answer = await app.get('/-/metrics');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('Content-Type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(answer.text, /errgate_http_requests_total\{group="api",method="GET",status="401"\} \d/);
    assert.match(answer.text, /errgate_http_request_seconds_count\{group="ops"\} \d/);
  });

  it('refuse metrics to other addresses unless a token is configured', async () => {
    const forwarded = { headers: { 'X-Forwarded-For': '198.51.100.1' } };
    assert.equal((await app.ask('GET', '/-/metrics', forwarded)).status, 403);
    const spoofed = { headers: { 'X-Forwarded-For': '127.0.0.1' } };
    assert.equal((await app.ask('GET', '/-/metrics', spoofed)).status, 403);
    assert.equal((await app.ask('GET', '/-/metrics', { headers: { Forwarded: 'for=127.0.0.1' } })).status, 403);
  });

  it('give metrics for the configured token', async () => {
    app.deps.metricsToken = 'scrape-secret';
    const from = (headers: Record<string, string>) =>
      app.ask('GET', '/-/metrics', { headers: { 'X-Forwarded-For': '198.51.100.1', ...headers } });
    assert.equal((await from({ Authorization: 'Bearer scrape-secret' })).status, 200);
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { 'PRIVATE-TOKEN': 'scrape-secret' }]) {
      const refused = await from(headers);
      assert.equal(refused.status, 401);
      assert.equal(refused.headers.get('WWW-Authenticate'), 'Bearer realm="The API"');
    }
    app.deps.metricsToken = null;
  });

  it('recognise loopback behind a trusted proxy', async () => {
    const behind = await startApp(kind, { trustedProxies: ['127.0.0.1'] });
    const from = (address: string) => behind.ask('GET', '/-/metrics', { headers: { 'X-Forwarded-For': address } });
    assert.equal((await from('198.51.100.1')).status, 403);
    assert.equal((await from('127.0.0.1')).status, 200);
    await behind.close();
  });
});
