import assert from 'node:assert/strict';
import type { Answer } from '../../support/app.ts';
import { givenPerson, givenProject, type Person } from '../../support/factories.ts';
import { invitationWorld } from '../../support/invitation-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

/** Otherwise a role by a group could be turned into one that outlasts the membership of the group. */
describeOnStores('people who give a role to themselves', (kind) => {
  const world = invitationWorld(kind);
  const as = (person: Person, method: string, path: string, body?: object): Promise<Answer> =>
    world.app.ask(method, `/api/v4${path}`, { token: person.token, ...(body === undefined ? {} : { body }) });

  it('are no members of a project or a group, nor invited by their address', async () => {
    const { store } = world.app;
    const administrator = await givenPerson(store, true);
    const group = await store.createGroup({ path: 'lasting', name: 'Lasting' });
    const project = await givenProject(store, { path: 'lasting/web' });
    const [owner, other] = [await givenPerson(store), await givenPerson(store)];
    for (const { user } of [owner, other]) await store.setGroupMember(group.id, user.id, 50);
    const path = `/projects/${project.id}`;
    const mine = { user_id: owner.user.id, access_level: 50 };
    const reason = { message: 'You cannot give a role to yourself: ask another member or an administrator' };
    const added = await as(owner, 'POST', `${path}/members`, mine);
    assert.deepEqual([added.status, added.json()], [409, reason]);
    const suggested = (await as(owner, 'GET', `${path}/member_suggestions`)).json() as { id: number }[];
    assert.deepEqual(suggested.map(({ id }) => id), [other.user.id]); // prettier-ignore
    const below = await store.createGroup({ path: `${group.path}/below`, name: 'Below' });
    assert.equal((await as(owner, 'POST', `/groups/${below.id}/members`, mine)).status, 409);

    // Also not by an invitation of the own address.
    const email = `own.${owner.user.id}@example.org`;
    await store.updateUser(owner.user.id, { email, emailConfirmed: true });
    const invited = (await as(owner, 'POST', `${path}/invitations`, { email, access_level: 50 })).json();
    assert.deepEqual(invited, { status: 'error', message: { [email]: 'You cannot give a role to yourself' } });
    assert.deepEqual(
      await store.listMembers(project.id).then((all) => all.map(({ origins }) => origins.length)),
      [1, 1],
    );

    for (const [to, place] of [
      [(level: 20) => store.setMember(project.id, owner.user.id, level), path],
      [(level: 20) => store.setGroupMember(below.id, owner.user.id, level), `/groups/${below.id}`],
    ] as const) {
      await to(20);
      const change = (level: number, who = owner) =>
        as(who, 'PUT', `${place}/members/${owner.user.id}`, { access_level: level });
      const raised = await change(30);
      assert.deepEqual([raised.status, raised.json()], [409, reason]);
      assert.equal((await change(10)).status, 200);
      assert.equal((await change(30, other)).status, 200);
      assert.equal((await as(owner, 'DELETE', `${place}/members/${owner.user.id}`)).status, 204);
    }
    const byAdministrator = { user_id: administrator.user.id, access_level: 20 };
    assert.equal((await as(administrator, 'POST', `${path}/members`, byAdministrator)).status, 201);
  });

  it('take up no invitation of their own', async () => {
    const token = await world.invited(world.newEmail(), 40, world.owner);
    const own = await world.open('/join', { token }, world.owner);
    assert.deepEqual(
      [own.status, own.json().message],
      [409, 'You made this invitation yourself: ask another member or an administrator.'],
    );
    assert.equal(await world.stateOf(token), 'open');
    const administrator = await givenPerson(world.app.store, true);
    const administrators = await world.invited(world.newEmail(), 40, administrator);
    assert.equal((await world.open('/join', { token: administrators }, administrator)).status, 200);
  });
});
