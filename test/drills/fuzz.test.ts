import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { median } from '../../bench/measure/statistics.ts';
import { readEnvelopeHead, readEnvelopeItems } from '../../src/integrated/intake/read/envelope.ts';
import { quantityOf } from '../../src/integrated/intake/read/item-category.ts';
import { parseJsonObject } from '../../src/integrated/intake/read/lenient-json.ts';
import { buildOnce } from '../support/cli-process.ts';
import { type FuzzRequest, fuzzRequest, NEIGHBOUR_TYPE } from '../support/fuzz-requests.ts';
import { assertOutcomesAddUp } from '../support/outcome-sums.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** Full size by `ERRGATE_TEST_FUZZ_REQUESTS=200000` (`npm run test:full`). */
const REQUESTS = Number(process.env['ERRGATE_TEST_FUZZ_REQUESTS'] ?? 700);
const SENDERS = 16;
/** Requests made at a time: they wait in the memory of this process. At least five portions show how memory goes. */
const PORTION = Math.min(1000, Math.ceil(REQUESTS / 5));
/** A run shows the same requests again with the same seed. */
const SEED = Number(process.env['ERRGATE_TEST_FUZZ_SEED'] ?? 20_261_121);
/** Bytes by which the resident memory of the last quarter may lie above that of the second one. */
const MEMORY_SLACK = 48 * 1024 * 1024;

interface Tally {
  readonly statuses: Map<number, number>;
  acknowledged: number;
  refused: number;
  neighbours: number;
}

/** Items of a body that was answered 200. Framing has its own tests; here each item's way to the outcomes counts. */
function itemsIn({ path, inflated }: FuzzRequest): number {
  assert.ok(inflated !== null, 'a body that cannot be read is never answered 200');
  if (path === 'store') return 1;
  const head = readEnvelopeHead(inflated);
  assert.ok(head !== null);
  const { items, problem } = readEnvelopeItems(inflated, head.itemsAt);
  let count = problem === null ? 0 : 1;
  for (const { type, header, payload } of items) {
    if (KEPT.has(type)) count += 1;
    // A report that can be read speaks of what was never sent.
    else if (type === 'client_report') count += parseJsonObject(payload) === null ? 1 : 0;
    else count += quantityOf(header);
  }
  return count;
}

const KEPT = new Set(['event', 'session', 'sessions', 'user_report', 'feedback']);

function send(service: ServiceProcess, agent: Agent, fuzz: FuzzRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${service.url}/api/${service.first.project_id}/${fuzz.path}/`,
      {
        method: 'POST',
        agent,
        headers: { ...fuzz.headers, ...(fuzz.chunked ? {} : { 'Content-Length': fuzz.wire.length }) },
      },
      (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode === 503) assert.ok(answer.headers['retry-after'], '503 says when to come again');
          resolve(answer.statusCode ?? 0);
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(fuzz.wire);
  });
}

function residentBytes(service: ServiceProcess): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

describe('fuzz drill', () => {
  let dataDir: string;
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-fuzz-'));
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it(`${REQUESTS} bad requests: none is answered 5xx, nothing crashes or grows, every item is accounted for`, async function () {
    this.timeout(120_000 + REQUESTS * 20);
    const service = await startServiceProcess(dataDir, { ERRGATE_MIN_FREE_DISK: '1', ERRGATE_LOG_FORMAT: 'json' });
    const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    try {
      const target = { projectId: service.first.project_id, key: new URL(service.first.dsn).username };
      const requests = fuzzRequest(target);
      const tally: Tally = { statuses: new Map(), acknowledged: 0, refused: 0, neighbours: 0 };
      const memory: number[] = [];
      const began = performance.now();
      for (let sent = 0; sent < REQUESTS; sent += PORTION) {
        const portion = fc.sample(requests, { numRuns: Math.min(PORTION, REQUESTS - sent), seed: SEED + sent });
        let next = 0;
        const sender = async (): Promise<void> => {
          for (let one = portion[next++]; one !== undefined; one = portion[next++])
            count(tally, one, await send(service, agent, one));
        };
        await Promise.all(Array.from({ length: SENDERS }, sender));
        memory.push(residentBytes(service));
      }
      const seconds = (performance.now() - began) / 1000;
      const table = JSON.stringify([...tally.statuses].toSorted(([a], [b]) => a - b));

      assert.equal(service.child.exitCode, null, 'it runs on');
      assert.deepEqual(
        [...tally.statuses.keys()].filter((status) => status >= 500),
        [],
        table,
      );
      assert.ok((tally.statuses.get(200) ?? 0) > REQUESTS / 4, `too few were good enough to be taken: ${table}`);
      assert.ok((tally.statuses.get(400) ?? 0) > REQUESTS / 20, `too few were bad enough to be refused: ${table}`);
      const sums = await assertOutcomesAddUp(
        service,
        { acknowledged: tally.acknowledged, refused: tally.refused, unanswered: 0 },
        60_000 + REQUESTS,
      );
      const listed = (await eventually(
        () =>
          service.get(`/api/v4/projects/${target.projectId}/error_tracking/errors?status=all&search=${NEIGHBOUR_TYPE}`),
        (rows) => (rows as { count: number }[]).reduce((sum, row) => sum + row.count, 0) >= tally.neighbours,
      )) as { count: number }[];
      assert.deepEqual(
        listed.map((row) => row.count),
        [tally.neighbours],
        'every good event among broken items is kept, once',
      );
      const setAside = join(dataDir, 'quarantine');
      assert.deepEqual(
        readdirSync(dataDir).includes('quarantine') ? readdirSync(setAside) : [],
        [],
        'nothing is poison',
      );
      const faults = service
        .log()
        .split('\n')
        .filter((line) => /"level":(50|60)/.test(line) || /^\s+at /.test(line));
      assert.deepEqual(faults, [], 'nothing unforeseen was logged');

      const quarter = Math.floor(memory.length / 4);
      const early = median(memory.slice(quarter, 2 * quarter + 1));
      const late = median(memory.slice(-quarter - 1));
      recordResult('fuzz-drill', {
        requests: REQUESTS,
        seed: SEED,
        answered: table,
        items: tally.acknowledged + tally.refused,
        neighbours_kept: tally.neighbours,
        outcomes: sums.size,
        memory_early_mb: Math.round(early / 1048576),
        memory_late_mb: Math.round(late / 1048576),
        seconds: Math.round(seconds),
      });
      console.log(
        `      ${table} in ${seconds.toFixed(1)} s; ${tally.neighbours} neighbours kept; ${Math.round(early / 1048576)} MB, later ${Math.round(late / 1048576)} MB`,
      );
      assert.ok(late - early <= MEMORY_SLACK, `memory grew from ${early} to ${late} bytes: ${memory.join(' ')}`);
      assert.equal(await service.end('SIGTERM'), 0);
    } finally {
      agent.destroy();
      await service.end('SIGKILL');
    }
  });
});

function count(tally: Tally, fuzz: FuzzRequest, status: number): void {
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  if (status === 200) {
    tally.acknowledged += itemsIn(fuzz);
    tally.neighbours += fuzz.neighbours;
  } else if (fuzz.known) {
    assert.equal(fuzz.neighbours, 0, `an envelope with a good event was answered ${status}`);
    tally.refused += 1;
  }
}
