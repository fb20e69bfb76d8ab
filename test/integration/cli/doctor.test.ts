import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { parseSecretKey } from '../../../src/thirdparty/secrets/key-ring.ts';
import { createTokenCipher } from '../../../src/thirdparty/secrets/encrypted-token.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { startFakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';

interface Report {
  readonly healthy: boolean;
  readonly checks: readonly { check: string; status: string; message: string; advice: string | null }[];
}

function statusOf(report: Report, check: string): string {
  return report.checks.find((finding) => finding.check === check)?.status ?? 'absent';
}

describe('errgate doctor', () => {
  const sandbox = useCliSandbox();

  it('says what to do about each problem, with exit code 1 when the service does not work', async () => {
    const errgate = sandbox.current;
    const { code, stdout } = await errgate.run('doctor', '--json');
    assert.equal(code, 1);
    const report = JSON.parse(stdout) as Report;
    assert.equal(report.healthy, false);
    assert.equal(statusOf(report, 'data dir'), 'fail');
    for (const finding of report.checks) {
      assert.deepEqual(Object.keys(finding), ['check', 'status', 'message', 'advice']);
      assert.equal(finding.advice === null, finding.status === 'ok', JSON.stringify(finding));
    }
    assert.equal(existsSync(join(errgate.folder, 'data')), false, 'it changes nothing');
  });

  it('reports a set-up without a running service as working, with a notice', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const report = JSON.parse(await errgate.done('doctor', '--json')) as Report;
    assert.equal(report.healthy, true);
    assert.deepEqual(
      ['node', 'configuration', 'data dir', 'store', 'client keys', 'journal', 'quarantine'].map((check) =>
        statusOf(report, check),
      ),
      Array(7).fill('ok'),
    );
    assert.equal(statusOf(report, 'service'), 'warn');
    assert.match(await errgate.done('doctor'), /^warn {2}service +not running.*\n +-> start it/m);
  });

  it('says whether an administrator can sign in', async () => {
    const errgate = sandbox.current;
    const finding = async (): Promise<string> =>
      (await errgate.done('doctor')).split('\n').find((line) => line.includes(' administrator ')) ?? '';
    await errgate.done('user', 'create', 'bob');
    assert.match(await finding(), /^warn .*no administrator can sign in/);
    await errgate.done('user', 'create', 'ada', '--admin');
    assert.match(await finding(), /^ok .*an administrator can sign in: ada/);
  });

  it('warns about plain http, missing keys and wide permissions', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    await errgate.done('settings', 'set', 'acme/shop', '--active', 'on');
    await errgate.done('key', 'disable', 'acme/shop', '1');
    errgate.env['ERRGATE_EXTERNAL_URL'] = 'http://errors.example.com';
    errgate.env['ERRGATE_MIN_FREE_DISK'] = '1000TiB';
    chmodSync(join(errgate.folder, 'data'), 0o755);
    const { code, stdout } = await errgate.run('doctor', '--json');
    const report = JSON.parse(stdout) as Report;
    assert.equal(code, 1);
    assert.equal(statusOf(report, 'external URL'), 'warn');
    assert.equal(statusOf(report, 'client keys'), 'warn');
    assert.equal(statusOf(report, 'data dir'), 'warn');
    assert.equal(statusOf(report, 'disk'), 'fail');
  });

  it('asks external trackers whether they have the linked projects', async () => {
    const errgate = sandbox.current;
    const tracker = await startFakeTracker('GlitchTip 5.2', { lessons: 50 });
    try {
      const shop = tracker.world.addProject('acme', 'shop', '11');
      tracker.world.addToken(TRACKER_TOKEN);
      errgate.env['ERRGATE_OUTBOUND_ALLOW'] = '127.0.0.1';
      errgate.env['ERRGATE_SECRET_KEY'] = 'a1'.repeat(32);
      await errgate.done('project', 'create', 'acme/shop');
      const key = parseSecretKey('a1'.repeat(32)) ?? assert.fail();
      const store = await openStore({ url: 'sqlite:', dataDir: join(errgate.folder, 'data'), migrate: false });
      await store.saveSettings(1, {
        active: true,
        integrated: false,
        apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
        thirdpartyProjectId: '11',
        sealedToken: createTokenCipher(() => [key]).encrypt(TRACKER_TOKEN, 1),
      });
      await store.close();
      const finding = async () => {
        const report = JSON.parse((await errgate.run('doctor', '--json')).stdout) as Report;
        const { status, message } = report.checks.find(({ check }) => check === 'external trackers') ?? assert.fail();
        return `${status} ${message}`;
      };
      assert.equal(await finding(), 'ok the linked project exists');
      shop.slug = 'market';
      assert.match(await finding(), /^fail acme\/shop: the project acme\/shop was renamed to acme\/market at /);
      tracker.world.projects.splice(0, 1);
      tracker.world.addProject('acme', 'till', '12');
      assert.match(await finding(), /^fail acme\/shop: .* has no project acme\/shop/);
      tracker.fail(faults.status(503));
      assert.match(await finding(), /^warn acme\/shop: .* status 503/);
      delete errgate.env['ERRGATE_OUTBOUND_ALLOW'];
      const blocked = JSON.parse((await errgate.run('doctor', '--json')).stdout) as Report;
      const { status, advice } = blocked.checks.find(({ check }) => check === 'external trackers') ?? assert.fail();
      assert.equal(status, 'warn');
      assert.match(advice ?? '', /outbound rules of its own environment, which may differ from those of the service/);
    } finally {
      await tracker.close();
    }
  });

  it('reports a broken configuration with all its problems', async () => {
    const errgate = sandbox.current;
    errgate.env['ERRGATE_PORT'] = 'x';
    const { code, stdout } = await errgate.run('doctor');
    assert.equal(code, 1);
    assert.match(stdout, /^fail {2}configuration/m);
  });
});
