import assert from 'node:assert/strict';
import { columns, useCliSandbox } from '../../support/cli-sandbox.ts';

describe('errgate project, key and settings', () => {
  const sandbox = useCliSandbox();

  describe('project', () => {
    it('is created, changed, listed and deleted', async () => {
      const errgate = sandbox.current;
      await errgate.done('project', 'create', '--path', 'acme/shop');
      const second = await errgate.object(
        'project',
        'create',
        'acme/web',
        '--visibility',
        'public',
        '--monitor',
        'off',
        '--name',
        'Web',
      );
      assert.deepEqual(
        { ...second, created_at: null },
        { id: 2, path: 'acme/web', name: 'Web', visibility: 'public', monitor: false, created_at: null, alias_ids: [] },
      );
      await errgate.done(
        'project',
        'set',
        'acme/web',
        '--monitor',
        'on',
        '--path',
        'acme/site',
        '--visibility',
        'private',
      );
      assert.deepEqual(columns(await errgate.list('project', 'list'), 'id', 'path', 'name', 'visibility', 'monitor'), [
        [1, 'acme/shop', 'shop', 'private', true],
        [2, 'acme/site', 'Web', 'private', true],
      ]);
      await errgate.fails(1, /taken/, 'project', 'create', 'Acme/Shop');
      await errgate.fails(1, /taken/, 'project', 'set', '2', '--path', 'acme/shop');
      await errgate.fails(2, /there is no terminal/, 'project', 'delete', 'acme/site');
      assert.equal((await errgate.list('project', 'list')).length, 2);
      await errgate.done('project', 'delete', 'acme/site', '--yes');
      assert.equal((await errgate.list('project', 'list')).length, 1);
    });

    it('has ids of other trackers, also the same as another project', async () => {
      const errgate = sandbox.current;
      await errgate.done('project', 'create', 'acme/shop', '--alias-id', '4711', '--alias-id', 'old-shop');
      await errgate.done('project', 'set', 'acme/shop', '--alias-id', '4711');
      await errgate.done('project', 'create', 'acme/web', '--alias-id', '4711', '--alias-id', '1');
      await errgate.fails(2, /64 letters/, 'project', 'set', 'acme/web', '--alias-id', 'a.b');
      assert.deepEqual(columns(await errgate.list('project', 'list'), 'id', 'alias_ids'), [
        [1, ['4711', 'old-shop']],
        [2, ['1', '4711']],
      ]);
    });
  });

  it('manages client keys, also those of another tracker', async () => {
    const errgate = sandbox.current;
    errgate.env['ERRGATE_EXTERNAL_URL'] = 'https://errors.example.com/sub';
    await errgate.done('project', 'create', 'acme/shop');
    await errgate.done('project', 'create', 'acme/web');
    const dsn = await errgate.done('key', 'create', 'acme/shop');
    assert.match(dsn, /^https:\/\/glet_[0-9a-f]{32}@errors\.example\.com\/sub\/errortracking\/api\/v1\/projects\/1$/);
    await errgate.done('key', 'create', '--project', 'acme/shop', '--public-key', 'OLD_key1');
    await errgate.fails(1, /already in use/, 'key', 'create', 'acme/web', '--public-key', 'OLD_key1');
    await errgate.done('key', 'disable', 'acme/shop', '2');
    assert.deepEqual((await errgate.list('key', 'list', '1'))[1], {
      id: 2,
      active: false,
      public_key: 'OLD_key1',
      thirdparty_dsn: 'https://OLD_key1@errors.example.com/sub/errortracking/api/v1/projects/1',
    });
    await errgate.done('key', 'enable', 'acme/shop', '2');
    assert.equal((await errgate.list('key', 'list', '1'))[1]?.['active'], true);
    await errgate.fails(1, /acme\/web has no key 2/, 'key', 'delete', 'acme/web', '2');
    await errgate.done('key', 'delete', 'acme/shop', '2');
    assert.equal((await errgate.list('key', 'list', '1')).length, 1);
  });

  it('sets error tracking by the rules of the API', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const settings = {
      active: true,
      project_name: null,
      thirdparty_external_url: null,
      api_url: null,
      integrated: true,
    };
    assert.deepEqual(
      await errgate.object('settings', 'set', 'acme/shop', '--active', 'on', '--integrated', 'on'),
      settings,
    );
    assert.deepEqual(await errgate.object('settings', 'show', 'acme/shop'), settings);
    assert.equal((await errgate.list('key', 'list', 'acme/shop')).length, 1, 'the first key is made');
    await errgate.done('settings', 'set', '1', '--active', 'on');
    assert.equal((await errgate.list('key', 'list', 'acme/shop')).length, 1, 'but no second one');
    await errgate.fails(
      1,
      /Api url is a required field, Token is a required field/,
      'settings',
      'set',
      '1',
      '--integrated',
      'off',
    );
    assert.match(await errgate.done('settings', 'set', '1', '--active', 'off', '--integrated', 'off'), /not active/);
    errgate.env['ERRGATE_INTEGRATED_ENABLED'] = 'false';
    await errgate.fails(1, /not offered/, 'settings', 'set', '1', '--integrated', 'on');
  });
});
