import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BIN = join(import.meta.dirname, '..', '..', '..', 'bin', 'errgate.js');

describe('the limit of open files', () => {
  it('is reported in one line where it is too low to load the program', async function () {
    if (!existsSync('/proc/self/limits')) this.skip();
    const run = promisify(execFile)('bash', ['-c', `ulimit -n 64; exec "${process.execPath}" "${BIN}" --version`]);
    await assert.rejects(run, (error: { code?: number; stdout?: string; stderr?: string }) => {
      assert.equal(error.code, 1);
      assert.equal(error.stdout, '');
      assert.match(
        error.stderr ?? '',
        /^errgate: this process may open 64 files, at least 256 are needed: raise .*\n$/,
      );
      return true;
    });
  });
});
