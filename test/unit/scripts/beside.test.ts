import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SCRIPT = pathToFileURL(join(import.meta.dirname, '../../../scripts/beside.js')).href;

/** Runs a command as `npm test` does; returns what was printed, and the result as JSON at the end. */
function run(command: string): string {
  const text = `import { runBeside } from '${SCRIPT}';
    console.log(JSON.stringify(await runBeside(process.argv[1])));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', text, command], { encoding: 'utf8' });
  return stdout;
}

describe('command beside the tests', () => {
  it('prints its whole output at its end', () => {
    assert.equal(run('echo one; echo two >&2'), 'one\ntwo\nnull\n');
  });

  it('gives the reason of its failure', () => {
    assert.equal(run('echo why; exit 3'), 'why\n"`echo why; exit 3` ended with exit code 3; its output is above"\n');
    assert.equal(run('kill -9 $$'), '"`kill -9 $$` ended with signal SIGKILL; its output is above"\n');
  });

  it('has a lower priority', () => {
    const [own, lower] = [spawnSync('nice', { encoding: 'utf8' }).stdout, run('nice')].map(parseFloat);
    assert.ok(own !== undefined && lower !== undefined && lower > own, `${own}, ${lower}`);
  });
});
