import assert from 'node:assert/strict';
import { ACCESS_LEVELS } from '../../../src/domain/projects/account.ts';
import { createTakingUp } from '../../../src/invitations/take-up.ts';
import { newToken } from '../../../src/invitations/invitation-token.ts';
import { listAudit } from '../../support/audit-data.ts';
import { headersOf } from '../../support/browser-session.ts';
import { givenMember, givenPerson, givenProject } from '../../support/factories.ts';
import { makeInvitation } from '../../support/invitation-data.ts';
import { invitationWorld, tokenOf } from '../../support/invitation-world.ts';
import { DAY } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('links of invitations', (kind) => {
  const world = invitationWorld(kind);

  describe('are taken up', () => {
    it('by a person who is signed in, once', async () => {
      const email = world.newEmail();
      const token = await world.invited(email);
      const person = await givenPerson(world.app.store);
      const read = await world.open('', { token });
      assert.deepEqual(read.json(), {
        state: 'open',
        invitation: {
          ...{
            kind: 'project',
            path: world.project.path,
            invite_email: email,
            access_level: 30,
            invited_by: world.maintainer.user.name,
          },
          expires_at: '2026-01-22T12:00:00.000Z',
        },
      });
      const joined = await world.open('/join', { token }, person);
      assert.deepEqual([joined.status, joined.json()], [200, { kind: 'project', path: world.project.path }]);
      assert.equal(await world.levelOf(person), 30);
      assert.equal(await world.stateOf(token), 'used');
      const other = await givenPerson(world.app.store);
      for (const again of [person, other]) {
        const refused = await world.open('/join', { token }, again);
        assert.deepEqual(
          [refused.status, refused.json().message],
          [409, 'This invitation was used already. Sign in, or ask for a new one.'],
        );
      }
      assert.equal(await world.levelOf(other), null);
      assert.deepEqual((await world.as(world.owner, 'GET')).json(), [], 'not listed any more');
      assert.equal((await world.as(world.owner, 'PUT', `/${email}`, { access_level: 40 })).status, 404);
      assert.equal((await world.as(world.owner, 'DELETE', `/${email}`)).status, 404);
    });

    it('by one of two people at once, who gets the only membership', async () => {
      const token = await world.invited(world.newEmail());
      const people = await Promise.all([1, 2, 3].map(() => givenPerson(world.app.store)));
      const answers = await Promise.all(people.map((person) => world.open('/join', { token }, person)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
      const levels = await Promise.all(people.map((person) => world.levelOf(person)));
      assert.deepEqual(levels.filter((level) => level !== null), [30]); // prettier-ignore
    });

    it('by a new account with username and password, which signs in afterwards', async () => {
      const email = world.newEmail();
      const token = await world.invited(email, 20);
      const account = { token, username: `grace${world.project.id}`, name: ' Grace H. ', password: 'long enough' };
      const made = await world.open('/account', account);
      assert.deepEqual(
        [made.status, made.json()],
        [201, { kind: 'project', path: world.project.path, username: account.username }],
      );
      const user = await world.app.store.userByName(account.username);
      assert.deepEqual([user?.email, user?.name, user?.admin], [email, 'Grace H.', false]);
      assert.equal(await world.app.store.accessLevel(world.project.id, user!.id), 20);
      const { username, password } = account;
      const signedIn = await world.app.ask('POST', '/-/session', { body: { username, password } });
      assert.deepEqual([signedIn.status, signedIn.json().must_change_password], [200, false]);
      const again = await world.open('/account', { ...account, username: `${username}x` });
      assert.equal(again.status, 409);
      assert.equal(await world.app.store.userByName(`${username}x`), null, 'no second account');
    });

    it('by one account of several that are made at once', async () => {
      const token = await world.invited(world.newEmail());
      const names = [1, 2, 3].map((at) => `twin${world.project.id}x${at}`);
      const answers = await Promise.all(
        names.map((username) => world.open('/account', { token, username, password: 'long enough' })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
      const made = await Promise.all(names.map((name) => world.app.store.userByName(name)));
      assert.equal(made.filter((user) => user !== null).length, 1);
    });

    it('not by an account with a wrong name or password; the link still works then', async () => {
      const token = await world.invited(world.newEmail());
      const taken = world.owner.user.username;
      for (const [account, status] of [
        [{ username: taken, password: 'long enough' }, 409],
        [{ username: '12', password: 'long enough' }, 400],
        [{ username: 'weak', password: 'short' }, 400],
        [{ username: 'weak', password: 'password1' }, 400],
      ] as const) {
        const refused = await world.open('/account', { token, ...account });
        assert.equal(refused.status, status, refused.text);
      }
      assert.equal(await world.app.store.userByName('weak'), null);
      assert.equal(await world.stateOf(token), 'open');
    });

    it('not by an account with a password where these are switched off', async () => {
      const { store, clock, auditTrail } = world.app;
      const before = world.app.deps.invitations;
      const token = await world.invited(world.newEmail());
      world.app.deps.invitations = {
        ...before,
        ...createTakingUp({ store, clock, auditTrail, passwordSignIn: false }),
      };
      const body = { token, username: `off${world.project.id}`, password: 'long enough' };
      const refused = await world.open('/account', body);
      world.app.deps.invitations = before;
      assert.deepEqual([refused.status, await store.userByName(body.username)], [409, null]);
    });

    it('not from another site', async () => {
      const token = await world.invited(world.newEmail());
      const body = { token, username: `site${world.project.id}`, password: 'long enough' };
      const refused = await world.app.ask('POST', '/-/invitation/account', {
        body,
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      });
      assert.deepEqual([refused.status, refused.json().code], [403, 'cross_site_request']);
    });

    it('only by a session with its token against forged requests', async () => {
      const token = await world.invited(world.newEmail());
      const user = await world.app.store.createUser({
        ...{ username: `csrf${world.project.id}`, name: 'C', admin: false, passwordHash: 'test$the password' },
      });
      const body = { username: user.username, password: 'the password' };
      const session = await world.app.ask('POST', '/-/session', { body });
      const headers = headersOf(session);
      const forged = { Cookie: headers.Cookie };
      const ask = (given: object) =>
        world.app.ask('POST', '/-/invitation/join', { body: { token }, headers: { ...given } });
      assert.equal((await ask(forged)).status, 403);
      assert.equal((await ask(headers)).status, 200);
    });

    it('without taking a higher role away', async () => {
      const email = world.newEmail();
      const token = await world.invited(email, 20);
      assert.equal((await world.open('/join', { token }, world.owner)).status, 200);
      assert.equal(await world.levelOf(world.owner), 50);
      assert.equal(await world.stateOf(token), 'used');
    });

    it('after a sign-on with a verified address: all of it, and no other', async () => {
      const email = world.newEmail();
      const [token, others] = [await world.invited(email, 30), await world.invited(world.newEmail())];
      const second = await givenProject(world.app.store);
      const draft = { email, accessLevel: 40, invitedBy: null, expiresAt: Date.UTC(2100, 0) } as const;
      await world.app.store.createInvitation(makeInvitation(second.id, draft));
      const { user } = await givenPerson(world.app.store);
      const places = await world.app.deps.invitations.takeUp(user, email.toUpperCase(), null);
      assert.deepEqual(
        places.map(({ projectId }) => projectId),
        [world.project.id, second.id],
      );
      const levels = await Promise.all(
        [world.project, second].map(({ id }) => world.app.store.accessLevel(id, user.id)),
      );
      assert.deepEqual(levels, [30, 40]);
      assert.deepEqual([await world.stateOf(token), await world.stateOf(others)], ['used', 'open']);
      assert.deepEqual(await world.app.deps.invitations.takeUp(user, email, null), []);
    });
  });

  describe('end', () => {
    const refusal = async (token: string) => {
      const answer = await world.open('/join', { token }, await givenPerson(world.app.store));
      return [answer.status, answer.json().message];
    };

    it('after their time', async () => {
      const token = await world.invited(world.newEmail());
      world.app.clock.at += 7 * DAY;
      assert.equal(await world.stateOf(token), 'expired');
      assert.deepEqual(await refusal(token), [409, 'This invitation has expired. Ask for a new one.']);
      const body = { token, username: `late${world.project.id}`, password: 'long enough' };
      assert.equal((await world.open('/account', body)).status, 409);
      const [listed] = (await world.as(world.owner, 'GET')).json();
      const renewed = await world.as(world.owner, 'POST', `/${listed.invite_email}/link`);
      assert.equal(await world.stateOf(tokenOf(renewed.json().url)), 'open');
    });

    it('when they are withdrawn', async () => {
      const email = world.newEmail();
      const token = await world.invited(email);
      assert.equal(
        (await world.as(world.maintainer, 'DELETE', `/${encodeURIComponent(email.toUpperCase())}`)).status,
        204,
      );
      assert.equal(await world.stateOf(token), 'unknown');
      assert.equal((await refusal(token))[0], 409);
      assert.equal((await world.as(world.maintainer, 'DELETE', `/${email}`)).status, 404);
    });

    it('when a newer link is made, which only its answer has', async () => {
      const email = world.newEmail();
      const token = await world.invited(email);
      const renewed = await world.as(world.maintainer, 'POST', `/${email}/link`);
      assert.deepEqual([renewed.status, renewed.json().invite_email], [201, email]);
      assert.deepEqual(
        [await world.stateOf(token), await world.stateOf(tokenOf(renewed.json().url))],
        ['unknown', 'open'],
      );
    });

    it('with the project, and go on when it moves', async () => {
      const token = await world.invited(world.newEmail());
      const path = `${world.project.path}-moved`;
      await world.app.store.updateProject(world.project.id, { path });
      assert.equal((await world.open('', { token })).json().invitation.path, path);
      await world.app.store.deleteProject(world.project.id);
      assert.equal(await world.stateOf(token), 'unknown');
      assert.equal((await refusal(token))[0], 409);
    });

    for (const [what, change] of [
      [
        'lost the role',
        () => world.app.store.setMember(world.project.id, world.maintainer.user.id, ACCESS_LEVELS.developer),
      ],
      ['left the project', () => world.app.store.removeMember(world.project.id, world.maintainer.user.id)],
      ['was blocked', () => world.app.store.setUserBlocked(world.maintainer.user.id, true)],
    ] as const) {
      it(`when who invited ${what}; another maintainer makes a new link`, async () => {
        const email = world.newEmail();
        const token = await world.invited(email);
        await change();
        assert.equal(await world.stateOf(token), 'refused');
        assert.deepEqual(await refusal(token), [
          409,
          'Whoever invited you may not give this role any more. Ask a maintainer for a new invitation.',
        ]);
        const renewed = await world.as(world.owner, 'POST', `/${email}/link`);
        assert.equal(await world.stateOf(tokenOf(renewed.json().url)), 'open');
      });
    }

    it('when who invited an owner is a maintainer now', async () => {
      const second = await givenMember(world.app.store, world.project, 'owner');
      const token = await world.invited(world.newEmail(), 50, second);
      await world.app.store.setMember(world.project.id, second.user.id, ACCESS_LEVELS.maintainer);
      assert.equal(await world.stateOf(token), 'refused');
    });
  });

  it('are in the audit log of the project, with who took them up, and without the link', async () => {
    const email = world.newEmail();
    const token = await world.invited(email, 20);
    await world.as(world.maintainer, 'POST', '', { email, access_level: 20 });
    await world.as(world.maintainer, 'PUT', `/${email}`, { access_level: 30 });
    const person = await givenPerson(world.app.store);
    await world.open('/join', { token }, person);
    await world.open('/join', { token }, person);
    const events = (await listAudit(world.app.store)).slice(0, 4).reverse();
    const { username } = world.maintainer.user;
    assert.deepEqual(
      events.map((event) => [event.event, event.outcome, event.authorName, event.targetName, event.entityPath]),
      [
        ['invitation_created', 'done', username, email, world.project.path],
        ['invitation_created', 'failed', username, email, world.project.path],
        ['invitation_changed', 'done', username, email, world.project.path],
        ['invitation_accepted', 'done', person.user.username, person.user.username, world.project.path],
      ],
    );
    assert.deepEqual(events[2]?.details.changes, [{ name: 'role', from: 'reporter', to: 'developer' }]);
    assert.deepEqual(events[3]?.details.changes, [
      { name: 'invite_email', from: null, to: email },
      { name: 'role', from: null, to: 'developer' },
    ]);
    assert.equal(JSON.stringify(events).includes(token), false);
  });

  it('are in no line of the log of requests', async () => {
    const token = newToken();
    const { log } = world.app;
    const before = log.length;
    await world.app.ask('GET', `/-/invitations/${token}`, { headers: { Accept: 'text/html' } });
    const lines = log.slice(before).map(({ bindings }) => bindings.path);
    assert.deepEqual(lines, ['/-/invitations/[hidden]']);
  });

  it('give the role as it is now, and belong to who changed it', async () => {
    const email = world.newEmail();
    const token = await world.invited(email, 30);
    const changed = await world.as(world.owner, 'PUT', `/${email}`, { access_level: 20, expires_at: '2026-01-20' });
    assert.deepEqual(
      [changed.status, changed.json().access_level, changed.json().created_by_name, changed.json().expires_at],
      [200, 20, world.owner.user.name, '2026-01-20T23:59:59.999Z'],
    );
    await world.app.store.removeMember(world.project.id, world.maintainer.user.id);
    assert.equal((await world.open('', { token })).json().invitation.access_level, 20);
    const person = await givenPerson(world.app.store);
    assert.equal((await world.open('/join', { token }, person)).status, 200);
    assert.equal(await world.levelOf(person), 20);
  });

  it('are not found by guessing: an address waits after many unknown links', async () => {
    const token = await world.invited(world.newEmail());
    const answers = [];
    for (let at = 0; at < 41; at += 1) answers.push(await world.open('', { token: at % 2 === 0 ? newToken() : 'x' }));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual([statuses.slice(0, 40).every((status) => status === 200), statuses[40]], [true, 429]);
    assert.ok(Number(answers[40]!.headers.get('Retry-After')) > 0);
    assert.equal((await world.open('', { token })).status, 429, 'also a known one, so that nothing is learnt');
    world.app.clock.at += 3_600_000;
    assert.equal(await world.stateOf(token), 'open');
  });
});
