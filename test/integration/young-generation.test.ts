import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce } from '../support/cli-process.ts';
import { startServiceProcess } from '../support/service-process.ts';

/** Options that the system shows of a running process. */
async function commandLine(pid: number | undefined): Promise<string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(1);
}

describe('the young generation of the service', function () {
  const limitsItself = Number(process.versions.node.split('.')[0]) >= 24;
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

  it('is bounded on versions of Node.js that let it grow to 64 MB a half, in the process that was started', async () => {
    const service = await startServiceProcess(dataDir);
    try {
      const options = await commandLine(service.child.pid);
      assert.equal(options.includes('--max-semi-space-size=16'), limitsItself, options.join(' '));
      assert.ok(options.some((option) => option.endsWith('bin/errgate.js')));
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
