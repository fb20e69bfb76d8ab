import assert from 'node:assert/strict';
import { columns, type JsonObject, useCliSandbox } from '../../support/cli-sandbox.ts';

describe('errgate user, member and token', () => {
  const sandbox = useCliSandbox();

  describe('user', () => {
    it('is created with a generated password, listed, blocked and unblocked', async () => {
      const errgate = sandbox.current;
      const password = await errgate.done('user', 'create', 'ada', '--name', 'Ada L.', '--admin');
      assert.match(password, /^\w{20}$/);
      const created = await errgate.object('user', 'create', '--username', 'bob');
      assert.deepEqual(Object.keys(created), [
        'id',
        'username',
        'name',
        'admin',
        'blocked',
        'email',
        'created_at',
        'password',
      ]);
      assert.match(
        await errgate.done('user', 'list'),
        /^ID\s+USERNAME\s+NAME\s+ADMIN\s+BLOCKED\s+CREATED\n1\s+ada\s+Ada L\.\s+yes\s+no/,
      );
      await errgate.done('user', 'block', 'BOB');
      assert.deepEqual(columns(await errgate.list('user', 'list'), 'id', 'username', 'admin', 'blocked'), [
        [1, 'ada', true, false],
        [2, 'bob', false, true],
      ]);
      await errgate.done('user', 'block', '2', '--undo');
      assert.deepEqual(columns(await errgate.list('user', 'list'), 'blocked'), [[false], [false]]);
      await errgate.fails(1, /taken/, 'user', 'create', 'Ada');
      const eve = await errgate.object('user', 'create', 'eve', '--email', 'eve@shop.example');
      assert.equal(eve.email, 'eve@shop.example');
      await errgate.fails(2, /name@example\.org/, 'user', 'create', 'joe', '--email', 'joe');
    });

    it('is not blocked as the last administrator', async () => {
      const errgate = sandbox.current;
      await errgate.done('user', 'create', 'ada', '--admin');
      await errgate.done('user', 'create', 'bob');
      const last = /ada is the last administrator who is not blocked; .*--admin/;
      await errgate.fails(1, last, 'user', 'block', 'ada');
      await errgate.done('user', 'block', 'bob');
      await errgate.done('user', 'create', 'eve', '--admin');
      await errgate.done('user', 'block', 'ada');
      await errgate.done('user', 'block', 'ada');
      await errgate.fails(1, /eve is the last administrator/, 'user', 'block', 'eve');
      assert.deepEqual(columns(await errgate.list('user', 'list'), 'blocked'), [[true], [true], [false]]);
    });

    it('is allowed a password, whatever the configuration says, and follows it again', async () => {
      const errgate = sandbox.current;
      await errgate.done('user', 'create', 'ada', '--admin');
      assert.match(await errgate.done('user', 'allow-password', 'ADA'), /passwords of ada: allowed/);
      assert.match(await errgate.done('user', 'allow-password', '1', '--undo'), /as the configuration says/);
      await errgate.fails(1, /no user nobody/, 'user', 'allow-password', 'nobody');
    });

    it('gets a new password, generated or from standard input', async () => {
      const errgate = sandbox.current;
      await errgate.done('user', 'create', 'ada');
      assert.match(await errgate.done('user', 'password', 'ada'), /^\w{20}$/);
      const given = await errgate.runWith('correct horse\n', 'user', 'password', '1', '--password-stdin');
      assert.deepEqual([given.code, given.stdout], [0, '']);
      const short = await errgate.runWith('short\n', 'user', 'password', 'ada', '--password-stdin');
      assert.equal(short.code, 1);
      assert.match(short.stderr, /Password is too short \(minimum is 8 characters\)/);
      for (const command of [
        ['user', 'password', 'ada', '--password-stdin'],
        ['user', 'create', 'common', '--password-stdin'],
      ]) {
        const common = await errgate.runWith('Password123\n', ...command);
        assert.equal(common.code, 1);
        assert.match(common.stderr, /Password is one of the most common ones/);
      }
    });
  });

  it('manages members', async () => {
    const errgate = sandbox.current;
    await errgate.done('user', 'create', 'ada');
    await errgate.done('project', 'create', 'acme/shop');
    await errgate.done('member', 'add', 'acme/shop', 'ada', 'developer');
    await errgate.done('member', 'add', '--project', '1', '--user', '1', '--role', '40');
    assert.deepEqual(await errgate.list('member', 'list', 'acme/shop'), [
      {
        ...{ user_id: 1, username: 'ada', role: 'maintainer', access_level: 40 },
        origins: [{ kind: 'project', path: 'acme/shop', role: 'maintainer' }],
      },
    ]);
    assert.match(await errgate.done('member', 'list', '1'), /ada\s+maintainer/);
    await errgate.done('member', 'remove', 'acme/shop', 'ada');
    assert.equal(await errgate.done('member', 'list', '1'), '(none)');
  });

  it('manages tokens and shows each once', async () => {
    const errgate = sandbox.current;
    await errgate.done('user', 'create', 'ada');
    const token = await errgate.done(
      'token',
      'create',
      'ada',
      '--name',
      'ci',
      '--scopes',
      'read_api',
      '--expires',
      '30d',
    );
    assert.match(token, /^glpat-[\w-]{32}$/);
    const second = await errgate.object('token', 'create', '1');
    assert.match(String(second['token']), /^glpat-/);
    assert.equal(second['expires_at'], null);
    await errgate.done('token', 'revoke', '2');
    const listed = await errgate.done('token', 'list', '--user', 'ada', '--json');
    assert.doesNotMatch(listed, /glpat-/);
    const tokens = JSON.parse(listed) as JsonObject[];
    assert.deepEqual(columns(tokens, 'id', 'user_id', 'name', 'scopes'), [
      [1, 1, 'ci', ['read_api']],
      [2, 1, 'errgate', ['api']],
    ]);
    const [first = {}, revoked = {}] = tokens;
    assert.equal(first['revoked_at'], null);
    assert.equal(first['last_used_at'], null);
    assert.match(String(revoked['revoked_at']), /^\d{4}-/);
    assert.ok(Date.parse(String(first['expires_at'])) - Date.now() > 29 * 86_400_000);
  });

  it('makes tokens for build tools, of the first administrator or of a user, for the named projects', async () => {
    const errgate = sandbox.current;
    await errgate.done('user', 'create', 'bob');
    await errgate.done('project', 'create', 'acme/shop');
    await errgate.done('project', 'create', 'acme/web');
    await errgate.done('project', 'create', 'other/app');
    await errgate.fails(1, /no administrator/, 'token', 'create', '--scope', 'ci', '--project', 'acme/shop');
    await errgate.done('user', 'create', 'ada', '--admin');
    const both = ['--project', 'acme/shop', '--project', '2'];
    const made = await errgate.object('token', 'create', '--scope', 'ci', ...both);
    assert.match(String(made['token']), /^sntrys_[A-Za-z0-9+/=]+_[A-Za-z0-9+/]{43}$/);
    const facts = JSON.parse(Buffer.from(String(made['token']).split('_')[1] ?? '', 'base64').toString()) as JsonObject;
    assert.equal(facts['org'], 'acme');
    assert.deepEqual([made['user_id'], made['scopes']], [2, ['ci']]);
    assert.match(await errgate.done('token', 'create', 'bob', '--scope', 'ci', '--project', '1'), /^sntrys_/);
    const below = { ERRGATE_EXTERNAL_URL: 'https://example.com/errgate' };
    for (const [env, note] of [
      [below, /no address below a path: give them https:\/\/example\.com, and .* \/api\/0\//],
      [{ ERRGATE_EXTERNAL_URL: 'https://example.com/' }, /^(?!.*below a path)/s],
    ] as const) {
      Object.assign(errgate.env, env);
      const created = await errgate.run('token', 'create', '--scope', 'ci', '--project', '1');
      assert.deepEqual([created.code, created.stdout.slice(0, 7)], [0, 'sntrys_']);
      assert.match(created.stderr, note);
    }
    assert.doesNotMatch((await errgate.run('token', 'create', 'ada')).stderr, /below a path/);
    await errgate.fails(1, /one group/, 'token', 'create', '--scope', 'ci', '--project', '1', '--project', '3');
    await errgate.fails(2, /--scope ci needs --project/, 'token', 'create', '--scope', 'ci');
    await errgate.fails(2, /--project needs --scope ci/, 'token', 'create', 'bob', '--project', '1');
    await errgate.fails(2, /missing required argument 'user'/, 'token', 'create');
  });
});
