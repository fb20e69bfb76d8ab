/**
 * Makes the fixtures of a release for test/fixtures/stores: a real service of that release is filled on both stores, its
 * answers are read, and it is killed with events that it acknowledged and did not store.
 *
 * `npm run store-fixture` takes the release of this checkout; `npm run store-fixture -- 0.1.0 <commit>` builds another
 * one first. `ERRGATE_TEST_MONGODB_URI` names the engine of the MongoDB store.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { buildOnce } from '../test/support/cli-process.ts';
import { DrillGateway } from '../test/support/drill-gateway.ts';
import { MONGO_URI, TestDatabases } from '../test/support/mongo-engine.ts';
import { buildOlderVersion } from '../test/support/older-version.ts';
import { askService, readAnswers } from '../test/support/releases/answers.ts';
import {
  CAPTURED_ID,
  CAPTURED_KEYS,
  CAPTURED_PATH,
  fillFirstRelease,
  fillSecondRelease,
  FixtureClient,
  sendPending,
} from '../test/support/releases/fill-release.ts';
import { FIXTURE_KEY, keepCollections, writeFixture } from '../test/support/releases/release-fixture.ts';
import { endRun } from '../test/support/run-end.ts';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** As in the applications of tests, whose answers have links with it. */
const EXTERNAL_URL = 'https://errors.example.test';

/** Release without what `fillSecondRelease` needs. */
const FIRST = '0.1.0';

/** Makes the fixture of one store. `root`: folder of the built program. */
async function make(release: string, root: string, store: 'sqlite' | 'mongodb', url: string): Promise<void> {
  const env = { ERRGATE_STORE_URL: url, ERRGATE_SECRET_KEY: FIXTURE_KEY, ERRGATE_EXTERNAL_URL: EXTERNAL_URL };
  const gateway = await DrillGateway.start(env, { root });
  try {
    const { dataDir } = gateway;
    const errgate = async (...args: string[]) =>
      run(process.execPath, ['bin/errgate.js', ...args], {
        cwd: root,
        env: { ...process.env, ...gateway.env, ERRGATE_DATA_DIR: dataDir },
      });
    await errgate('project', 'create', '--path', CAPTURED_PATH, '--alias-id', String(CAPTURED_ID));
    for (const key of CAPTURED_KEYS) await errgate('key', 'create', '--project', CAPTURED_PATH, '--public-key', key);
    await filled(release, gateway);
    const { token, project_id: projectId } = gateway.service.first;
    const readAt = Date.now();
    const answers = await readAnswers(askService(gateway.service.url, token));
    await gateway.down('SIGTERM');
    await gateway.up();
    await sendPending(new FixtureClient(gateway.service), readAt);
    await gateway.down('SIGKILL');
    if (store === 'mongodb') await keepCollections(url, dataDir);
    const folder = join(ROOT, 'test', 'fixtures', 'stores', release);
    mkdirSync(folder, { recursive: true });
    writeFixture(folder, store, dataDir, { token, projectId, readAt, answers });
    console.log(`${release} ${store}: ${Object.keys(answers).length} answers`);
  } finally {
    await gateway.remove();
  }
}

async function filled(release: string, gateway: DrillGateway): Promise<void> {
  const client = new FixtureClient(gateway.service);
  await fillFirstRelease(client, Date.now());
  if (release !== FIRST) await fillSecondRelease(client);
}

const { positionals } = parseArgs({ allowPositionals: true });
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
const [release = version, commit] = positionals;
if (MONGO_URI === undefined) throw new Error('set ERRGATE_TEST_MONGODB_URI: the fixture is made on both stores');
await buildOnce();
const root = commit === undefined ? ROOT : buildOlderVersion(commit);
const databases = new TestDatabases(MONGO_URI);
try {
  await make(release, root, 'sqlite', 'sqlite:');
  await make(release, root, 'mongodb', databases.create());
} finally {
  await databases.dropAll();
  await endRun();
}
