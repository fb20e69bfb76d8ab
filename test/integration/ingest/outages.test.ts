import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { Intake } from '../../../src/domain/ports/intake.ts';
import { AUTH, ENVELOPE, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';
import { assertRefusal } from '../../support/ingest-assert.ts';

const EVENT = '{"message":"x"}';
const ENVELOPE_BODY = `{}\n{"type":"event"}\n${EVENT}`;
const key = (publicKey: string) => ({ 'X-Sentry-Auth': `Sentry sentry_key=${publicKey}, sentry_version=7` });

describe('ingestion while a part is unavailable', () => {
  let app: IngestApp;
  beforeEach(async () => {
    app = await startIngestApp();
  });
  afterEach(() => app.close());

  it('answers 503 while the journal refuses, and counts nothing as accepted', async () => {
    app.sink.error = new AppError('ingest_unavailable', 'The disk is full.', { retryAfterSeconds: 30 });
    for (const [path, body] of [
      [STORE, EVENT],
      [ENVELOPE, ENVELOPE_BODY],
    ] as const) {
      const answer = await app.send(path, { headers: AUTH, body });
      assertRefusal(answer, 503);
      assert.equal(answer.headers['retry-after'], '30');
      assert.equal(answer.json['detail'], 'The disk is full.');
    }
    assert.equal(await app.count('accepted'), 0);
    assert.equal(await app.count('refused', { reason: 'unavailable' }), 2);
    app.sink.error = null;
    assert.equal((await app.send(STORE, { headers: AUTH, body: EVENT })).status, 200);
    assert.deepEqual(app.logged, []);
  });

  it('accepts known keys while the store is unavailable; all others are answered 503, none is refused', async () => {
    assert.equal((await app.send(STORE, { headers: AUTH, body: EVENT })).status, 200);
    assertRefusal(await app.send(STORE, { headers: key('glet_disabled'), body: EVENT }), 403);
    app.store.error = new Error('away');
    assert.equal((await app.send(STORE, { headers: AUTH, body: EVENT })).status, 200);
    for (const publicKey of ['nobody', 'glet_disabled', 'glet_neighbour']) {
      const answer = await app.send(STORE, { headers: key(publicKey), body: EVENT });
      assertRefusal(answer, 503);
      assert.equal(answer.headers['retry-after'], '10');
    }
    assert.equal((await app.send(STORE, { headers: AUTH, body: EVENT })).status, 200);
  });

  it('answers 503 to all requests while the store was never available', async () => {
    app.store.error = new Error('away');
    assertRefusal(await app.send(STORE, { headers: AUTH, body: EVENT }), 503);
  });
});

describe('ingestion and unexpected errors', () => {
  it('logs them once, answers 503 and shows no internal details', async () => {
    const intake: Intake = {
      open: () => Promise.reject(new TypeError('secret detail')),
      countRefused: () => undefined,
    };
    const app = await startIngestApp({ intake });
    const answer = await app.send(STORE, { headers: AUTH, body: EVENT });
    assertRefusal(answer, 503);
    assert.doesNotMatch(answer.text, /secret/);
    assert.equal(app.logged.length, 1);
    assert.equal(await app.count('refused', { reason: 'unexpected' }), 1);
    await app.close();
  });

  it('refuses everything where the integrated backend is not offered', async () => {
    const app = await startIngestApp({ integratedEnabled: false });
    assertRefusal(await app.send(STORE, { headers: AUTH, body: EVENT }), 403);
    assert.equal(await app.count('refused', { reason: 'not_offered' }), 1);
    await app.close();
  });
});
