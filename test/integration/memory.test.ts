import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce } from '../support/cli-process.ts';
import { startServiceProcess } from '../support/service-process.ts';

/** Options that the system shows of a running process. */
async function commandLine(pid: number | undefined): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(1);
}

/** Bytes that the service may hold under load, on every version of Node.js: 200 MB as bench/README.md counts them. */
const MOST_MEMORY = 200 * 1024 * 1024;
/** A service without bounds exceeds them after 5,000. Full size by 12000 (`npm run test:full`). */
const EVENTS = Number(process.env['ERRGATE_TEST_MEMORY_EVENTS'] ?? 7000);
const SENDERS = 32;

/** The highest resident memory of a process so far, bytes. */
async function highestMemory(pid: number | undefined): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Sends events of 3 KB as fast as they are taken. */
async function load(url: string, dsn: string): Promise<void> {
  const template = await readFile(new URL('../../bench/data/python-event.json', import.meta.url), 'utf8');
  const { username, pathname } = new URL(dsn);
  const path = `/errortracking/api/v1/projects/api/${pathname.split('/').at(-1) ?? ''}/store/?sentry_key=${username}`;
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  let left = EVENTS;
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const body = template
        .replaceAll('@ID@', randomBytes(16).toString('hex'))
        .replaceAll('@TIME@', new Date().toISOString())
        .replaceAll(/@[A-Z]+@/g, String(left % 50));
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const sent = request(url + path, { method: 'POST', agent }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        });
        sent.on('error', reject).end(body);
      });
      assert.equal(status, 200);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  agent.destroy();
}

describe('the memory of the service', function () {
  const limitsItself = Number(process.versions.node.split('.')[0]) >= 22;
  let dataDir = '';
  before(async function () {
    if (process.platform !== 'linux') {
      console.log('      skipped: the command line of a process is read from /proc, which only Linux has');
      this.skip();
    }
    this.timeout(120_000);
    await buildOnce();
  });
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'errgate-young-'));
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stays below 200 MB under load, by options of V8 that the service gives itself in the process that was started', async () => {
    const service = await startServiceProcess(dataDir, { ERRGATE_MIN_FREE_DISK: '0' });
    try {
      const options = await commandLine(service.child.pid);
      assert.equal(options.includes('--max-semi-space-size=4'), limitsItself, options.join(' '));
      assert.ok(options.some((option) => option.endsWith('bin/errgate.js')));
      await load(service.url, service.first.dsn);
      const most = await highestMemory(service.child.pid);
      assert.ok(most <= MOST_MEMORY, `${Math.round(most / 1e6)} MB`);
    } finally {
      assert.equal(await service.end('SIGTERM'), 0);
    }
  });

  it('is left to the operator that bounds it', async () => {
    const service = await startServiceProcess(dataDir, { NODE_OPTIONS: '--max-semi-space-size=8' });
    try {
      const options = await commandLine(service.child.pid);
      assert.ok(!options.some((option) => option.startsWith('--max-semi-space-size')), options.join(' '));
    } finally {
      await service.end('SIGTERM');
    }
  });
});
