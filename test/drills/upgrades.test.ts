import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { mongo } from 'mongoose';
import { CONTROL_COLLECTION } from '../../src/storage/mongo/documents/command-documents.ts';
import { runErrgate, buildOnce } from '../support/cli-process.ts';
import { DrillGateway } from '../support/drill-gateway.ts';
import { DrillLoad } from '../support/drill-load.ts';
import { suiteInFullRun } from '../support/full-run.ts';
import { describeOnMongoInFullRun, TestDatabases, withClient } from '../support/mongo-engine.ts';
import { buildOlderVersion, releaseCommit } from '../support/older-version.ts';
import { recordResult } from '../support/record-result.ts';
import { askService, differences } from '../support/releases/answers.ts';
import { growStore } from '../support/releases/grow-store.ts';
import { placeFixture, type PlacedFixture } from '../support/releases/release-fixture.ts';
import { ServiceChild } from '../support/service-child.ts';
import { startServiceHere } from '../support/service-here.ts';
import { eventually } from '../support/service-process.ts';

/** Stored events of the embedded store that is updated under load. */
const STORED = Number(process.env['ERRGATE_TEST_UPGRADE_EVENTS'] ?? 300_000);
/** Events in each phase of a drill. */
const EVENTS = 150;
const OLDEST = '0.1.0';

/** Returns the folder of the oldest release's program; null without a Git history, which is said. */
function oldestProgram(): string | null {
  const commit = releaseCommit(OLDEST);
  if (commit === null) {
    console.log('      SKIPPED upgrades: there is no Git history here. Run it in a full clone.');
    return null;
  }
  return buildOlderVersion(commit);
}

interface Readiness {
  readonly reading: boolean;
  readonly reading_reason?: string;
}

async function readinessOf(gateway: DrillGateway): Promise<{ readonly status: number; readonly body: Readiness }> {
  const answer = await fetch(`${gateway.service.url}/-/readiness`);
  return { status: answer.status, body: (await answer.json()) as Readiness };
}

/** Runs `errgate migrate` and kills it at the n-th line that reports a step. Returns false when it ended before. */
async function killedMigration(env: NodeJS.ProcessEnv, line: number): Promise<boolean> {
  const child = new ServiceChild(env, ['bin/errgate.js', 'migrate']);
  const steps = `(?:[^]*?(?:step \\d+ of|making indexes of)){${line}}`;
  const met = await child.printed(new RegExp(steps)).then(
    () => true,
    () => false,
  );
  await child.end('SIGKILL');
  return met;
}

const leasesOf = (client: mongo.MongoClient) => client.db().collection<{ _id: string }>(CONTROL_COLLECTION);

async function assertAnswers(fixture: PlacedFixture): Promise<void> {
  const service = await startServiceHere(fixture.dataDir, {
    ...fixture.env,
    ERRGATE_EXTERNAL_URL: 'https://errors.example.test',
  });
  try {
    const ask = askService(service.url, fixture.token);
    // What depends on the clock, or has the events that the journal held, is left to the suite of the fixtures.
    const paths = Object.keys(fixture.answers).filter((path) => /\/(?:events|members|client_keys)\b/.test(path));
    assert.ok(paths.length > 50);
    for (const path of paths) assert.deepEqual(differences(fixture.answers[path], await ask(path), path), []);
    const pending = `/api/v4/projects/${fixture.projectId}/error_tracking/errors?status=all&search=PendingError`;
    await eventually(
      () => ask(pending) as Promise<{ readonly count: number }[]>,
      ([error]) => error?.count === 5,
    );
  } finally {
    await service.end('SIGTERM');
  }
}

suiteInFullRun('drill: an upgrade of the embedded store', function () {
  this.timeout(900_000);
  let gateway: DrillGateway | undefined;
  let load: DrillLoad | undefined;

  before(() => buildOnce());
  afterEach(async () => {
    load?.halt();
    await gateway?.remove();
  });

  it('loses nothing while it takes place: events are accepted, and counted once', async function () {
    const root = oldestProgram();
    if (root === null) return this.skip();
    gateway = await DrillGateway.start({ ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') }, { root });
    const running = gateway;
    load = new DrillLoad([running.target]).start(4, 20);
    await load.acknowledgedAtLeast(EVENTS);
    assert.equal(await running.down('SIGTERM'), 0);
    growStore(running.dataDir, STORED);
    const began = Date.now();
    await running.up({ root: null });
    const { status, body } = await readinessOf(running);
    assert.deepEqual([status, body.reading], [200, false], JSON.stringify(body));
    assert.match(JSON.stringify(body), /being updated from schema version 7 to \d+: step \d+ of \d+/);
    const before = load.acknowledged;
    await eventually(
      () => readinessOf(running),
      ({ body: { reading } }) => reading,
      600_000,
    );
    const seconds = Math.round((Date.now() - began) / 100) / 10;
    assert.ok(load.acknowledged > before, 'events were accepted meanwhile');
    await load.acknowledgedAtLeast(load.acknowledged + EVENTS);
    await load.stop();
    assert.deepEqual(load.refusals, []);
    await load.assertStored(running.service, 120_000);
    recordResult('upgrade-drill', { store: 'SQLite', events: STORED, seconds, lost: 0, doubled: 0 });
    console.log(`      ${STORED} stored events: ${seconds} s; ${load.sent} sent meanwhile: 0 lost, 0 doubled`);
  });

  it('is repeated after a kill at any step', async () => {
    const fixture = await placeFixture(OLDEST, 'sqlite');
    try {
      growStore(fixture.dataDir, 20_000);
      let killed = 0;
      for (const line of [1, 3, 6, 9, 12]) killed += (await killedMigration(fixture.env, line)) ? 1 : 0;
      assert.ok(killed > 0);
      const { code, stderr } = await runErrgate(['migrate'], fixture.env);
      assert.equal(code, 0, stderr);
      await assertAnswers(fixture);
    } finally {
      await fixture.remove();
    }
  });
});

describeOnMongoInFullRun('drill: an upgrade of a database', function (uri) {
  this.timeout(900_000);
  const databases = new TestDatabases(uri);
  let gateways: DrillGateway[] = [];
  let load: DrillLoad | undefined;

  before(() => buildOnce());
  afterEach(async () => {
    load?.halt();
    await Promise.all(gateways.map((gateway) => gateway.remove()));
    gateways = [];
  });
  after(() => databases.dropAll());

  const migrate = (gateway: DrillGateway) =>
    runErrgate(['migrate'], { ...gateway.env, ERRGATE_DATA_DIR: `${gateway.dataDir}-migrate` });

  it('from the oldest release loses nothing: gateways are replaced one by one, wait, and take all in', async function () {
    const root = oldestProgram();
    if (root === null) return this.skip();
    const env = {
      ERRGATE_STORE_URL: databases.create(),
      ERRGATE_SECRET_KEY: randomBytes(32).toString('hex'),
    };
    const first = await DrillGateway.start(env, { root });
    const second = await DrillGateway.start(env, { root, first });
    gateways = [first, second];
    load = new DrillLoad([first.target, second.target]).start(4, 20);
    await load.acknowledgedAtLeast(EVENTS);
    for (const gateway of gateways) {
      assert.equal(await gateway.down('SIGTERM'), 0);
      await gateway.up({ root: null, env: { ERRGATE_WAIT_FOR_MIGRATION: 'true' } });
      const { status, body } = await readinessOf(gateway);
      assert.deepEqual([status, body.reading], [200, false], JSON.stringify(body));
      await load.acknowledgedAtLeast(load.acknowledged + EVENTS);
      if (gateway === first) assert.match((await migrate(gateway)).stderr, /gateways are using this store/);
    }
    const migrated = await migrate(first);
    assert.equal(migrated.code, 0, migrated.stderr);
    assert.match(migrated.stdout, /step 1 of \d+/);
    for (const gateway of gateways) {
      await eventually(
        () => readinessOf(gateway),
        ({ body: { reading } }) => reading,
      );
    }
    await load.acknowledgedAtLeast(load.acknowledged + EVENTS);
    // The older program finds a newer schema: it stops, and its journal waits for the newer one.
    await second.down('SIGKILL');
    await assert.rejects(second.up({ root }), /schema version \d+, this program knows 2/);
    await second.up({ root: null });
    await load.stop();
    assert.deepEqual(load.refusals, []);
    await load.assertStored(first.service, 120_000);
    recordResult('upgrade-drill', { store: 'MongoDB', events: 0, seconds: 0, lost: 0, doubled: 0 });
    console.log(`      ${load.sent} events sent: 0 lost, 0 doubled`);
  });

  it('is repeated after a kill at any step', async () => {
    const fixture = await placeFixture(OLDEST, 'mongodb', uri);
    try {
      for (const line of [1, 12, 30]) {
        assert.ok(await killedMigration(fixture.env, line));
        // As if the minute had passed after which another process takes over.
        await withClient(fixture.url, async (client) => leasesOf(client).deleteMany({ _id: /^lease:/ }));
      }
      const { code, stderr } = await runErrgate(['migrate'], fixture.env);
      assert.equal(code, 0, stderr);
      await assertAnswers(fixture);
    } finally {
      await fixture.remove();
    }
  });
});
