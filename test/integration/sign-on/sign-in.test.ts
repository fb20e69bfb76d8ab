import assert from 'node:assert/strict';
import { inProject } from '../../../src/domain/projects/invitation.ts';
import { testPasswordHash } from '../../support/app.ts';
import { givenPassword, givenProject } from '../../support/factories.ts';
import { listAudit } from '../../support/audit-data.ts';
import { makeInvitation } from '../../support/invitation-data.ts';
import { LocalIssuer, makePerson as person, type IssuerPerson } from '../../support/local-issuer.ts';
import { EXTERNAL, startSignOn, type SignOnWorld } from '../../support/sign-on-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'a long enough one';
let accounts = 0;

describeOnStores('sign-in with an identity provider', (kind) => {
  let issuer: LocalIssuer;
  let world: SignOnWorld;

  before(async () => {
    issuer = await LocalIssuer.start();
    world = await startSignOn(kind, issuer);
  });
  after(async () => {
    await world.app.close();
    await issuer.close();
  });
  beforeEach(() => {
    issuer.failing = null;
    issuer.refreshTokens = true;
    world.configure({});
  });

  const userOf = async (subject: string) => {
    const identity = await world.app.store.identityOf(issuer.url, subject);
    return identity === null ? null : world.app.store.userById(identity.userId);
  };

  it('makes an account at the first sign-in, and finds it again, also after a change of name', async () => {
    const ada = person({ preferred_username: 'Ada Lovelace@corp', name: 'Ada  L.\n' });
    const { browser, answer } = await world.signIn(ada);
    assert.deepEqual([answer.status, answer.headers.get('Location')], [303, `${EXTERNAL}/`], answer.text);
    const { user } = await browser.session();
    assert.deepEqual([user?.username, user?.admin], ['Ada-Lovelace', false]);
    const { name, email, emailConfirmed, passwordAllowed } = (await userOf(ada.sub))!;
    assert.deepEqual([name, email, emailConfirmed, passwordAllowed], ['Ada L.', ada.idToken?.email, true, false]);
    const renamed = { ...ada, idToken: { ...ada.idToken, preferred_username: 'ada.king', name: 'Ada King' } };
    const again = await world.signIn(renamed);
    const after = (await again.browser.session()).user;
    assert.deepEqual([after?.id, after?.username], [user?.id, 'Ada-Lovelace']);
    assert.equal((await userOf(ada.sub))?.name, 'Ada King');
    assert.equal((await world.app.store.identitiesOfUser(user!.id))[0]?.name, 'ada.king');
  });

  it('writes each sign-in to the audit log, and no secret to any log', async () => {
    const { browser } = await world.signIn(person());
    const { user } = await browser.session();
    const written = JSON.stringify(world.app.log);
    assert.ok(written.includes('a person signed in at the provider'));
    for (const secret of [...browser.cookies.values(), issuer.client.secret]) assert.ok(!written.includes(secret));
    const any = { entity: null, event: null, outcome: null, from: null, below: null, limit: 10 } as const;
    const [event] = await world.app.store.listAuditEvents({ ...any, authorId: user!.id });
    assert.deepEqual([event?.event, event?.address], ['signed_in', '127.0.0.1']);
    const way = event?.details.changes.map(({ name, to }) => `${name} ${to}`);
    assert.deepEqual(way, ['method identity provider', `provider ${issuer.url}`]);
  });

  it('takes up the invitations of a verified address, and of no other', async () => {
    const { store } = world.app;
    const project = await givenProject(store);
    const draft = { accessLevel: 30, invitedBy: null, expiresAt: Date.UTC(2100, 0) } as const;
    for (const email of ['verified@invited.test', 'unverified@invited.test']) {
      await store.createInvitation(makeInvitation(project.id, { ...draft, email }));
    }
    const levelOf = async (email: string, verified: boolean) => {
      const someone = person();
      const idToken = { ...someone.idToken, email, email_verified: verified };
      const { browser } = await world.signIn({ ...someone, idToken });
      return store.accessLevel(project.id, (await browser.session()).user?.id ?? 0);
    };
    assert.equal(await levelOf('unverified@invited.test', false), null);
    assert.equal(await levelOf('Verified@invited.test', true), 30);
    const left = await store.listInvitations(inProject(project.id));
    assert.deepEqual(left.map(({ acceptedAt }) => acceptedAt !== null), [true, false]); // prettier-ignore
  });

  it('makes taken and unusable names unique', async () => {
    await world.signIn(person({ preferred_username: 'twin' }));
    const names = [];
    for (const preferred of ['twin', 'TWIN', '4711', '***', 'é']) {
      const { browser } = await world.signIn(person({ preferred_username: preferred }));
      names.push((await browser.session()).user?.username);
    }
    assert.deepEqual(names, ['twin2', 'TWIN3', 'user-4711', 'user', 'e']);
  });

  it('makes one account for two first sign-ins at the same time', async () => {
    const ada = person();
    const signedIn = await Promise.all([world.signIn(ada), world.signIn(ada)]);
    const ids = await Promise.all(signedIn.map(async ({ browser }) => (await browser.session()).user?.id));
    assert.ok(ids[0] !== undefined && ids[0] === ids[1]);
  });

  describe('an account of the same e-mail address', () => {
    const given = async (email: string, more: { admin?: boolean; emailConfirmed?: boolean } = {}) => {
      accounts += 1;
      const { admin = false, emailConfirmed = true } = more;
      const row = { username: `local${accounts}`, name: 'Local', admin, passwordHash: 'test$x' };
      return world.app.store.createUser({ ...row, email, emailConfirmed });
    };

    it('is connected where the provider has verified it; its password and sessions end, and the log has it', async () => {
      const { store } = world.app;
      const local = await given('Grace@shop.test');
      await store.setPasswordHash(local.id, testPasswordHash(PASSWORD));
      const former = world.browser();
      await former.signIn(local.username, PASSWORD);
      assert.equal((await former.session()).user?.id, local.id);
      const grace = person({ email: 'grace@SHOP.test', name: 'Grace H.' });
      const { browser } = await world.signIn(grace);
      assert.equal((await browser.session()).user?.id, local.id);
      const after = await store.userById(local.id);
      assert.deepEqual([after?.name, after?.passwordAllowed], ['Grace H.', false]);
      world.app.clock.at += 1001;
      assert.equal((await former.session()).user, null);
      const body = { username: local.username, password: PASSWORD };
      assert.equal((await world.app.ask('POST', '/-/session', { body })).status, 401);
      const events = (await listAudit(store)).filter(({ entityId }) => entityId === local.id);
      const shown = events.map(({ event, outcome, authorName }) => `${event} ${outcome} ${authorName}`).sort();
      const provider = 'done identity provider';
      assert.deepEqual(shown.slice(0, 1), [`identity_connected ${provider}`]);
      assert.equal(shown.filter((text) => text === `user_changed ${provider}`).length, 2);
    });

    it('keeps its password and name where an operator has allowed it', async () => {
      const { store } = world.app;
      const local = await given('kept@shop.test');
      await store.updateUser(local.id, { passwordAllowed: true });
      await world.signIn(person({ email: 'kept@shop.test' }));
      const after = await store.userById(local.id);
      assert.deepEqual([after?.name, after?.passwordAllowed], ['Local', true]);
    });

    it('is not connected to a second account there with the same address', async () => {
      const local = await given('reused@shop.test');
      const first = person({ email: 'reused@shop.test' });
      await world.signIn(first);
      const { answer } = await world.signIn(person({ email: 'reused@shop.test' }));
      assert.equal(answer.status, 403);
      assert.match(answer.text, /connected to another account of Acme/);
      assert.equal((await world.app.store.identitiesOfUser(local.id)).length, 1);
      assert.equal((await world.signIn(first)).answer.status, 303);
    });

    for (const [why, verified] of [
      ['says nothing', undefined],
      ['says no', false],
      ['says it as a text', 'true'],
      ['says it as a number', 1],
    ] as const) {
      it(`is not connected where the provider ${why}; the new account has no address`, async () => {
        const local = await given(`unverified${accounts}@shop.test`);
        const eve = person({ email: local.email, email_verified: verified });
        const { browser } = await world.signIn(eve);
        const { user } = await browser.session();
        assert.notEqual(user?.id, local.id);
        assert.equal((await userOf(eve.sub))?.email, null);
      });
    }

    it('is not connected where another document says that it is verified', async () => {
      const local = await given('split@shop.test');
      const eve: IssuerPerson = {
        ...person(),
        idToken: { preferred_username: 'split', email_verified: true },
        userInfo: { email: local.email },
      };
      const { browser } = await world.signIn(eve);
      assert.notEqual((await browser.session()).user?.id, local.id);
    });

    it('is not connected to an administrator, to one of two accounts, and where the person here entered it', async () => {
      const admin = await given('admin@shop.test', { admin: true });
      const [one, two] = [await given('twice@shop.test'), await given('TWICE@shop.test')];
      const own = await given('entered@shop.test', { emailConfirmed: false });
      for (const local of [admin, one, own]) {
        const { browser } = await world.signIn(person({ email: local.email }));
        const { user } = await browser.session();
        assert.ok(user !== null && ![admin.id, one.id, two.id, own.id].includes(user.id), local.email ?? '');
      }
    });

    it('is not connected when it is blocked, and nobody signs in', async () => {
      const local = await given('blocked@shop.test');
      await world.app.store.setUserBlocked(local.id, true);
      const { browser, answer } = await world.signIn(person({ email: local.email }));
      assert.equal(answer.status, 403);
      assert.match(answer.text, /is blocked/);
      assert.equal((await browser.session()).user, null);
    });
  });

  it('refuses a blocked person, and names the rule', async () => {
    const ada = person();
    await world.signIn(ada);
    await world.app.store.setUserBlocked((await userOf(ada.sub))!.id, true);
    const { browser, answer } = await world.signIn(ada);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Your account here is blocked/);
    assert.equal(answer.headers.get('Content-Type'), 'text/html; charset=utf-8');
    assert.equal(browser.cookies.has('errgate_session'), false);
    const [event] = await listAudit(world.app.store);
    assert.deepEqual([event?.event, event?.targetId], ['sign_in_refused', String((await userOf(ada.sub))!.id)]);
  });

  it('makes no account where that is switched off, or for other domains', async () => {
    world.configure({ createAccounts: false });
    const { answer } = await world.signIn(person());
    assert.equal(answer.status, 403);
    assert.match(answer.text, /You have no account here/);
    world.configure({ emailDomains: ['Shop.test'] });
    for (const claims of [
      { email: 'a@evilshop.test' },
      { email: 'a@shop.test', email_verified: false },
      { email: 'a@x.shop.test' },
    ]) {
      const refused = await world.signIn(person(claims));
      assert.equal(refused.answer.status, 403, claims.email);
      assert.match(refused.answer.text, /verified e-mail address of Shop.test/);
    }
    const member = person();
    assert.equal((await world.signIn(member)).answer.status, 303);
    const moved = await world.signIn({ ...member, idToken: { ...member.idToken, email: 'a@private.test' } });
    assert.equal(moved.answer.status, 403, 'at each sign-in');
  });

  describe('the way back', () => {
    const landing = async (returnTo: string) => {
      const browser = world.browser();
      const answer = await browser.back(issuer.approve(await browser.begin(returnTo), person()));
      return answer.headers.get('Location');
    };

    it('leads to the page that a person wanted', async () => {
      assert.equal(
        await landing('/shop/api/-/error_tracking?q=a&b=%2F'),
        `${EXTERNAL}/shop/api/-/error_tracking?q=a&b=%2F`,
      );
      assert.equal(await landing('/deep/shop/api'), `${EXTERNAL}/shop/api`);
      assert.equal(await landing('/a/é'), `${EXTERNAL}/a/%C3%A9`);
    });

    it('never leads elsewhere', async () => {
      const hostile = [
        ...['//evil.test', '/\\evil.test', '\\\\evil.test', 'https://evil.test/', 'https:evil.test', 'evil.test', ''],
        ...[
          '/\t/evil.test',
          '/\n/evil.test',
          '/deep//evil.test',
          '/deep/\\evil',
          '/..//evil.test',
          '/../admin',
          '/%0d%0aX: y/..//',
        ],
        ...[
          'javascript:alert(1)',
          '/deep/../../x',
          ' //evil.test',
          `/${'x'.repeat(3000)}`,
          '/users/auth/oidc',
          '///evil.test',
        ],
      ];
      for (const each of hostile) {
        const location = (await landing(each)) ?? '';
        const { origin, pathname } = new URL(location);
        assert.equal(origin, 'https://errors.example.test', each);
        assert.ok(pathname.startsWith('/deep/'), `${each}: ${location}`);
        assert.doesNotMatch(location, /\/\/evil|\\/, each);
      }
    });
  });

  it('is answered with 404 where no provider is configured', async () => {
    const { signOn } = world.app.deps;
    world.app.deps.signOn = null;
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/callback?code=a&state=b'],
      ['POST', '/logout?logout_token=x'],
    ] as const) {
      // prettier-ignore
      const answer = await world.browser().ask(method, `/users/auth/oidc${path}`);
      assert.ok([404, 400].includes(answer.status), `${path} ${answer.status}`);
    }
    world.app.deps.signOn = signOn;
  });

  it('leaves password sign-in and sessions as they are while the provider is away, and says so', async () => {
    const { browser } = await world.signIn(person());
    const local = await givenPassword(world.app.store, 'a long enough one');
    issuer.failing = 503;
    world.configure({});
    const answer = await world.browser().ask('GET', '/users/auth/oidc');
    assert.equal(answer.status, 503);
    assert.match(answer.text, /Acme cannot be reached/);
    assert.ok(answer.headers.get('Retry-After'));
    assert.ok((await browser.session()).user !== null);
    const body = { username: local.username, password: 'a long enough one' };
    assert.equal((await world.app.ask('POST', '/-/session', { body })).status, 200);
    issuer.failing = null;
    assert.equal((await world.signIn(person())).answer.status, 303, 'tries again');
  });
});
