import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { leafCommands } from '../../support/cli-commands.ts';
import { givenSecondFactor } from '../../support/second-factor-data.ts';
import { columns, useCliSandbox, type CliSandbox } from '../../support/cli-sandbox.ts';

const PROJECT = 'acme/shop';

/** Commands that change something, with what makes them possible and the event that each adds. */
const CHANGES: Readonly<Record<string, readonly [event: string, ...args: readonly string[]]>> = {
  'user create': ['user_created', 'bob'],
  'user password': ['password_changed', 'ada'],
  'user allow-password': ['user_changed', 'ada'],
  'user block': ['user_blocked', 'eve'],
  'user reset-second-factor': ['second_factor_reset', 'eve'],
  'project create': ['project_created', 'acme/other'],
  'project set': ['project_changed', PROJECT, '--name', 'Shop'],
  'project delete': ['project_deleted', 'acme/gone', '--yes'],
  'group create': ['group_created', 'company'],
  'group set': ['group_changed', 'company', '--name', 'Company'],
  'group delete': ['group_deleted', 'company'],
  'member add': ['member_changed', PROJECT, 'ada', 'owner'],
  'member remove': ['member_removed', PROJECT, 'ada'],
  'invitation add': ['invitation_created', PROJECT, 'zoe@example.org', 'guest'],
  'invitation remove': ['invitation_withdrawn', PROJECT, 'zoe@example.org'],
  'token create': ['token_created', 'ada'],
  'token revoke': ['token_revoked', '1'],
  'key create': ['client_key_created', PROJECT],
  'key enable': ['client_key_changed', PROJECT, '1'],
  'key disable': ['client_key_changed', PROJECT, '1'],
  'key delete': ['client_key_deleted', PROJECT, '1'],
  'settings set': ['settings_changed', PROJECT, '--active', 'off'],
  'forward set': ['forwarding_changed', PROJECT, '--dsn', 'https://abc@tracker.example/7'],
  'forward remove': ['forwarding_ended', PROJECT],
};

/** Commands that need more than this test makes; the code of each is beside its own tests. */
const ELSEWHERE = new Set(['restore', 'artifact remove', 'import', 'import cancel', 'secrets rotate']);

/** Why the others are not in the log. */
const NOT: Readonly<Record<string, string>> = {
  serve: 'runs the service, which writes itself',
  'alert test': 'sends a message and changes nothing',
  'alert resend': 'sends a message, which the list of deliveries has',
  'send-test-event': 'sends an event, as SDKs do',
  prune: 'removes what the settings say',
  backup: 'makes a file',
  migrate: 'changes the form of the store alone',
  'copy-store': 'copies the whole store, with its log',
  export: 'reads',
  compare: 'reads',
  doctor: 'reads',
  'config list': 'reads',
};
const isReading = (name: string): boolean => / (list|show|status|deliveries|verify)$/.test(name);
/** Files of this machine, which the log in the store is not about. */
const isAboutFiles = (name: string): boolean => /^(journal|quarantine|config) /.test(name);

describe('audit log of the command line', () => {
  const sandbox = useCliSandbox();

  const events = (errgate: CliSandbox, ...options: string[]) => errgate.list('audit', 'list', ...options);

  it('has an event of each command that changes something, and says why the others have none', async () => {
    const errgate = sandbox.current;
    errgate.env = { ...errgate.env, ERRGATE_SECRET_KEY: 'ab'.repeat(32) };
    for (const user of ['ada', 'eve']) await errgate.done('user', 'create', user, '--admin');
    for (const path of [PROJECT, 'acme/gone']) await errgate.done('project', 'create', path);
    await errgate.done('settings', 'set', PROJECT, '--active', 'on', '--integrated', 'on');
    await errgate.done('member', 'add', PROJECT, 'ada', 'guest');
    const store = await openStore({ url: 'sqlite:', dataDir: join(errgate.folder, 'data') });
    await givenSecondFactor(store, (await store.userByName('eve'))?.id ?? 0);
    await store.close();
    const names = (await leafCommands()).map(({ name }) => name);
    const unknown = names.filter(
      (name) => !(name in CHANGES) && !(name in NOT) && !ELSEWHERE.has(name) && !isReading(name) && !isAboutFiles(name),
    );
    assert.deepEqual(unknown, [], 'a new command belongs into one of the lists');
    const author = `CLI (${userInfo().username})`;
    for (const [name, [event, ...args]] of Object.entries(CHANGES)) {
      const before = (await events(errgate, '--limit', '1000')).length;
      const { stdout } = await errgate.run(...name.split(' '), ...args);
      const [newest, ...others] = await events(errgate, '--limit', '1000');
      assert.equal(others.length, before, `${name}: one event more`);
      assert.deepEqual(
        [newest?.event, newest?.outcome, newest?.author_id, newest?.author, newest?.address],
        [event, 'done', null, author, null],
        name,
      );
      const secret = stdout.trim().split('\n').at(-1) ?? '';
      if (/create|password/.test(name) && secret !== '') assert.ok(!JSON.stringify(newest).includes(secret), name);
    }
    const text = JSON.stringify(await events(errgate, '--limit', '1000'));
    assert.doesNotMatch(text, /glet-|glet_|abc@|scrypt/);
  });

  it('lists events by project, user and name, with what was changed', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', PROJECT);
    await errgate.done('project', 'set', PROJECT, '--visibility', 'public');
    const [changed, ...others] = await events(errgate, '--project', PROJECT, '--event', 'project_changed');
    assert.deepEqual(others, []);
    assert.deepEqual((changed?.details as { changes: unknown }).changes, [
      { name: 'visibility', from: 'private', to: 'public' },
    ]);
    assert.match(
      await errgate.done('audit', 'list', '--limit', '1'),
      /^AT\s+EVENT\s+OUTCOME\s+BY\s+FROM\s+OF\s+WHAT\n/,
    );
    assert.deepEqual(columns(await events(errgate, '--project', PROJECT), 'event'), [
      ['project_changed'],
      ['project_created'],
    ]);
    await errgate.fails(1, /no user nobody/, 'audit', 'list', '--user', 'nobody');
    await errgate.fails(2, /--event/, 'audit', 'list', '--event', 'nothing');
  });

  it('of a restored store says that it was restored', async () => {
    const errgate = sandbox.current;
    await errgate.done('user', 'create', 'ada');
    const file = `${errgate.folder}/ours.db`;
    await errgate.done('backup', file);
    await errgate.done('user', 'create', 'bob');
    await errgate.done('restore', file);
    assert.deepEqual(columns(await events(errgate), 'event', 'target', 'outcome'), [
      ['store_restored', 'ours.db', 'done'],
      ['user_created', 'ada', 'done'],
    ]);
  });

  it('has a change that failed', async () => {
    const errgate = sandbox.current;
    await errgate.done('user', 'create', 'ada');
    await errgate.done('project', 'create', PROJECT);
    await errgate.fails(1, /not a member/, 'member', 'remove', PROJECT, 'ada');
    const [event] = await events(errgate);
    assert.deepEqual([event?.event, event?.outcome], ['member_removed', 'failed']);
  });
});
