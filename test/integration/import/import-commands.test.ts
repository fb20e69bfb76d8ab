import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SourceProject } from '../../support/fake-source/source-records.ts';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { bodyOf, eventIdFor } from '../../support/import-shop.ts';
import { keptMembers } from '../../support/kept-members.ts';
import { IMPORT_TOKEN, liveEvent } from '../../support/import-world.ts';
import { TestJournal } from '../../support/store-data.ts';

const DAY = 86_400_000;

describe('errgate import and compare', () => {
  const sandbox = useCliSandbox();
  let source: FakeSource;
  let shop: SourceProject;

  beforeEach(async () => {
    source = await startFakeSource('sentry');
    source.world.addToken(IMPORT_TOKEN);
    shop = source.world.addProject('shop', { id: '1' });
    source.world.addIssues(shop, 12);
    sandbox.current.env['ERRGATE_OUTBOUND_ALLOW'] = '127.0.0.1';
    sandbox.current.env['ERRGATE_IMPORT_TOKEN'] = IMPORT_TOKEN;
  });

  afterEach(() => source.close());

  const from = (): string[] => ['--url', source.origin, '--org', 'acme'];

  it('exits with 2 for wrong usage', async () => {
    const errgate = sandbox.current;
    await errgate.fails(2, /--url/, 'import', '--org', 'acme');
    await errgate.fails(2, /--org/, 'import', '--url', source.origin);
    await errgate.fails(2, /https:\/\/sentry.example.com/, 'import', '--url', 'old');
    await errgate.fails(2, /Use group\/name/, 'import', ...from(), '--project', 'shop=alone');
    await errgate.fails(2, /0 to 100/, 'import', ...from(), '--events', '101');
    await errgate.fails(2, /Use keys, projects/, 'import', ...from(), '--only', 'people');
    await errgate.fails(2, /2027-01-31/, 'import', ...from(), '--both-receive', 'soon');
    await errgate.fails(2, /Allowed choices are auto, sentry/, 'import', ...from(), '--kind', 'other');
    await errgate.fails(2, /cannot be read/, 'import', ...from(), '--token-file', join(errgate.folder, 'none'));
    delete errgate.env['ERRGATE_IMPORT_TOKEN'];
    await errgate.fails(2, /ERRGATE_IMPORT_TOKEN/, 'import', ...from());
  });

  it('shows what would come along, and changes nothing', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'mine/own');
    await errgate.done('key', 'create', 'mine/own', '--public-key', shop.keys[0]!.publicKey);
    source.world.addKey(shop, { active: false, rateLimit: { window: 60, count: 100 } });
    shop.rules.push({ name: 'Many errors', condition: 'more than 100 events', action: 'mail' });
    Object.assign(shop.features, {
      hasMonitors: true,
      hasReplays: true,
      hasProfiles: false,
      firstTransactionEvent: true,
    });
    const text = await errgate.done('import', ...from(), '--dry-run');
    assert.match(text, /shop\s+acme\/shop\s+no\s+2\s+1\s+12/);
    assert.match(text, /12 errors; it takes about \d+ s/);
    assert.match(text, /key "Key 1" belongs to another project here/);
    assert.match(text, /shop: alert rule: Many errors; when more than 100 events; then mail/);
    for (const used of ['crons', 'replays', 'performance']) assert.match(text, new RegExp(`shop: ${used}: errgate`));
    assert.doesNotMatch(text, /profiles/);
    assert.match(text, /limit of key "Key 2": 100 events in 60 s/);
    const run = JSON.parse(await errgate.done('import', ...from(), '--dry-run', '--json')) as Record<string, unknown>;
    assert.deepEqual([run.kind, run.errors, run.errors_complete, run.keys], ['sentry', 12, true, 2]);
    assert.equal((await errgate.list('project', 'list')).length, 1);
    source.assertClean();
  });

  it('lists the members of the organization, with the users that exist here, and invites none', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'mine/own');
    const store = await openStore({ url: 'sqlite:', dataDir: errgate.env['ERRGATE_DATA_DIR'] ?? '' });
    const user = { name: 'x', admin: false, passwordHash: 'x' };
    try {
      await store.createUser({ ...user, username: 'ada', email: 'Ada@shop.example' });
    } finally {
      await store.close();
    }
    source.world.members.push(
      { email: 'ada@shop.example', name: 'Ada', role: 'owner' },
      { email: 'bob@shop.example', name: 'bob@shop.example', role: 'member' },
    );
    const members = [
      { email: 'ada@shop.example', name: 'Ada', role: 'owner', username: 'ada' },
      { email: 'bob@shop.example', name: null, role: 'member', username: null },
    ];
    for (const more of [['--dry-run'], []]) {
      const text = await errgate.done('import', ...from(), ...more);
      assert.match(text, /Ada <ada@shop.example>, owner there: user ada here/);
      assert.match(text, /bob@shop.example, member there: no user here/);
      const lines = (await errgate.done('import', ...from(), ...more, '--json')).trim().split('\n');
      const report = JSON.parse(more.length > 0 ? lines.join('\n') : (lines.at(-1) ?? '')) as Record<string, unknown>;
      assert.deepEqual(report['members'], members);
      source.world.addToken(IMPORT_TOKEN, [
        'org:read',
        'project:read',
        'event:read',
        'project:releases',
        'alerts:read',
      ]);
      const { code, stdout: without } = await errgate.run('import', ...from(), ...more);
      assert.match(without, /members: the token lacks the scope member:read/);
      // A run that leaves something ends with 1, and says so at its end.
      assert.equal(code, more.length > 0 ? 0 : 1);
      if (more.length === 0) assert.match(without, /\nincomplete: 1 left: members; [^\n]+\n$/);
      assert.doesNotMatch(without, /ada@shop/);
      source.world.addToken(IMPORT_TOKEN);
      source.fail(faults.status(400), /members/);
      assert.match((await errgate.run('import', ...from(), ...more)).stdout, /members: .*400/);
      source.heal();
    }
    assert.equal((await errgate.list('user', 'list')).length, 1);
    source.assertClean();
    const { 'mine/own': own, ...imported } = Object.fromEntries(
      await keptMembers(errgate.env['ERRGATE_DATA_DIR'] ?? ''),
    );
    assert.deepEqual(own, []);
    assert.ok(Object.keys(imported).length > 0);
    for (const kept of Object.values(imported)) assert.deepEqual(kept, ['ada@shop.example', 'bob@shop.example']);
  });

  it('fails for a project that is not there, also in a dry run', async () => {
    const errgate = sandbox.current;
    const { code, stdout } = await errgate.run('import', ...from(), '--project', 'shpo', '--dry-run');
    assert.equal(code, 1);
    assert.match(stdout, /shpo: the organization has no such project/);
    assert.doesNotMatch(stdout, /without --dry-run/);
  });

  it('shows it before the first start too, and makes no data dir', async () => {
    const errgate = sandbox.current;
    const dataDir = join(errgate.folder, 'never-started');
    errgate.env['ERRGATE_DATA_DIR'] = dataDir;
    assert.match(await errgate.done('import', ...from(), '--dry-run'), /shop\s+acme\/shop\s+no\s+1\s+0\s+12/);
    assert.ok(!existsSync(dataDir));
  });

  it('says what to do with the options of the command', async () => {
    const errgate = sandbox.current;
    await errgate.fails(
      1,
      /check --url, --org and --project/,
      'import',
      '--url',
      source.origin,
      '--org',
      'none',
      '--dry-run',
    );
    const failed = await errgate.run('import', '--url', source.origin, '--org', 'none');
    assert.match(failed.stdout, /failed: .*check --url, --org and --project/);
    errgate.env['ERRGATE_IMPORT_TOKEN'] = 'wrong';
    await errgate.fails(1, /set ERRGATE_IMPORT_TOKEN or name a file with --token-file/, 'import', ...from());
    errgate.env['ERRGATE_OUTBOUND_ALLOW'] = '';
    await errgate.fails(1, /set ERRGATE_OUTBOUND_ALLOW=127.0.0.1:\d+ for this command/, 'import', ...from());
  });

  it('imports, tells its stages as JSON, and says later how far it is', async () => {
    const errgate = sandbox.current;
    const lines = (await errgate.done('import', ...from(), '--project', 'shop=team/store', '--json'))
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const summary = lines.pop();
    assert.deepEqual(lines.map(({ project, stage, done }) => [project, stage, done]).slice(0, 3), [
      ['shop', 'releases', 0],
      ['shop', 'errors', 12],
      ['shop', 'events', 12],
    ]);
    assert.deepEqual([summary?.state, summary?.complete, summary?.imported], ['done', true, 12]);
    assert.deepEqual(
      (await errgate.list('project', 'list')).map(({ path, alias_ids }) => [path, alias_ids]),
      [['team/store', []]],
    );
    const [status] = await errgate.list('import', 'status');
    assert.deepEqual([status?.state, status?.imported], ['done', 12]);
    assert.deepEqual([status?.version, status?.cannot], [summary?.version, summary?.cannot]);
    assert.equal(typeof status?.version, 'string');
    assert.match(await errgate.done('import', 'status'), /acme\s+done/);
    await errgate.fails(1, /no import is running/, 'import', 'cancel');
  });

  it('takes the token from a file, and never shows it', async () => {
    const errgate = sandbox.current;
    delete errgate.env['ERRGATE_IMPORT_TOKEN'];
    const file = join(errgate.folder, 'token');
    writeFileSync(file, `${IMPORT_TOKEN}\n`);
    const text = await errgate.done('import', ...from(), '--token-file', file);
    assert.match(text, /done: everything was imported/);
    assert.match(text, /unjoined: no live event leads to 12 errors yet/);
    source.world.revoke(IMPORT_TOKEN);
    const refused = await errgate.run('import', ...from(), '--token-file', file);
    assert.equal(refused.code, 1);
    assert.ok(!(text + refused.stdout + refused.stderr).includes(IMPORT_TOKEN));
  });

  it('refuses a project that is named twice, and two projects onto one path', async () => {
    const errgate = sandbox.current;
    const named = (...texts: string[]) => texts.flatMap((text) => ['--project', text]);
    const twice = /X is named twice: its history goes to one project/;
    await errgate.fails(2, twice, 'import', ...from(), ...named('x=a/one', 'X=a/two'));
    const merged = /x goes to A\/One already, .* choose another path/;
    await errgate.fails(2, merged, 'import', ...from(), ...named('x=a/one', 'y=A/One'));
    assert.deepEqual(source.requests, []);
  });

  it('refuses a chosen path that is the default of another project, before anything is imported', async () => {
    const errgate = sandbox.current;
    source.world.addProject('till', { id: '2' });
    const chosen = ['--project', 'shop=acme/till', '--project', 'till'];
    const refusal = /shop and till would both go to acme\/till, .* as in --project till=group\/name/;
    const run = await errgate.run('import', ...from(), ...chosen);
    assert.equal(run.code, 1);
    assert.match(run.stdout, refusal);
    const dry = await errgate.run('import', ...from(), ...chosen, '--dry-run');
    assert.equal(dry.code, 1);
    assert.match(dry.stdout, refusal);
    assert.deepEqual(await errgate.list('project', 'list'), []);
    await errgate.done('import', ...from(), '--project', 'shop=acme/till');
    // An import of all projects meets the path of the earlier one.
    assert.match((await errgate.run('import', ...from())).stdout, refusal);
    await errgate.done('import', ...from(), '--project', 'till=acme/other');
    await errgate.done('import', ...from());
  });

  it('status warns of live events that no rule accounts for, with their number', async () => {
    const errgate = sandbox.current;
    const till = source.world.addProject('till', { id: '2' });
    source.world.addIssue(till, { bodies: [{ body: bodyOf('a') }] });
    await errgate.done('import', ...from(), '--project', 'till');
    const store = await openStore({ url: 'sqlite:', dataDir: errgate.env['ERRGATE_DATA_DIR'] ?? '' });
    try {
      const found = await store.projectByPath('acme/till');
      for (const name of ['1', '2', '3']) {
        await liveEvent(store, found?.project ?? assert.fail(), bodyOf('a'), eventIdFor(name));
      }
    } finally {
      await store.close();
    }
    const warning = /^acme\/till: 3 live events came here without forwarding, .*--both-receive/;
    const [status] = await errgate.list('import', 'status');
    assert.match((status?.warnings as string[]).join(), warning);
    assert.match((await errgate.run('import', 'status')).stderr, /acme\/till: 3 live events/);
  });

  it('says that an import before the first start leaves no administrator, and what to do', async () => {
    const errgate = sandbox.current;
    const warning = /there is no administrator, .* `errgate user create <username> --admin`/;
    assert.match((await errgate.run('import', ...from())).stderr, warning);
    const store = await openStore({ url: 'sqlite:', dataDir: errgate.env['ERRGATE_DATA_DIR'] ?? '' });
    try {
      const user = { name: 'x', passwordHash: 'x', email: null };
      await store.createUser({ ...user, username: 'reader', admin: false });
      assert.match((await errgate.run('import', ...from())).stderr, warning);
      await store.createUser({ ...user, username: 'root', admin: true });
    } finally {
      await store.close();
    }
    assert.doesNotMatch((await errgate.run('import', ...from())).stderr, warning);
  });

  it('exits with 1 when something is left, and says what', async () => {
    const errgate = sandbox.current;
    source.world.addToken(IMPORT_TOKEN, ['org:read', 'project:read']);
    const { code, stdout } = await errgate.run('import', ...from());
    assert.equal(code, 1);
    assert.match(stdout, /scope event:read/);
    assert.match(stdout, /\nincomplete: 2 left: members, issues of shop; [^\n]+\n$/);
  });

  it('compares events per day and joined errors', async () => {
    const errgate = sandbox.current;
    await errgate.done('import', ...from());
    const [compared] = await errgate.list('compare', ...from());
    assert.deepEqual([compared?.project, compared?.path], ['shop', 'acme/shop']);
    const errors = compared?.errors as Record<string, number>;
    assert.equal(errors.imported, 12);
    assert.equal(errors.none! + errors.group_key!, 12);
    const days = compared?.days as { readonly theirs: number; readonly ours: number; readonly here: string }[];
    assert.deepEqual(
      days.map(({ here }) => here),
      [...Array.from({ length: 13 }, () => 'none'), 'part'],
      'no event came here before the import',
    );
    assert.ok(days.some(({ theirs, ours }) => theirs > 0 && ours === 0));
    const text = await errgate.done('compare', ...from());
    assert.match(text, /imported/);
    assert.doesNotMatch(text, /-\d+ *[│|]? *$/m, 'imported history is no loss');
    assert.match(text, /errors: 12 imported; joined by event id 0/);
  });

  it('compares the days since the first own event', async () => {
    const errgate = sandbox.current;
    await errgate.done('import', ...from());
    const store = await openStore({ url: 'sqlite:', dataDir: errgate.dataDir });
    const project = (await store.projectByPath('acme/shop'))?.project;
    const noon = Math.floor(Date.now() / DAY) * DAY - 3 * DAY + DAY / 2;
    const accepted = { category: 'error', outcome: 'accepted', reason: '' } as const;
    await new TestJournal(store).apply(
      [],
      [noon, noon + DAY].map((at) => ({ ...accepted, projectId: project?.id ?? 0, keyId: 1, at, quantity: 5 })),
    );
    await store.close();
    const [compared] = await errgate.list('compare', ...from());
    const days = compared?.days as { readonly ours: number; readonly here: string }[];
    assert.deepEqual(
      days.slice(-4).map(({ ours, here }) => [ours, here]),
      [
        [5, 'part'],
        [5, 'all'],
        [0, 'all'],
        [0, 'all'],
      ],
    );
    assert.ok(days.slice(0, -4).every(({ here }) => here === 'none'));
  });
});
