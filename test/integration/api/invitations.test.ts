import assert from 'node:assert/strict';
import type { InvitationMail } from '../../../src/domain/ports/invitations.ts';
import type { SendResult } from '../../../src/domain/ports/alert-sender.ts';
import { formerMembersKey, writeFormerMembers } from '../../../src/domain/projects/former-members.ts';
import { inProject } from '../../../src/domain/projects/invitation.ts';
import { createInviting } from '../../../src/invitations/invite.ts';
import type { RunningApp } from '../../support/app.ts';
import { listAudit } from '../../support/audit-data.ts';
import { givenMember, givenPerson, givenProject } from '../../support/factories.ts';
import { EXTERNAL, invitationWorld, tokenOf } from '../../support/invitation-world.ts';
import { DAY } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('invitations', (kind) => {
  const world = invitationWorld(kind);

  describe('are made', () => {
    it('for several addresses, and listed with who gave the role and when they end', async () => {
      const [one, two] = [world.newEmail(), world.newEmail()];
      const body = { email: ` ${one.toUpperCase()} ,${two},${one}`, access_level: 20, expires_at: '2026-02-01' };
      const made = await world.as(world.maintainer, 'POST', '', body);
      assert.deepEqual(
        [made.status, made.json().status, made.headers.get('Cache-Control')],
        [201, 'success', 'no-store'],
      );
      assert.deepEqual(
        made.json().links.map((link: { invite_email: string }) => link.invite_email),
        [one, two],
      );
      const listed = await world.as(world.owner, 'GET');
      assert.deepEqual(
        listed.json().map((each: object) => ({ ...each, id: 0 })),
        [one, two].map((email) => ({
          ...{ id: 0, invite_email: email, access_level: 20, created_at: '2026-01-15T12:00:00.000Z' },
          ...{
            expires_at: '2026-02-01T23:59:59.999Z',
            created_by_name: world.maintainer.user.name,
            sent_at: null,
            can_be_mailed: false,
          },
        })),
      );
      assert.doesNotMatch(listed.text, new RegExp(tokenOf(made.json().links[0].url)), 'a list has no link');
      assert.equal((await world.as(world.owner, 'GET', '?query=NOBODY')).json().length, 0);
      assert.equal((await world.as(world.owner, 'GET', `?query=${two.toUpperCase()}`)).json().length, 1);
    });

    it('for a week without a day, and for 90 days at most', async () => {
      await world.invited(world.newEmail());
      const [{ expires_at: expires }] = (await world.as(world.owner, 'GET')).json();
      assert.equal(expires, '2026-01-22T12:00:00.000Z');
      for (const [day, message] of [
        ['2026-01-14', 'expires_at must not be in the past.'],
        ['2026-05-01', 'expires_at must be at most 90 days from now.'],
      ] as const) {
        const refused = await world.as(world.owner, 'POST', '', {
          email: world.newEmail(),
          access_level: 10,
          expires_at: day,
        });
        assert.deepEqual([refused.status, refused.json().message], [400, message]);
      }
    });

    it('with a reason for each address that is not invited', async () => {
      const [first, other] = [world.newEmail(), world.newEmail()];
      await world.invited(first);
      const answer = await world.as(world.owner, 'POST', '', { email: [first, 'no address', other], access_level: 30 });
      const { status, message, links } = answer.json();
      assert.equal(status, 'error');
      assert.deepEqual(message, {
        [first]: 'Invite email has already been taken',
        'no address': 'Invite email is invalid',
      });
      assert.deepEqual([links.length, links[0].invite_email], [1, other]);
    });

    it('for no more than 100 addresses at once, and for known roles', async () => {
      const many = Array.from({ length: 101 }, (_, at) => `p${at}@shop.test`);
      assert.equal((await world.as(world.owner, 'POST', '', { email: many, access_level: 10 })).status, 400);
      assert.equal(
        (await world.as(world.owner, 'POST', '', { email: world.newEmail(), access_level: 35 })).status,
        400,
      );
      assert.equal((await world.as(world.owner, 'POST', '', { access_level: 30 })).status, 400);
      assert.deepEqual((await world.as(world.owner, 'GET')).json(), []);
    });

    it('by maintainers, with no role above their own', async () => {
      const email = world.newEmail();
      for (const role of ['guest', 'reporter', 'developer'] as const) {
        const member = await givenMember(world.app.store, world.project, role);
        assert.equal((await world.as(member, 'POST', '', { email, access_level: 10 })).status, 403);
        assert.equal((await world.as(member, 'GET')).status, 403);
      }
      assert.equal((await world.as(world.maintainer, 'POST', '', { email, access_level: 50 })).status, 403);
      await world.invited(email, 50, world.owner);
      const path = `/${encodeURIComponent(email)}`;
      assert.equal(
        (await world.as(world.maintainer, 'PUT', path, { access_level: 20 })).status,
        403,
        'that of an owner',
      );
      assert.equal((await world.as(world.maintainer, 'DELETE', path)).status, 403);
      assert.equal((await world.as(world.maintainer, 'POST', `${path}/link`)).status, 403);
      const mine = world.newEmail();
      await world.invited(mine, 30);
      assert.equal((await world.as(world.maintainer, 'PUT', `/${mine}`, { access_level: 50 })).status, 403);
    });

    it('at once for a colleague with a confirmed address, but not for a member', async () => {
      const { store } = world.app;
      const colleague = await givenPerson(store);
      const email = world.newEmail();
      await store.updateUser(colleague.user.id, { email: email.toUpperCase(), emailConfirmed: true });
      const other = await givenProject(store);
      await store.setMember(other.id, colleague.user.id, 20);
      await store.setMember(other.id, world.owner.user.id, 20);
      const ask = async () => (await world.as(world.owner, 'POST', '', { email, access_level: 30 })).json();
      assert.deepEqual(await ask(), { status: 'success' });
      assert.equal(await world.levelOf(colleague), 30);
      const [added] = await listAudit(store);
      assert.deepEqual([added?.event, added?.targetName], ['member_added', colleague.user.username]);
      assert.deepEqual(await ask(), { status: 'error', message: { [email]: 'Already a member' } });
      assert.deepEqual((await world.as(world.owner, 'GET')).json(), []);
    });

    it('for an account only by its own doing where its address is shared, unconfirmed or of a blocked one', async () => {
      const { store } = world.app;
      const administrator = await givenPerson(store, true);
      const [shared, unconfirmed, blocked] = [world.newEmail(), world.newEmail(), world.newEmail()];
      const given = async (email: string, emailConfirmed: boolean) => {
        const { user } = await givenPerson(store);
        await store.updateUser(user.id, { email, emailConfirmed });
        return user;
      };
      await given(shared, true);
      await given(shared, true);
      await given(unconfirmed, false);
      await store.setUserBlocked((await given(blocked, true)).id, true);
      const body = { email: [shared, unconfirmed, blocked], access_level: 20 };
      assert.equal((await world.as(administrator, 'POST', '', body)).json().links.length, 3);
    });

    it('without saying whether an address has an account', async () => {
      const email = world.newEmail();
      const known = await givenPerson(world.app.store);
      await world.app.store.updateUser(known.user.id, { email, emailConfirmed: true });
      const [one, two] = await Promise.all(
        [email, world.newEmail()].map((each) =>
          world.as(world.maintainer, 'POST', '', { email: each, access_level: 20 }),
        ),
      );
      assert.deepEqual(Object.keys(one!.json()), Object.keys(two!.json()));
      assert.equal(await world.levelOf(known), null);
    });
  });

  describe('by mail', () => {
    let mails: InvitationMail[];
    let result: SendResult;
    let before: RunningApp['deps']['invitations'];
    beforeEach(() => {
      mails = [];
      result = { outcome: 'sent', answer: '250 OK' };
      before = world.app.deps.invitations;
      const sendMail = (mail: InvitationMail): Promise<SendResult> => {
        mails.push(mail);
        return Promise.resolve(result);
      };
      const { store, clock, auditTrail } = world.app;
      const inviting = createInviting({ store, auditTrail, clock, days: 7, externalUrl: () => EXTERNAL, sendMail });
      world.app.deps.invitations = { ...before, mail: true, ...inviting };
    });
    afterEach(() => {
      world.app.deps.invitations = before;
    });

    it('have their link in the mail alone', async () => {
      const email = world.newEmail();
      const answer = await world.as(world.maintainer, 'POST', '', { email, access_level: 30 });
      assert.deepEqual(answer.json(), { status: 'success' });
      const [mail] = mails;
      assert.deepEqual(
        { ...mail, id: 0, url: '' },
        {
          ...{
            id: 0,
            email,
            url: '',
            place: world.project.path,
            role: 'developer',
            inviter: world.maintainer.user.name,
          },
          ...{ expiresAt: world.app.clock.at + 7 * DAY, at: world.app.clock.at },
        },
      );
      assert.equal(await world.stateOf(tokenOf(mail!.url)), 'open');
      const [listed] = (await world.as(world.owner, 'GET')).json();
      assert.equal(listed.sent_at, new Date(world.app.clock.at).toISOString());
      assert.equal((await world.app.store.invitationFor(inProject(world.project.id), email))?.mailed, true);
      const copied = await world.as(world.owner, 'POST', `/${email}/link`);
      assert.equal(await world.stateOf(tokenOf(copied.json().url)), 'open');
      assert.equal((await world.app.store.invitationFor(inProject(world.project.id), email))?.mailed, false);
      const again = await world.as(world.owner, 'POST', `/${email}/mail`);
      assert.deepEqual([again.status, again.json(), mails.length], [201, { status: 'success' }, 2]);
      assert.equal(await world.stateOf(tokenOf(mails[1]!.url)), 'open');
    });

    it('confirm the address of a new account, which a copied link does not', async () => {
      const { store } = world.app;
      const signUp = async (token: string, username: string) => {
        const answer = await world.open('/account', { token, username, password: 'long enough' });
        return [answer.status, (await store.userByName(username))?.emailConfirmed ?? null];
      };
      const [one, two] = [world.newEmail(), world.newEmail()];
      for (const email of [one, two]) await world.as(world.maintainer, 'POST', '', { email, access_level: 30 });
      const [first, second] = mails.map(({ url }) => tokenOf(url));
      const name = `mailed${world.project.id}`;
      assert.deepEqual(await signUp(first!, name), [201, true]);
      const copied = tokenOf((await world.as(world.owner, 'POST', `/${two}/link`)).json().url);
      assert.notEqual(copied, second);
      assert.deepEqual(await signUp(copied, `copied${world.project.id}`), [201, false]);
      // The person has an account already: of that, the reader of the mail may know, and nobody else.
      const { user } = await givenPerson(store);
      const three = world.newEmail();
      await store.updateUser(user.id, { email: three, emailConfirmed: true });
      await world.as(world.maintainer, 'POST', '', { email: three, access_level: 30 });
      assert.deepEqual(await signUp(tokenOf(mails[2]!.url), `third${world.project.id}`), [409, null]);
      const link = tokenOf((await world.as(world.owner, 'POST', `/${three}/link`)).json().url);
      assert.deepEqual(await signUp(link, `third${world.project.id}`), [201, false]);
      assert.equal((await store.userByName(`third${world.project.id}`))?.email, null);
    });

    it('stay when the mail server refuses, with the reason', async () => {
      const email = world.newEmail();
      result = { outcome: 'refused', answer: '550 no such user' };
      const answer = await world.as(world.maintainer, 'POST', '', { email, access_level: 30 });
      assert.deepEqual(answer.json(), {
        status: 'error',
        message: { [email]: 'The mail was not sent, so send it again, or copy the link: 550 no such user' },
      });
      const [listed] = (await world.as(world.owner, 'GET')).json();
      assert.deepEqual([listed.invite_email, listed.sent_at], [email, null]);
    });

    it('are no flood: neither of a project, nor at one address', async () => {
      const some = (count: number) => Array.from({ length: count }, () => world.newEmail());
      const ask = (email: readonly string[]) => world.as(world.maintainer, 'POST', '', { email, access_level: 10 });
      assert.equal((await ask(some(60))).status, 201);
      const refused = await ask(some(60));
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers.get('Retry-After')) > 0);
      assert.deepEqual([mails.length, (await world.as(world.owner, 'GET', '?per_page=100')).json().length], [60, 60]);
      const one = world.newEmail();
      assert.equal((await ask([one])).json().status, 'success');
      const answers = [];
      for (let at = 0; at < 5; at += 1)
        answers.push((await world.as(world.owner, 'POST', `/${one}/mail`)).json().status);
      assert.deepEqual(answers, ['success', 'success', 'success', 'success', 'error']);
    });
  });

  it('are suggested for members of the former tracker who are not here, with roles like theirs', async () => {
    const { store } = world.app;
    const list = async () =>
      (
        await world.app.get(`/api/v4/projects/${world.project.id}/invitation_suggestions`, world.maintainer.token)
      ).json();
    assert.deepEqual(await list(), []);
    const roles = ['owner', 'Manager', 'member', 'billing', null];
    const former = roles.map((role) => ({ email: world.newEmail(), name: null, role }));
    const member = await givenMember(store, world.project, 'guest');
    const own = { email: world.newEmail(), name: 'Own', role: 'owner' };
    await store.updateUser(member.user.id, { email: own.email.toUpperCase() });
    const state = writeFormerMembers([...former, own]);
    await store.saveImportState(formerMembersKey(world.project.id), state);
    const levels = (await list()).map(({ access_level: level }: { access_level: number }) => level);
    assert.deepEqual(levels, [40, 40, 30, 20, 30]);
    await world.invited(former[0]!.email);
    const [next] = await list();
    assert.deepEqual(next, { email: former[1]!.email, name: null, role: 'Manager', access_level: 40 });
    await store.saveImportState(formerMembersKey(world.project.id), '{"version":9}');
    assert.deepEqual(await list(), []);
  });

  it('are not sent where mail is not configured, and say so', async () => {
    const email = world.newEmail();
    await world.invited(email);
    const refused = await world.as(world.owner, 'POST', `/${email}/mail`);
    assert.equal(refused.status, 400);
    assert.match(refused.json().message, /^Mail is not configured: copy the link/);
  });

  it('that ended 30 days ago are forgotten with the next one', async () => {
    const [old, fresh] = [world.newEmail(), world.newEmail()];
    await world.invited(old);
    world.app.clock.at += 38 * DAY;
    await world.invited(fresh);
    const left = await world.app.store.listInvitations(inProject(world.project.id));
    assert.deepEqual(
      left.map(({ email }) => email),
      [fresh],
    );
  });
});
