import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce, runErrgate } from '../support/cli-process.ts';
import { assertOutcomesAddUp, sumOf } from '../support/outcome-sums.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { suiteInFullRun } from '../support/full-run.ts';

/** Full size by `ERRGATE_TEST_FLOOD_REQUESTS=50000` (`npm run test:full`). */
const REQUESTS = Number(process.env['ERRGATE_TEST_FLOOD_REQUESTS'] ?? 400);
const SENDERS = 32;
const LIMIT = Math.min(200, REQUESTS / 10);

interface Kind {
  readonly path: 'store' | 'envelope';
  readonly body: string;
  /** Items that are counted when it is answered 200, and when it is refused. */
  readonly items: number;
}

const EVENT = '{"message":"drill"}';
/** What a flood is made of; which one comes next goes by its number. */
const KINDS: readonly Kind[] = [
  { path: 'store', body: EVENT, items: 1 },
  { path: 'store', body: EVENT, items: 1 },
  { path: 'envelope', body: `{}\n{"type":"event"}\n${EVENT}`, items: 1 },
  { path: 'store', body: '{"message":', items: 1 },
  { path: 'store', body: EVENT, items: 1 },
];

async function metric(service: ServiceProcess, name: RegExp): Promise<number> {
  const text = await (await fetch(`${service.url}/-/metrics`)).text();
  return [...text.matchAll(name)].reduce((sum, [, value]) => sum + Number(value), 0);
}

suiteInFullRun('flood drill', () => {
  let dataDir: string;
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-flood-'));
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it(`counts each of ${REQUESTS} items beyond a limit, and writes next to nothing for them`, async function () {
    this.timeout(60_000 + REQUESTS * 10);
    const env = {
      ERRGATE_KEY_EVENTS_PER_MINUTE: String(LIMIT),
      ERRGATE_MIN_FREE_DISK: '1',
      ERRGATE_EXTERNAL_URL: 'http://localhost:1',
    };
    const service = await startServiceProcess(dataDir, env);
    try {
      const key = new URL(service.first.dsn).username;
      const answers = new Map<number, number>();
      let next = 0;
      const began = performance.now();
      const sender = async (): Promise<void> => {
        while (next < REQUESTS) {
          const kind = KINDS[next % KINDS.length];
          assert.ok(kind !== undefined);
          // Every tenth comes with a key that nobody knows.
          const stranger = next % 10 === 9;
          next += 1;
          const address = `${service.url}/api/${service.first.project_id}/${kind.path}/?sentry_key=${stranger ? `glet_${next}` : key}`;
          const answer = await fetch(address, { method: 'POST', body: kind.body });
          await answer.arrayBuffer();
          assert.equal(answer.headers.has('x-sentry-rate-limits'), answer.status === 429);
          answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, sender));
      const seconds = (performance.now() - began) / 1000;
      const count = (status: number): number => answers.get(status) ?? 0;
      assert.equal(count(403), Math.floor(REQUESTS / 10));
      assert.equal(count(200) + count(400) + count(403) + count(429), REQUESTS, JSON.stringify([...answers]));
      assert.ok(count(429) > REQUESTS / 2, `only ${count(429)} were limited`);

      const taken = count(200);
      const sums = await assertOutcomesAddUp(service, {
        acknowledged: taken,
        refused: count(400) + count(429),
        unanswered: 0,
      });
      assert.equal(sumOf(sums, 'error accepted'), taken);
      assert.equal(sumOf(sums, 'error rate_limited key_limit', 'default rate_limited key_limit'), count(429));
      assert.equal(sumOf(sums, 'error invalid invalid_json'), count(400));
      assert.ok(taken <= LIMIT + (seconds * LIMIT) / 60 + 1, `${taken} events were let through in ${seconds} s`);

      const dropped = await metric(service, /^errgate_items_dropped_total\{.*\} (\d+)$/gm);
      assert.equal(dropped, count(400) + count(429), 'the metrics say the same');
      const refused = await metric(service, /^errgate_ingest_refused_total\{.*\} (\d+)$/gm);
      assert.equal(refused, REQUESTS - taken);
      const syncs = await metric(service, /^errgate_journal_sync_seconds_count (\d+)$/gm);
      assert.ok(syncs <= taken + 2 + seconds / 5, `${syncs} writes of the journal for ${taken} events`);

      const { stdout } = await runErrgate(['doctor', '--json'], {
        ...env,
        ERRGATE_DATA_DIR: dataDir,
        ERRGATE_PORT: '0',
      });
      const { checks } = JSON.parse(stdout) as { checks: { check: string; message: string }[] };
      const message = (check: string): string => checks.find((one) => one.check === check)?.message ?? '';
      assert.match(message('dropped in 24 h'), /\d+ error rate_limited \(key_limit\) in /);
      assert.match(message('refused requests'), /\d+ key_limit, \d+ unknown_key|\d+ unknown_key/);
      recordResult('flood-drill', {
        requests: REQUESTS,
        taken,
        limited: count(429),
        unknown_keys: count(403),
        invalid: count(400),
        journal_writes: syncs,
        requests_per_second: Math.round(REQUESTS / seconds),
        counted: sumOf(sums),
      });
    } finally {
      await service.end('SIGTERM');
    }
    const again = await startServiceProcess(dataDir, env);
    try {
      const before = sumOf(
        await eventually(
          () => assertOutcomesAddUp(again, { acknowledged: 0, refused: 0, unanswered: REQUESTS }),
          () => true,
        ),
      );
      assert.equal(before, REQUESTS - Math.floor(REQUESTS / 10), 'a restart changes nothing');
    } finally {
      await again.end('SIGTERM');
    }
  });
});
