import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeTarget } from '../support/fake-target.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { suiteInFullRun } from '../support/full-run.ts';

/** Full size by `ERRGATE_TEST_CRASH_ROUNDS=50` (`npm run test:full`). */
const ROUNDS = Number(process.env['ERRGATE_TEST_CRASH_ROUNDS'] ?? 1);
const EVENTS = Number(process.env['ERRGATE_TEST_CRASH_EVENTS'] ?? 400);
const SENDERS = 8;
/** Share of answers of the target that fail, each kind. */
const FAULTS = 0.05;

async function forwardTo(service: ServiceProcess, dsn: string): Promise<void> {
  const { project_id: id, token } = service.first;
  const answer = await fetch(`${service.url}/api/v4/projects/${id}/error_tracking/forwarding`, {
    method: 'PUT',
    headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ dsn }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** Sends envelopes, sometimes with a transaction, until the process is gone. */
async function sendUntilDead(service: ServiceProcess, acknowledged: Set<string>): Promise<void> {
  const { dsn, project_id: id } = service.first;
  const address = `${service.url}/api/${id}/envelope/?sentry_key=${new URL(dsn).username}`;
  const sender = async (): Promise<void> => {
    for (;;) {
      const eventId = randomBytes(16).toString('hex');
      const more = Math.random() < 0.3 ? '\n{"type":"transaction"}\n{}' : '';
      const body = `{"event_id":"${eventId}","dsn":"${dsn}"}\n{"type":"event"}\n{"message":"drill"}${more}`;
      try {
        const answer = await fetch(address, { method: 'POST', body });
        await answer.arrayBuffer();
        assert.equal(answer.status, 200);
        acknowledged.add(eventId);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

suiteInFullRun('forwarding drill', () => {
  it(`brings every acknowledged event to a failing target over ${ROUNDS} × kill -9`, async function () {
    this.timeout(ROUNDS * 180_000);
    const dataDir = mkdtempSync(join(tmpdir(), 'errgate-forward-'));
    const target = await FakeTarget.start();
    const env = { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' };
    const acknowledged = new Set<string>();
    let failed = 0;
    // Bursts of failures would only make the drill long: the pause after each doubles.
    target.reply = () => {
      const hit = Math.random();
      if (hit >= 2 * FAULTS || failed > 3 * ROUNDS) return {};
      failed += 1;
      return hit < FAULTS
        ? { status: 503 }
        : { status: 429, headers: { 'X-Sentry-Rate-Limits': '1:error:key', 'Retry-After': '1' } };
    };
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const service = await startServiceProcess(dataDir, env);
        if (round === 0) await forwardTo(service, target.dsn);
        const before = acknowledged.size;
        const enough = Math.floor(EVENTS / 6 + Math.random() * EVENTS);
        const sending = sendUntilDead(service, acknowledged);
        await eventually(
          async () => acknowledged.size,
          (size) => size > before + enough,
        );
        await service.end('SIGKILL');
        await sending;
      }
      const service = await startServiceProcess(dataDir, env);
      try {
        const missing = () => [...acknowledged].filter((id) => !target.eventIds.has(id)).length;
        await eventually(
          async () => missing(),
          (left) => left === 0,
          120_000,
        );
        recordResult('forwarding-drill', {
          rounds: ROUNDS,
          acknowledged: acknowledged.size,
          events_at_target: target.eventIds.size,
          requests: target.requests,
          failed,
          lost: missing(),
        });
        assert.deepEqual(target.problems, [], 'the strict target refused nothing');
        console.log(
          `      ${ROUNDS} kills, ${acknowledged.size} acknowledged, ${target.requests} requests, ${failed} failed: 0 lost`,
        );
        assert.equal(await service.end('SIGTERM'), 0);
      } finally {
        await service.end('SIGKILL');
      }
    } finally {
      await target.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
