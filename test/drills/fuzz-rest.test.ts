import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { seedProject } from '../support/browser-seed.ts';
import { buildOnce } from '../support/cli-process.ts';
import { type RestRequest, restRequest } from '../support/fuzz-rest.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** Full size by `ERRGATE_TEST_FUZZ_REST_REQUESTS=60000` (`npm run test:full`). */
const REQUESTS = Number(process.env['ERRGATE_TEST_FUZZ_REST_REQUESTS'] ?? 300);
const SENDERS = 8;
/** Requests made at a time: they wait in the memory of this process. */
const PORTION = 200;
/** A run shows the same requests again with the same seed. */
const SEED = Number(process.env['ERRGATE_TEST_FUZZ_SEED'] ?? 20_261_128);
/** Maximum resident memory in bytes: the bound of docs/running.md. */
const MAX_MEMORY = 200 * 1024 * 1024;

function send(service: ServiceProcess, agent: Agent, { method, path, headers, body }: RestRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${service.url}${path}`, { method, agent, headers }, (answer) => {
      answer
        .resume()
        .once('error', reject)
        .once('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Reads a value in bytes from the status of the process; VmHWM is the highest resident memory so far. */
function memoryOf(service: ServiceProcess, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}

describe('fuzz drill of the REST API', () => {
  let dataDir: string;
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-fuzz-rest-'));
  });
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it(`${REQUESTS} odd requests: none is answered 5xx, memory stays within its bound`, async function () {
    this.timeout(120_000 + REQUESTS * 20);
    const service = await startServiceProcess(dataDir, { ERRGATE_MIN_FREE_DISK: '1', ERRGATE_LOG_FORMAT: 'json' });
    const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    try {
      const { first } = service;
      await seedProject({ url: service.url, dsn: first.dsn });
      const errors = `/api/v4/projects/${first.project_id}/error_tracking/errors?status=all&per_page=100`;
      const rows = (await eventually(
        () => service.get(errors),
        (found) => (found as unknown[]).length > 5,
      )) as { readonly id: string }[];
      const requests = restRequest({
        projectId: first.project_id,
        projectPath: first.project_path,
        token: first.token,
        errorIds: rows.map(({ id }) => id),
      });
      const statuses = new Map<number, number>();
      const faults: string[] = [];
      for (let sent = 0; sent < REQUESTS; sent += PORTION) {
        const portion = fc.sample(requests, { numRuns: Math.min(PORTION, REQUESTS - sent), seed: SEED + sent });
        let next = 0;
        const sender = async (): Promise<void> => {
          for (let one = portion[next++]; one !== undefined; one = portion[next++]) {
            const status = await send(service, agent, one);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (status >= 500) faults.push(`${status} ${one.method} ${one.path.slice(0, 300)}`);
          }
        };
        await Promise.all(Array.from({ length: SENDERS }, sender));
      }
      const table = JSON.stringify([...statuses].toSorted(([a], [b]) => a - b));
      assert.equal(service.child.exitCode, null, 'it runs on');
      assert.deepEqual(faults.slice(0, 10), [], table);
      assert.ok((statuses.get(200) ?? 0) > REQUESTS / 10, `too few were good enough to be answered: ${table}`);
      assert.ok((statuses.get(400) ?? 0) > REQUESTS / 20, `too few were bad enough to be refused: ${table}`);
      const peak = memoryOf(service, 'VmHWM');
      recordResult('fuzz-rest-drill', {
        requests: REQUESTS,
        seed: SEED,
        answered: table,
        memory_mb: Math.round(memoryOf(service, 'VmRSS') / 1048576),
        memory_peak_mb: Math.round(peak / 1048576),
      });
      console.log(`      ${table}; at most ${Math.round(peak / 1048576)} MB`);
      assert.ok(peak <= MAX_MEMORY, `resident memory reached ${peak} bytes`);
      assert.equal(await service.end('SIGTERM'), 0);
    } finally {
      agent.destroy();
      await service.end('SIGKILL');
    }
  });
});
