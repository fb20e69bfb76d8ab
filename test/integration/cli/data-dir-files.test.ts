import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callErrgate } from '../../support/cli-call.ts';
import { FakeTarget } from '../../support/fake-target.ts';
import { callServe, type ServeCall } from '../../support/service-here.ts';
import { eventually, readStarted } from '../../support/service-process.ts';
import { describeOnStores } from '../../support/test-stores.ts';

/** `restored`: a backup puts it back. Else the reason why it does not. */
type Role = 'restored' | { readonly not: string };

const OF_THE_STORE = { not: 'is part of the store file once nothing has it open' };
const OF_THE_RUN = { not: 'says which process owns the data dir' };

/** Everything that may lie in a data dir. docs/running.md has the same list, under Backup and restore. */
const DATA_DIR: Readonly<Record<string, Role>> = {
  'errgate.db': 'restored',
  'errgate.db-wal': OF_THE_STORE,
  'errgate.db-shm': OF_THE_STORE,
  // With `--with-secrets`.
  'secret.key': 'restored',
  'errgate.db.files': { not: 'comes with the first upload of a build; every-table.test.ts restores it' },
  uploads: { not: 'has uploads that are being opened: they are put together again' },
  journal: { not: 'is applied again to a restored store, which recognises what it has' },
  quarantine: { not: 'stays: its records are replayed after a fix' },
  forward: { not: 'stays: what waits is sent on, and the store keeps only how much it is' },
  plans: { not: 'has the batch that a store on MongoDB is writing' },
  'store-owner': { not: 'names the journal to a store on MongoDB' },
  'ingest-keys.json': { not: 'is written again from the store' },
  'store.json': { not: 'says that this data dir was used' },
  'first-start.json': { not: 'is for the person of the first start' },
  'run.json': OF_THE_RUN,
  'owner.json': OF_THE_RUN,
  // Taken by `restore` as well.
  'owner.lock': OF_THE_RUN,
};

describeOnStores('files in the data dir', (kind, suite) => {
  suite.timeout(180_000);
  const place = kind.forProcesses();
  const folder = mkdtempSync(join(tmpdir(), 'errgate-files-'));
  const dataDir = join(folder, 'data');
  const env = { ...place.env, ERRGATE_DATA_DIR: dataDir, ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' };
  const listed = (dir: string): string[] => readdirSync(dir).sort();
  let target: FakeTarget;
  let service: ServeCall;

  before(async () => {
    target = await FakeTarget.start();
    target.reply = () => ({ status: 503 });
    service = await callServe(env);
    const url = await service.url();
    const { first } = readStarted(dataDir, service.stdout);
    await errgate('forward', 'set', '--project', String(first.project_id), '--dsn', target.dsn);
    const key = new URL(first.dsn).username;
    // The service sees the forward within two seconds, so requests are sent until one waits for the target.
    await eventually(
      async () => {
        const event = `{}\n{"type":"event"}\n{"message":"waits"}`;
        const request = { method: 'POST', body: event };
        const answer = await fetch(`${url}/api/${first.project_id}/envelope/?sentry_key=${key}`, request);
        assert.equal(answer.status, 200, await answer.text());
        return listed(dataDir);
      },
      (names) => names.includes('forward'),
    );
  });
  after(async () => {
    await service.end();
    await target.close();
    await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function errgate(...args: string[]): Promise<void> {
    const { code, stderr } = await callErrgate(args, env);
    assert.equal(code, 0, `errgate ${args.join(' ')}: ${stderr}`);
  }

  it('are known, each with the reason why a backup leaves it out', () => {
    const unknown = listed(dataDir).filter((name) => !Object.hasOwn(DATA_DIR, name));
    assert.deepEqual(unknown, [], 'say in this test, and in docs/running.md, how each file takes part in a backup');
  });

  if (kind.name === 'SQLite') {
    it('are in a restored backup where the list says so', async () => {
      const file = join(folder, 'backup.db');
      await errgate('backup', file, '--with-secrets');
      const restored = join(folder, 'restored');
      const { code, stderr } = await callErrgate(['restore', file], { ...env, ERRGATE_DATA_DIR: restored });
      assert.equal(code, 0, stderr);
      const expected = Object.keys(DATA_DIR).filter((name) => DATA_DIR[name] === 'restored' || name === 'owner.lock');
      assert.deepEqual(listed(restored), expected.sort());
    });
  }

  it('keep nothing that waits for the target of a deleted project', async () => {
    const { first } = readStarted(dataDir, service.stdout);
    assert.deepEqual(
      listed(join(dataDir, 'forward')).filter((name) => /^\d+$/.test(name)),
      [String(first.project_id)],
    );
    await errgate('project', 'delete', String(first.project_id), '--yes');
    await eventually(
      () => Promise.resolve(listed(join(dataDir, 'forward'))),
      (names) => !names.some((name) => /^\d+$/.test(name)),
    );
  });
});
