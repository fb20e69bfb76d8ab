import assert from 'node:assert/strict';
import { columns, useCliSandbox } from '../../support/cli-sandbox.ts';

describe('errgate invitation', () => {
  const sandbox = useCliSandbox();

  it('invites to a project or a group, lists and withdraws', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/team/shop');
    const link = await errgate.done('invitation', 'add', 'acme/team/shop', 'Grace@shop.test', 'developer');
    assert.match(link, /^http:\/\/localhost:\d+\/-\/invitations\/[\w-]{43}$/);
    await errgate.fails(1, /grace@shop\.test: Invite email has already been taken/, 'invitation', 'add', '1', 'grace@shop.test', 'guest'); // prettier-ignore
    const listed = await errgate.list('invitation', 'list', 'acme/team/shop');
    assert.deepEqual(columns(listed, 'email', 'role', 'expired', 'sent_at'), [
      ['grace@shop.test', 'developer', false, null],
    ]);
    assert.match(await errgate.done('invitation', 'list', '1'), /^EMAIL\s+ROLE\s+EXPIRES/);

    // A group that was never made is made by its first invitation.
    assert.equal(await errgate.done('invitation', 'list', 'acme/team'), '(none)');
    const made = await errgate.object('invitation', 'add', 'acme/team', 'bob@shop.test', 'owner');
    assert.deepEqual([made.email, made.role], ['bob@shop.test', 'owner']);
    assert.equal((await errgate.list('invitation', 'list', 'acme/team')).length, 1);
    assert.equal(
      await errgate.done('invitation', 'remove', 'acme/team', 'BOB@shop.test'),
      'withdrew the invitation of bob@shop.test to acme/team',
    );
    await errgate.fails(1, /acme\/team has no invitation of bob/, 'invitation', 'remove', 'acme/team', 'bob@shop.test');
    await errgate.fails(2, /name@example\.org/, 'invitation', 'add', '1', 'bob', 'guest');
  });

  it('makes a member of who has an account with the address', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    await errgate.done('user', 'create', 'ada', '--email', 'ada@shop.test');
    assert.equal(
      await errgate.done('invitation', 'add', 'acme/shop', 'ada@shop.test', 'reporter'),
      'ada@shop.test has an account, and is reporter of acme/shop now',
    );
    assert.deepEqual(columns(await errgate.list('member', 'list', 'acme/shop'), 'username', 'role'), [
      ['ada', 'reporter'],
    ]);
    await errgate.fails(1, /Already a member/, 'invitation', 'add', 'acme/shop', 'ada@shop.test', 'owner');
    const events = columns(await errgate.list('audit', 'list'), 'event', 'outcome').slice(0, 3);
    assert.deepEqual(events, [
      ['invitation_created', 'failed'],
      ['member_added', 'done'],
      ['invitation_created', 'done'],
    ]);
  });
});
