import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { itInFullRun } from '../../support/full-run.ts';
import { ServiceChild } from '../../support/service-child.ts';
import { eventually } from '../../support/service-process.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SOURCES = ['config', 'package.json', 'scripts', 'src', 'tsconfig.json', 'ui'];

/** A checkout that may be changed; the packages are those of this one, the caches are its own. */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'errgate-dev-'));
  for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('npm run dev', function () {
  // Starts the service three times from its sources and prepares the packages of the pages, beside other tests.
  this.timeout(180_000);
  let folder: string;
  let dev: ServiceChild;
  beforeEach(() => {
    folder = copyOfSources();
  });
  afterEach(async () => {
    await dev.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function start(env: NodeJS.ProcessEnv): void {
    const given = { ERRGATE_DATA_DIR: 'data', ERRGATE_MIN_FREE_DISK: '1', NO_COLOR: '1', ...env };
    dev = new ServiceChild(given, ['--import=tsx', 'scripts/dev.js'], folder);
  }
  const change = (file: string, from: string, to: string): void => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    assert.ok(text.includes(from), `${file} holds ${from}`);
    writeFileSync(path, text.replace(from, to));
  };
  const servicePid = (): number =>
    (JSON.parse(readFileSync(join(folder, 'data', 'run.json'), 'utf8')) as { pid: number }).pid;

  // Takes a minute of processor time, and nothing of it is installed by users.
  itInFullRun('serves pages in front of a service, takes changes of both, and ends with both', async () => {
    start({ ERRGATE_PORT: '0' });
    const local = await dev.printed(/Local:\S*\s+(\S+)/);
    const pages = stripVTControlCharacters(local[1] ?? '');
    const url = await dev.url();
    const user = await fetch(`${pages}api/v4/user`);
    assert.deepEqual([user.status, ((await user.json()) as { username: string }).username], [200, 'root']);
    assert.match(await (await fetch(pages)).text(), /<base href="\/"/);

    change('ui/src/app/App.vue', '<template>', '<template><i>a changed page</i>');
    const served = async (): Promise<string> => (await fetch(`${pages}src/app/App.vue`)).text();
    await eventually(served, (text) => text.includes('a changed page'));

    const first = servicePid();
    change('src/cli/version.ts', 'return ', 'return return ');
    await dev.printed(/the service has ended by itself/);
    assert.equal(isRunning(first), false);
    change('src/cli/version.ts', "return return 'unknown'", "return 'unknown'");
    const again = await dev.printed(/is ready on[^]*is ready on (\S+)/);
    assert.equal(again[1], url);
    assert.equal((await fetch(`${pages}api/v4/user`)).status, 200);

    const last = servicePid();
    assert.equal(await dev.end('SIGINT'), 0);
    assert.equal(isRunning(last), false);
    await assert.rejects(fetch(pages));
  });

  it('ends without pages where the service does not start', async () => {
    start({ ERRGATE_PORT: 'none' });
    assert.equal(await dev.ended, 1);
    assert.match(dev.stderr, /ERRGATE_PORT/);
  });
});
