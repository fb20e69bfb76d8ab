import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { leafCommands } from '../../support/cli-commands.ts';
import { buildOnce } from '../../support/cli-process.ts';
import { FakeTarget } from '../../support/fake-target.ts';
import { programEnv } from '../../support/program-env.ts';

const CHILD = fileURLToPath(new URL('../../support/run-commands.mjs', import.meta.url));
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1';

/** Every command in an order in which it has something to do, and its exit code. */
function commands(folder: string, dsn: string): [code: number, ...args: string[]][] {
  const tracker = ['--url', NOWHERE, '--org', 'acme', '--token-file', join(folder, 'token')];
  return [
    [0, 'serve'],
    [0, 'config', 'show'],
    [0, 'user', 'create', 'ada', '--password-stdin'],
    [0, 'user', 'list'],
    [0, 'user', 'password', 'ada', '--password-stdin'],
    [1, 'user', 'reset-second-factor', 'ada'],
    [0, 'user', 'allow-password', 'ada'],
    [0, 'user', 'block', 'ada'],
    [0, 'project', 'create', 'acme/shop'],
    [0, 'project', 'list'],
    [0, 'project', 'set', 'acme/shop', '--name', 'Shop'],
    [0, 'member', 'add', 'acme/shop', 'ada', 'developer'],
    [0, 'member', 'list', 'acme/shop'],
    [0, 'member', 'remove', 'acme/shop', 'ada'],
    [0, 'group', 'create', 'tools'],
    [0, 'group', 'list'],
    [0, 'group', 'set', 'tools', '--name', 'Tools'],
    [0, 'group', 'delete', 'tools'],
    [0, 'invitation', 'add', 'acme/shop', 'eve@example.org', 'guest'],
    [0, 'invitation', 'list', 'acme/shop'],
    [0, 'invitation', 'remove', 'acme/shop', 'eve@example.org'],
    [0, 'token', 'create', 'ada'],
    [0, 'token', 'list'],
    [0, 'token', 'revoke', '1'],
    [0, 'settings', 'set', 'acme/shop', '--active', 'on', '--integrated', 'on'],
    [0, 'settings', 'show', 'acme/shop'],
    [0, 'key', 'create', 'acme/shop'],
    [0, 'key', 'list', 'acme/shop'],
    [0, 'key', 'disable', 'acme/shop', '2'],
    [0, 'key', 'enable', 'acme/shop', '2'],
    [0, 'key', 'delete', 'acme/shop', '2'],
    [0, 'send-test-event', '--dsn', dsn],
    [0, 'forward', 'set', 'acme/shop', '--dsn', 'https://key@tracker.example/7'],
    [0, 'forward', 'list'],
    [0, 'forward', 'remove', 'acme/shop'],
    [0, 'alert', 'list'],
    [1, 'alert', 'test', 'acme/shop'],
    [0, 'alert', 'deliveries', 'acme/shop'],
    [1, 'alert', 'resend', 'acme/shop', '1'],
    [1, 'import', ...tracker],
    [0, 'import', 'status'],
    [1, 'import', 'cancel'],
    [1, 'compare', ...tracker],
    [0, 'export', '--to', join(folder, 'export')],
    [0, 'journal', 'drain', join(folder, 'data')],
    [0, 'audit', 'list'],
    [0, 'quarantine', 'list'],
    [0, 'quarantine', 'replay'],
    [0, 'secrets', 'rotate'],
    [0, 'artifact', 'list', 'acme/shop'],
    [1, 'artifact', 'remove', 'acme/shop', 'a'.repeat(40)],
    [0, 'doctor'],
    [0, 'prune'],
    [0, 'migrate'],
    [1, 'copy-store', '--to', 'mongodb://127.0.0.1:1/errgate?serverSelectionTimeoutMS=100'],
    [0, 'backup', join(folder, 'backup.db')],
    [0, 'restore', join(folder, 'backup.db')],
    [0, 'project', 'delete', 'acme/shop', '--yes'],
  ];
}

describe('every command of errgate', () => {
  let folder: string;
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
    folder = mkdtempSync(join(tmpdir(), 'errgate-warnings-'));
    writeFileSync(join(folder, 'token'), 'a-token');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('runs without a warning of Node.js, deprecated interfaces included', async () => {
    const target = await FakeTarget.start();
    try {
      const table = commands(folder, target.dsn);
      const run = table.map(([, ...args]) => args.join(' '));
      const untried = (await leafCommands()).filter(
        ({ name }) => !run.some((line) => `${line} `.startsWith(`${name} `)),
      );
      assert.deepEqual(untried, []);
      const env = programEnv({
        ERRGATE_DATA_DIR: join(folder, 'data'),
        ERRGATE_HOST: '127.0.0.1',
        ERRGATE_PORT: '0',
        ERRGATE_LOG_LEVEL: 'silent',
        ERRGATE_MIN_FREE_DISK: '1',
      });
      const args = [CHILD, JSON.stringify(table.map(([, ...each]) => each))];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
      const results = JSON.parse(stdout) as { code: number; printed: string }[];
      assert.deepEqual(
        results.map(({ code, printed }, index) => `${run[index]}: ${code === table[index]?.[0] ? code : printed}`),
        table.map(([code], index) => `${run[index]}: ${code}`),
      );
      assert.equal(stderr, '');
    } finally {
      await target.close();
    }
  }).timeout(120_000);
});
