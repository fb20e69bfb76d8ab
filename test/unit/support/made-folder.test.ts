import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { folderOf } from '../../support/sdks/made-folder.ts';
import { runProgram } from '../../support/sdks/run-program.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../support/sdks/made-folder.ts')).href;
/** Step that fails when a second one runs in the folder meanwhile, and takes longer than the start of a process. */
const STEP = `
const { appendFileSync, mkdirSync, rmdirSync } = require('node:fs');
mkdirSync('running');
setTimeout(() => (rmdirSync('running'), appendFileSync('steps', 'step\\n')), 1500);
`;

describe('folder of a built client', function () {
  this.timeout(60_000);
  const name = `test-${process.pid}`;
  const archives = mkdtempSync(join(tmpdir(), 'errgate-archives-'));
  after(() => {
    for (const path of [archives, folderOf(name), `${folderOf(name)}.lock`])
      rmSync(path, { recursive: true, force: true });
  });

  it('is built once by processes that need it at the same time', async () => {
    const wanted = {
      ...{ name, toolchain: [process.execPath, '--version'], advice: 'install it', files: { 'step.cjs': STEP } },
      steps: [{ command: [process.execPath, 'step.cjs'] }],
    };
    const program = `
      const { makeFolder } = await import(${JSON.stringify(MODULE)});
      console.log(JSON.stringify(await makeFolder(${JSON.stringify(wanted)})));
    `;
    const args = ['--import=tsx', '--input-type=module', '--eval', program];
    const env = { ERRGATE_TEST_SDK_CACHE: archives };
    const runs = await Promise.all([1, 2, 3].map(() => runProgram(process.execPath, args, { env })));
    for (const { status, log } of runs) assert.equal(status, 0, log);
    assert.equal(readFileSync(join(folderOf(name), 'steps'), 'utf8'), 'step\n');
    assert.ok(!existsSync(join(folderOf(name), 'running')));
  });
});
