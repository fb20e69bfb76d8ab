import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

describe('a service that cannot listen', function () {
  this.timeout(60_000);
  let dataDir: string;
  before(() => (dataDir = mkdtempSync(join(tmpdir(), 'errgate-failed-start-'))));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('leaves no thread, timer, file or socket open, so that the process ends by itself', async () => {
    const program = fileURLToPath(new URL('../support/failed-start-child.ts', import.meta.url));
    // Rejects when the process had to be killed, or ended with an error.
    const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', program, dataDir], {
      timeout: 50_000,
    });
    const { message, left } = JSON.parse(stdout) as { message: string | null; left: string[] };
    assert.match(message ?? '', /^cannot listen on 127\.0\.0\.1 port \d+: another program already listens there/);
    // The standard streams of the process are pipes.
    assert.deepEqual(
      left.filter((resource) => resource !== 'PipeWrap'),
      [],
    );
  });
});
