import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');

describe('.ci/run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-ci-'));
    mkdirSync(join(folder, 'checkout'));
    cpSync(join(ROOT, '.ci'), join(folder, 'checkout', '.ci'), { recursive: true });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function addProgram(directory: string, name: string, script: string): void {
    mkdirSync(join(folder, directory), { recursive: true });
    writeFileSync(join(folder, directory, name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
  }

  /** Runs the script on a machine with this version of Node.js, with programs that only note their calls. */
  function calls(version: string, failing = 'nothing'): { readonly code: number | null; readonly lines: string[] } {
    const log = join(folder, 'calls');
    writeFileSync(log, '');
    // The first directory of PATH tells which Node.js a command uses.
    const npm = `echo "$(basename "\${PATH%%:*}"): npm $*" >> ${log}; [ "$*" != '${failing}' ]`;
    const binary = join(folder, 'main', 'node');
    addProgram('machine', 'npm', npm);
    addProgram('machine', 'node', `case "$*" in -p*) echo ${version};; *'node-binary.ts 24') echo ${binary};; esac`);
    addProgram('machine', 'apt-get', 'exit 0');
    addProgram('main', 'npm', npm);
    const { status } = spawnSync('bash', [join(folder, 'checkout', '.ci', 'run')], {
      env: {
        PATH: `${join(folder, 'machine')}:/usr/bin:/bin`,
        ERRGATE_TEST_MONGODB_URI: 'mongodb://127.0.0.1:1',
        ERRGATE_TEST_CHROMIUM: '/bin/true',
      },
      stdio: 'ignore',
    });
    return { code: status, lines: readFileSync(log, 'utf8').trim().split('\n') };
  }

  it('checks and tests everything on Node.js 24, and the embedded store on the Node.js of the machine', () => {
    const { code, lines } = calls('20');
    assert.equal(code, 0);
    assert.deepEqual([lines.at(0), lines.at(-1)], ['machine: npm ci', 'main: npm test']);
    // They run beside each other.
    assert.deepEqual(
      lines.slice(1, -1).sort(),
      ['machine: npm run test:embedded', 'main: npm run check:static'].sort(),
    );
    assert.deepEqual(calls('24').lines, ['machine: npm ci', 'main: npm run check:static', 'main: npm test']);
  });

  it('fails with each step, tests nothing more on Node.js 24 then, and runs nothing again', () => {
    for (const failing of ['run check:static', 'run test:embedded', 'test']) {
      const { code, lines } = calls('20', failing);
      assert.equal(code, 1, failing);
      assert.equal(lines.includes('main: npm test'), failing === 'test');
      assert.equal(new Set(lines).size, lines.length);
    }
    const { code, lines } = calls('24', 'run check:static');
    assert.deepEqual({ code, last: lines.at(-1) }, { code: 1, last: 'main: npm run check:static' });
  });
});
