import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildOnce } from '../support/cli-process.ts';
import { readRoot, ROOT } from '../support/doc-pages.ts';
import { suiteInFullRun } from '../support/full-run.ts';

const run = promisify(execFile);

/** KiB on disk of a global installation. */
const MAX_KIB = 100 * 1024;

suiteInFullRun('an installation from the registry', function () {
  this.timeout(600_000);
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-installation-'));
    await buildOnce();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('of the package takes at most 100 MB, has nothing deprecated, and runs', async () => {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
    const [tarball = ''] = readdirSync(folder);
    const prefix = join(folder, 'prefix');
    const { stderr } = await run('npm', ['install', '--global', '--prefix', prefix, join(folder, tarball)]);
    // A global installation has no list of scripts that may run. errgate works without the one that npm names.
    assert.doesNotMatch(stderr, /npm warn (?!install-scripts)/);
    const { stdout: size } = await run('du', ['-sk', prefix]);
    const kib = Number.parseInt(size, 10);
    console.log(`      ${(kib / 1024).toFixed(1)} MB`);
    assert.ok(kib > 30 * 1024 && kib <= MAX_KIB, size);
    const { version } = JSON.parse(readRoot('package.json')) as { version: string };
    const { stdout } = await run(join(prefix, 'bin', 'errgate'), ['--version']);
    assert.ok(stdout.includes(version), stdout);
  });

  it('of a checkout warns of nothing', async () => {
    const checkout = mkdtempSync(join(folder, 'checkout-'));
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(ROOT, file), join(checkout, file));
    const { stdout, stderr } = await run('npm', ['ci'], { cwd: checkout });
    assert.match(stdout, /added \d+ packages/);
    assert.doesNotMatch(stdout + stderr, /warn|deprecated/i);
  });
});
