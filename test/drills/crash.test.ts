import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '../../src/storage/sqlite/engine/driver.ts';
import { assertOutcomesAddUp, sumOf } from '../support/outcome-sums.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** Full size by `ERRGATE_TEST_CRASH_ROUNDS=50` (`npm run test:full`). */
const ROUNDS = Number(process.env['ERRGATE_TEST_CRASH_ROUNDS'] ?? 1);
/** Events of a round before its kill: from a sixth of this on, at random. Full size by 3000. */
const EVENTS = Number(process.env['ERRGATE_TEST_CRASH_EVENTS'] ?? 400);
const SENDERS = 16;
const TYPES = 5;

interface Tally {
  /** Ids that were answered 200. */
  readonly acknowledged: Set<string>;
  /** Ids that were sent at all: one without an answer may be stored or not, but not twice. */
  readonly sent: Set<string>;
}

/** Sends until the process is gone. */
async function sendUntilDead(service: ServiceProcess, tally: Tally): Promise<void> {
  const key = new URL(service.first.dsn).username;
  const address = `${service.url}/api/${service.first.project_id}/store/?sentry_key=${key}`;
  const sender = async (): Promise<void> => {
    for (;;) {
      const id = randomBytes(16).toString('hex');
      const body = JSON.stringify({
        event_id: id,
        platform: 'python',
        exception: { values: [{ type: `DrillError${Number.parseInt(id.slice(0, 4), 16) % TYPES}`, value: 'drill' }] },
        user: { id: id.slice(0, 2) },
      });
      tally.sent.add(id);
      try {
        const answer = await fetch(address, { method: 'POST', body });
        await answer.arrayBuffer();
        assert.equal(answer.status, 200);
        tally.acknowledged.add(id);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

interface ListedError {
  readonly id: string;
  readonly count: number;
  readonly user_count: number;
}

async function storedIds(service: ServiceProcess, errorId: string): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null =
    `/api/v4/projects/${service.first.project_id}/error_tracking/errors/${errorId}/events?per_page=100`;
  while (next !== null) {
    const answer: Response = await fetch(new URL(next, service.url), {
      headers: { 'PRIVATE-TOKEN': service.first.token },
    });
    assert.equal(answer.status, 200);
    ids.push(...((await answer.json()) as { event_id: string }[]).map((event) => event.event_id));
    const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    next = link === undefined ? null : new URL(link).pathname + new URL(link).search;
  }
  return ids;
}

/** Returns the kind and error of each fact, and the step of affected users, sorted. */
function storedFacts(dataDir: string): string[] {
  const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'), { readOnly: true });
  try {
    const facts = db.prepare("SELECT kind, error_id, cause ->> '$.users' AS users FROM alert_facts").all();
    return facts.map((fact) => `${String(fact.kind)} ${String(fact.error_id)} ${String(fact.users ?? '')}`).sort();
  } finally {
    db.close();
  }
}

describe('crash drill', () => {
  it(`keeps every acknowledged event exactly once over ${ROUNDS} × kill -9 under load`, async function () {
    this.timeout(ROUNDS * 120_000);
    const dataDir = mkdtempSync(join(tmpdir(), 'errgate-crash-'));
    const began = Date.now();
    const tally: Tally = { acknowledged: new Set(), sent: new Set() };
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const service = await startServiceProcess(dataDir);
        const sending = sendUntilDead(service, tally);
        const before = tally.acknowledged.size;
        const enough = Math.floor(EVENTS / 6 + Math.random() * EVENTS);
        // The kill comes at a random moment after load has begun: during appends, syncs, manifests and transactions.
        await eventually(
          async () => tally.acknowledged.size,
          (size) => size > before + enough,
        );
        await service.end('SIGKILL');
        await sending;
      }
      const service = await startServiceProcess(dataDir);
      try {
        const errors = `/api/v4/projects/${service.first.project_id}/error_tracking/errors?per_page=100`;
        const acknowledged = tally.acknowledged.size;
        const listed = (await eventually(
          () => service.get(errors),
          (rows) => (rows as ListedError[]).reduce((sum, row) => sum + row.count, 0) >= acknowledged,
          30_000,
        )) as ListedError[];
        // A further restart drains the journal completely: afterwards nothing moves any more.
        assert.equal(listed.length, TYPES);
        assert.equal(await service.end('SIGTERM'), 0);
      } finally {
        await service.end('SIGKILL');
      }
      const settled = await startServiceProcess(dataDir);
      try {
        const rows = (await settled.get(
          `/api/v4/projects/${settled.first.project_id}/error_tracking/errors?per_page=100`,
        )) as ListedError[];
        const stored: string[] = [];
        for (const row of rows) {
          const ids = await storedIds(settled, row.id);
          assert.equal(row.count, ids.length, `error ${row.id} counts what it stores`);
          assert.equal(
            row.user_count,
            new Set(ids.map((id) => id.slice(0, 2))).size,
            `error ${row.id} counts its users`,
          );
          stored.push(...ids);
        }
        const facts = rows.flatMap(({ id, user_count: users }) => [
          `new ${id} `,
          ...(users >= 100 ? [`escalated ${id} 100`] : []),
        ]);
        assert.deepEqual(storedFacts(dataDir), facts.sort(), 'each fact is there once');
        const unique = new Set(stored);
        const lost = [...tally.acknowledged].filter((id) => !unique.has(id));
        recordResult('crash-drill', {
          rounds: ROUNDS,
          sent: tally.sent.size,
          acknowledged: tally.acknowledged.size,
          stored: unique.size,
          lost: lost.length,
          doubled: stored.length - unique.size,
          seconds: Math.round((Date.now() - began) / 1000),
        });
        assert.equal(stored.length, unique.size, 'nothing is stored twice');
        assert.deepEqual(lost, [], 'nothing acknowledged is lost');
        const invented = stored.filter((id) => !tally.sent.has(id));
        assert.deepEqual(invented, [], 'nothing is stored that was not sent');
        const { acknowledged, sent } = tally;
        const sums = await assertOutcomesAddUp(settled, {
          acknowledged: acknowledged.size,
          refused: 0,
          unanswered: sent.size - acknowledged.size,
        });
        assert.equal(sumOf(sums, 'error accepted'), unique.size, 'the outcomes say the same');
        console.log(
          `      ${ROUNDS} kills, ${tally.sent.size} sent, ${tally.acknowledged.size} acknowledged, ${unique.size} stored: 0 lost, 0 doubled`,
        );
      } finally {
        await settled.end('SIGTERM');
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
