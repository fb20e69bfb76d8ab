import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { callErrgate } from '../support/cli-call.ts';
import { buildOnce } from '../support/cli-process.ts';
import { DrillGateway } from '../support/drill-gateway.ts';
import { DrillLoad } from '../support/drill-load.ts';
import { DrillReader } from '../support/drill-reader.ts';
import { describeOnMongo, TestDatabases } from '../support/mongo-engine.ts';
import { buildOlderVersion, olderCommit } from '../support/older-version.ts';
import { recordResult } from '../support/record-result.ts';
import { itInFullRun } from '../support/full-run.ts';

/** Events in each phase. Full size by 4000. */
const EVENTS = Number(process.env['ERRGATE_TEST_MONGO_EVENTS'] ?? 150);

describeOnMongo('drill: two versions on one database', function (uri) {
  this.timeout(600_000);
  const databases = new TestDatabases(uri);
  let gateways: DrillGateway[] = [];
  let load: DrillLoad | undefined;
  let reader: DrillReader | undefined;

  before(() => buildOnce());
  afterEach(async () => {
    load?.halt();
    await reader?.stop().catch(() => undefined);
    await Promise.all(gateways.map((gateway) => gateway.remove()));
    gateways = [];
  });
  after(() => databases.dropAll());

  /** Starts a gateway of the older program, and more on its database; none where there is none, which is said. */
  async function startOlder(schema: 'same' | 'older', count = 1): Promise<DrillGateway[]> {
    const commit = olderCommit(schema);
    if (commit === null) {
      console.log('      SKIPPED two versions: there is no Git history here. Run it in a full clone.');
      return [];
    }
    const env = { ERRGATE_STORE_URL: databases.create(), ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') };
    const root = buildOlderVersion(commit);
    const first = await DrillGateway.start(env, { root });
    gateways = [first];
    while (gateways.length < count) gateways.push(await DrillGateway.start(env, { root, first }));
    return gateways;
  }

  function record({ sent, retries }: DrillLoad): void {
    recordResult('mongo-versions-drill', { sent, sent_again: retries, lost: 0, doubled: 0 });
    console.log(`      ${sent} events: 0 lost, 0 doubled`);
  }

  itInFullRun(
    'of one schema, replaced one after the other, count each event once and answer all along',
    async function () {
      const [first, second] = await startOlder('same', 2);
      if (first === undefined || second === undefined) return this.skip();
      load = new DrillLoad([first.target, second.target]).start(8);
      reader = new DrillReader([first, second]).start();
      for (const gateway of [first, second]) {
        await load.acknowledgedAtLeast(load.acknowledged + EVENTS);
        assert.equal(await gateway.down('SIGTERM'), 0);
        await gateway.up({ root: null });
      }
      await load.acknowledgedAtLeast(load.acknowledged + EVENTS);
      await load.stop();
      assert.deepEqual(load.refusals, []);
      assert.ok((await reader.stop()) > 10, 'lists were read all along, and no count went down');
      await load.assertStored(second.service, 120_000);
      record(load);
    },
  );

  it('of two schemas do not meet: the update is refused while the older one runs, which goes on', async function () {
    const [first] = await startOlder('older');
    if (first === undefined) return this.skip();
    load = new DrillLoad([first.target]).start(8);
    await load.acknowledgedAtLeast(EVENTS);
    const migrate = () => callErrgate(['migrate'], { ...first.env, ERRGATE_DATA_DIR: `${first.dataDir}-migrate` });
    const refused = await migrate();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /gateways are using this store/);
    await assert.rejects(DrillGateway.start(first.env, { first, here: true }), /run `errgate migrate`/);
    await load.acknowledgedAtLeast(load.acknowledged + EVENTS);
    await load.stop();
    assert.deepEqual(load.refusals, [], 'the older one was not disturbed');
    assert.equal(await first.down('SIGTERM'), 0);
    const migrated = await migrate();
    assert.equal(migrated.code, 0, migrated.stderr);
  });
});
