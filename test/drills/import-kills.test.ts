import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { callErrgate } from '../support/cli-call.ts';
import { type FakeSource, startFakeSource } from '../support/fake-source/fake-source.ts';
import type { SdkBody, SourceProject } from '../support/fake-source/source-records.ts';
import { IMPORT_TOKEN } from '../support/import-world.ts';
import { IN_FULL_RUN } from '../support/full-run.ts';
import { programEnv } from '../support/program-env.ts';
import { readPages } from '../support/read-pages.ts';
import { recordResult } from '../support/record-result.ts';
import { startServiceHere } from '../support/service-here.ts';
import { eventually, type StartedService, startServiceProcess } from '../support/service-process.ts';
import { describeInFullRun } from '../support/test-stores.ts';

/** Kills of the service and of the importing command, by turns. Full size by 20 (`npm run test:full`). */
const KILLS = Number(process.env['ERRGATE_TEST_IMPORT_KILLS'] ?? 2);
const ISSUES = (IN_FULL_RUN ? 10 : 6) * KILLS;
/** Requests of an import of one issue: its hashes, and lists of its events. */
const REQUESTS_PER_ISSUE = 3;
const SENDERS = 4;
/** Milliseconds between two events of a sender, so that the processor is left to what is tested. Full size by 20. */
const REST_MS = IN_FULL_RUN ? 20 : 60;
/** Milliseconds in which the tracker answers. */
const DELAY_MS = 20;

function bodyOf(index: number): SdkBody {
  // Digits would be taken out of the key.
  const name = String(index).replace(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));
  const frame = { module: `app.${name}`, function: name, filename: `${name}.py`, in_app: true, lineno: 3 };
  return {
    platform: 'python',
    level: 'error',
    exception: { values: [{ type: 'DrillError', value: name, stacktrace: { frames: [frame] } }] },
  };
}

/** Sends live events of all issues through the old DSN until it is stopped; each until it is acknowledged. */
class LiveLoad {
  readonly #address: () => string | null;
  readonly #senders: Promise<void>[];
  #stopped = false;
  /** Acknowledged events by issue. */
  readonly counts: number[] = Array.from({ length: ISSUES }, () => 0);

  constructor(address: () => string | null) {
    this.#address = address;
    this.#senders = Array.from({ length: SENDERS }, () => this.#send());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders);
  }

  async #send(): Promise<void> {
    while (!this.#stopped) {
      const index = randomInt(ISSUES);
      const body = JSON.stringify({ ...bodyOf(index), event_id: randomBytes(16).toString('hex') });
      while (!(await this.#attempt(body))) await wait(REST_MS);
      this.counts[index] = (this.counts[index] ?? 0) + 1;
      await wait(REST_MS);
    }
  }

  async #attempt(body: string): Promise<boolean> {
    const address = this.#address();
    if (address === null) return false;
    try {
      const answer = await fetch(address, { method: 'POST', body });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }
}

describeInFullRun('kill -9 during an import under live load', (kind, suite) => {
  suite.timeout(120_000 + KILLS * 300_000);
  let source: FakeSource;
  let shop: SourceProject;
  let service: StartedService | null = null;
  const store = kind.forProcesses();
  const dataDir = mkdtempSync(join(tmpdir(), 'errgate-import-kills-'));
  const env = { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1', ERRGATE_IMPORT_TOKEN: IMPORT_TOKEN, ...store.env };

  before(async () => {
    source = await startFakeSource('sentry', { delayMs: DELAY_MS });
    source.world.addToken(IMPORT_TOKEN);
    shop = source.world.addProject('shop', { id: '42' });
    source.world.addIssues(shop, ISSUES, (index) => ({ bodies: [{ body: bodyOf(index) }], count: 100 + index }));
  });

  after(async () => {
    await service?.end('SIGKILL');
    await source.close();
    await store.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const importArgs = (): string[] => ['import', '--url', source.origin, '--org', 'acme', '--events', '2'];

  /** Runs an import that is not killed inside this process, which takes a fifth of the processor time. */
  async function importHere(...more: string[]): Promise<void> {
    const { code, stderr } = await callErrgate([...importArgs(), ...more], { ERRGATE_DATA_DIR: dataDir, ...env });
    assert.equal(code, 0, stderr);
  }

  function startImport(): { readonly child: ChildProcess; readonly ended: Promise<number | null> } {
    const child = spawn(process.execPath, ['bin/errgate.js', ...importArgs()], {
      env: programEnv({ ERRGATE_DATA_DIR: dataDir, ...env }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
      if (code !== 0 && code !== null) console.log(`      the import ended with ${code}: ${errors.slice(-500)}`);
      return code ?? null;
    });
    return { child, ended };
  }

  it(`counts every event once over ${KILLS} kills of service and command`, async () => {
    service = await startServiceProcess(dataDir, env);
    await importHere('--only', 'keys,projects');
    const key = shop.keys[0]?.publicKey ?? assert.fail('the project has no key');
    const load = new LiveLoad(() => (service === null ? null : `${service.url}/api/42/store/?sentry_key=${key}`));
    let running = startImport();
    const asked = source.requests.length;
    const step = Math.floor((ISSUES * REQUESTS_PER_ISSUE) / (KILLS + 1));
    for (let kill = 0; kill < KILLS; kill += 1) {
      // The next part of the import; a finished one begins a further pass.
      const until = Math.max(source.requests.length, asked + step * kill) + 1 + randomInt(step);
      await eventually(
        async () => {
          if (running.child.exitCode !== null) running = startImport();
          return source.requests.length;
        },
        (requests) => requests >= until,
        60_000,
      );
      if (kill % 2 === 0) {
        const killed: StartedService = service;
        service = null;
        await killed.end('SIGKILL');
        // The last one is not killed, and starts in a fifth of the processor time inside this process.
        service = await (kill < KILLS - 2 ? startServiceProcess : startServiceHere)(dataDir, env);
      } else {
        running.child.kill('SIGKILL');
        assert.equal(await running.ended, null);
        if (kill < KILLS - 1) running = startImport();
      }
    }
    // Goes on where the last kill of the command left the import.
    if (KILLS % 2 === 0) await importHere();
    else assert.equal(await running.ended, 0);
    await load.stop();
    // Errors that began here meanwhile are merged, and counts that changed are taken.
    await importHere();

    const current: StartedService = service;
    const projects = (await current.get('/api/v4/projects')) as { id: number; path_with_namespace: string }[];
    const id = projects.find((one) => one.path_with_namespace === 'acme/shop')?.id ?? assert.fail('no project');
    const base = `/api/v4/projects/${id}/error_tracking/errors`;
    const expected = new Map(
      [...shop.issues.values()].map((issue, index) => [issue.id, issue.count + (load.counts[index] ?? 0)]),
    );
    const counts = async (): Promise<Map<string, number>> => {
      const rows = await readPages<{ count: number; external_ids: { kind: string; value: string }[] }>(
        current,
        `${base}?status=all&per_page=100`,
      );
      return new Map(
        rows.map(({ count, external_ids: ids }) => [ids.find((one) => one.kind === 'issue')?.value ?? 'own', count]),
      );
    };
    const text = (of: ReadonlyMap<string, number>): string => JSON.stringify([...of].sort());
    const found = await eventually(counts, (now) => text(now) === text(expected), 30_000).catch(counts);
    assert.deepEqual([...found].sort(), [...expected].sort());
    const live = load.counts.reduce((sum, count) => sum + count, 0);
    assert.ok(live > KILLS * 10, `only ${live} live events`);
    recordResult('import-kills', {
      store: kind.name,
      kills: KILLS,
      issues: ISSUES,
      live_events: live,
      wrong_counts: 0,
    });
    console.log(`      ${KILLS} kills, ${ISSUES} errors, ${live} live events: every count is exact`);
    source.assertClean();
  });
});
