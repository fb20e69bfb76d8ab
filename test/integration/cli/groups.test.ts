import assert from 'node:assert/strict';
import { columns, useCliSandbox } from '../../support/cli-sandbox.ts';

describe('errgate group', () => {
  const sandbox = useCliSandbox();

  it('makes, lists, changes, moves and deletes groups', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/team/shop');
    const made = await errgate.object('group', 'create', 'Acme', '--name', 'ACME', '--description', 'Ours.');
    const inherited = { default_visibility: 'inherit', default_error_tracking: 'inherit', default_alerts: 'inherit' };
    assert.deepEqual(
      { ...made, created_at: null },
      { ...{ id: 1, path: 'Acme', name: 'ACME', description: 'Ours.', created_at: null }, ...inherited },
    );
    await errgate.fails(1, /is taken/, 'group', 'create', 'acme');
    await errgate.fails(1, /taken by a project/, 'group', 'create', 'acme/team/shop');
    const isProject = /acme\/team\/shop is a project, and nothing can be below it/;
    await errgate.fails(1, isProject, 'group', 'create', 'acme/team/shop/inner');
    await errgate.fails(1, isProject, 'group', 'set', 'acme', '--path', 'acme/team/shop/inner');
    await errgate.fails(1, isProject, 'project', 'create', 'acme/team/shop/inner');
    await errgate.fails(1, /a group has the path/, 'project', 'create', 'acme/team');
    await errgate.fails(2, /not digits alone/, 'group', 'create', '12');
    assert.deepEqual(columns(await errgate.list('group', 'list'), 'id', 'path', 'name'), [
      [1, 'Acme', 'ACME'],
      [null, 'acme/team', 'team'],
    ]);
    assert.match(await errgate.done('group', 'list'), /^- +acme\/team +team/m);

    await errgate.done('group', 'set', '1', '--name', 'Acme', '--description', '', '--path', 'company');
    // One that was never made is made by its first change.
    await errgate.done('group', 'set', 'company/team', '--name', 'Team');
    assert.deepEqual(columns(await errgate.list('group', 'list'), 'id', 'path', 'name', 'description'), [
      [1, 'company', 'Acme', null],
      [3, 'company/team', 'Team', null],
    ]);
    assert.deepEqual(columns(await errgate.list('project', 'list'), 'path'), [['company/team/shop']]);
    await errgate.done('group', 'set', '1', '--default-visibility', 'public', '--default-error-tracking', 'enabled');
    const project = await errgate.object('project', 'create', 'company/new');
    assert.equal(project.visibility, 'public');
    assert.equal((await errgate.object('settings', 'show', 'company/new')).active, true);
    await errgate.done('project', 'delete', 'company/new', '--yes');
    await errgate.fails(2, /Allowed choices/, 'group', 'set', '1', '--default-alerts', 'never');
    await errgate.fails(1, /below itself/, 'group', 'set', '1', '--path', 'company/team/company');
    await errgate.fails(2, /at least one option/, 'group', 'set', '1');
    await errgate.fails(1, /no group nothing/, 'group', 'set', 'nothing', '--name', 'x');
    await errgate.fails(1, /has 1 project/, 'group', 'delete', 'company');
    await errgate.done('project', 'delete', 'company/team/shop', '--yes');
    await errgate.done('group', 'delete', 'company/team');
    assert.equal(await errgate.done('group', 'delete', '1'), 'deleted group company');
    assert.equal(await errgate.done('group', 'list'), '(none)');
  });

  it('has members, whose roles hold in the projects', async () => {
    const errgate = sandbox.current;
    for (const name of ['ada', 'bob']) await errgate.done('user', 'create', name);
    await errgate.done('project', 'create', 'acme/team/shop');
    assert.equal(await errgate.done('member', 'add', 'acme', 'ada', 'owner'), 'ada is owner of acme');
    await errgate.done('member', 'add', 'acme/team', 'bob', 'guest');
    await errgate.done('member', 'add', 'acme/team/shop', 'bob', 'developer');
    assert.deepEqual(await errgate.list('member', 'list', 'acme/team/shop'), [
      {
        ...{ user_id: 1, username: 'ada', role: 'owner', access_level: 50 },
        origins: [{ kind: 'group', path: 'acme', role: 'owner' }],
      },
      {
        ...{ user_id: 2, username: 'bob', role: 'developer', access_level: 30 },
        origins: [
          { kind: 'project', path: 'acme/team/shop', role: 'developer' },
          { kind: 'group', path: 'acme/team', role: 'guest' },
        ],
      },
    ]);
    assert.match(await errgate.done('member', 'list', 'acme/team'), /bob +guest +group acme\/team \(guest\)$/m);
    await errgate.fails(1, /not a member of acme\/team\/shop itself/, 'member', 'remove', 'acme/team/shop', 'ada');
    await errgate.fails(1, /last owner/, 'member', 'remove', 'acme', 'ada');
    await errgate.done('member', 'remove', 'acme/team', 'bob');
    assert.deepEqual(columns(await errgate.list('member', 'list', 'acme/team'), 'username'), [['ada']]);
    const events = await errgate.list('audit', 'list');
    assert.deepEqual(
      columns(events, 'entity_type', 'entity_path')
        .slice(0, 2)
        .map(([type, path]) => `${String(type)} ${String(path)}`),
      ['Group acme/team', 'Group acme'],
    );
  });
});
