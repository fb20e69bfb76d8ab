import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startApp, type RunningApp } from '../support/app.ts';
import { givenEvents, givenMember, givenTrackedProject } from '../support/factories.ts';
import { EVERY_VERSION } from '../support/sdks/every-version.ts';
import { addFile, folderOf, makeFolder, programText } from '../support/sdks/made-folder.ts';
import { runProgram } from '../support/sdks/run-program.ts';
import { SQLITE } from '../support/test-stores.ts';

/** Pinned, because other versions make other code. */
const VERSION = '0.29.1';
const NAME = `openapi-python-client-${VERSION}`;
const PACKAGES = 'packages';
interface Document {
  readonly paths: Readonly<Record<string, object>>;
}

interface Seen {
  readonly operations: number;
  readonly titles: string[];
  readonly details: string;
  readonly changed: number;
  readonly status: string;
}

describe(`a client made by openapi-python-client ${VERSION}`, function () {
  this.timeout(600_000);
  let app: RunningApp;
  let document: Document;

  function python(...args: string[]): ReturnType<typeof runProgram> {
    const cwd = folderOf(NAME);
    const env = { PYTHONPATH: join(cwd, PACKAGES), PYTHONDONTWRITEBYTECODE: '1' };
    return runProgram('python3', args, { cwd, env, patienceMs: 300_000 });
  }

  before(async function () {
    if (!EVERY_VERSION) {
      console.log('      skipped: npm run test:full and npm run test:sdk make the client');
      this.skip();
    }
    const missing = await makeFolder({
      name: NAME,
      toolchain: ['python3', '--version'],
      advice: 'install Python 3.11 or later',
      // Without this file it looks for programs that format the code, and warns where they are missing.
      files: { 'config.yml': 'post_hooks: []\n' },
      steps: [
        {
          command: [
            ...['python3', '-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-compile'],
            ...['--target', PACKAGES, `openapi-python-client==${VERSION}`],
          ] as const,
          fetches: true,
        },
      ],
    });
    if (missing !== null) {
      console.log(`      skipped: ${missing.missing}`);
      this.skip();
    }
    app = await startApp(SQLITE);
    document = (await app.get('/api/v4/openapi.json')).json() as Document;
    addFile(NAME, 'openapi.json', JSON.stringify(document));
    addFile(NAME, 'shop.py', programText('generated_client.py'));
  });
  after(() => (app as RunningApp | undefined)?.close());

  it('is made without a warning', async () => {
    const { status, log } = await python(
      ...['-m', 'openapi_python_client', 'generate', '--path', 'openapi.json', '--output-path', 'errgate_client'],
      ...['--meta', 'none', '--config', 'config.yml', '--overwrite', '--fail-on-warning'],
    );
    assert.equal(status, 0, log);
    assert.doesNotMatch(log, /warning|unable/i);
  });

  it('imports with all operations, lists an error and changes it', async () => {
    const project = await givenTrackedProject(app.store);
    const { token } = await givenMember(app.store, project, 'developer');
    await givenEvents(app.store, project, [{ at: app.clock.at - 1000, title: 'ValueError: no cart' }]);
    const { status, log } = await python('shop.py', app.url, token, String(project.id));
    assert.equal(status, 0, log);
    const seen = JSON.parse(log) as Seen;
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    assert.equal(seen.operations, operations.length);
    assert.deepEqual(seen.titles, ['ValueError: no cart']);
    assert.deepEqual([seen.details, seen.changed, seen.status], ['StatusDetails', 1, 'resolved']);
  });
});
