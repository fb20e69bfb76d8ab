import assert from 'node:assert/strict';
import { closedGate } from '../../support/gate.ts';
import { AUTH, STORE, startIngestApp } from '../../support/ingest-app.ts';
import { assertCors } from '../../support/ingest-assert.ts';

const EVENT = '{"message":"x"}';
const STRANGER = { 'X-Sentry-Auth': 'Sentry sentry_key=glet_nobodys, sentry_version=7' };

describe('ingestion refusals in a flood', () => {
  it('are answered after their delay, and accepted requests do not wait', async () => {
    const asked: [number, string | null][] = [];
    const waiting: (() => void)[] = [];
    const held = closedGate();
    const app = await startIngestApp({
      throttle: {
        hold: (status, address) => {
          asked.push([status, address()]);
          held.open();
          return new Promise((resolve) => waiting.push(resolve));
        },
      },
    });
    try {
      let answered = false;
      const body = `{"message":"${'x'.repeat(500_000)}"}`;
      const stranger = app.send(STORE, { headers: STRANGER, body }).finally(() => (answered = true));
      await held.passed;
      const known = await app.send(STORE, { headers: AUTH, body: EVENT });
      assert.deepEqual([known.status, answered, asked], [200, false, [[403, '127.0.0.1']]]);
      assert.equal(await app.count('refused', { reason: 'unknown_key' }), 1, 'counted as soon as it is refused');
      for (const letGo of waiting) letGo();
      const refusal = await stranger;
      assertCors(refusal);
      assert.equal(refusal.status, 403);
    } finally {
      for (const letGo of waiting) letGo();
      await app.close();
    }
  });
});
