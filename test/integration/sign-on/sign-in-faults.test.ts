import assert from 'node:assert/strict';
import { LocalIssuer, makePerson as person, type Forgery, type IssuerPerson } from '../../support/local-issuer.ts';
import { EXTERNAL, startSignOn, type SignOnWorld } from '../../support/sign-on-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const ADA: IssuerPerson = { sub: 'ada', idToken: { preferred_username: 'ada', name: 'Ada' } };
describeOnStores('answers of an identity provider', (kind) => {
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

  /** Forgeries by what is wrong with them. */
  const FORGED: Readonly<Record<string, Forgery>> = {
    'for another client': { claims: { aud: 'another' } },
    'for several clients, of which another one asked': { claims: { aud: ['errgate', 'b'], azp: 'b' } },
    'of another issuer': { claims: { iss: 'https://evil.test' } },
    'with another nonce': { claims: { nonce: 'another' } },
    'without a nonce': { claims: { nonce: undefined } },
    'without a signature': { signed: 'none' },
    'signed with the secret of the client': { signed: 'client-secret' },
    'signed with an unknown key': { signed: 'stranger' },
    'that has expired more than five minutes ago': { aheadSeconds: -600 },
    'that begins in the far future': { claims: { nbf: 2 ** 40 } },
    'without a subject': { claims: { sub: undefined } },
    'about another person than the userinfo endpoint': { claims: { sub: 'bob' } },
  };
  for (const [what, forgery] of Object.entries(FORGED)) {
    it(`are refused with a token ${what}`, async () => {
      world.configure({});
      const { browser, answer } = await world.signIn(ADA, forgery);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, /The answer of Acme is not valid/);
      assert.equal((await browser.session()).user, null);
      assert.equal(await world.app.store.userByName('ada'), null);
    });
  }

  it('leave the session of another person alone: a link of another site may have led there', async () => {
    world.configure({});
    const [ada, bob] = [person(), person()];
    const bobHere = async () => (await world.app.store.identityOf(issuer.url, bob.sub))?.userId;
    const { browser } = await world.signIn(ada);
    const { user, csrf_token: csrf } = await browser.session();
    const refused = await browser.back(issuer.approve(await browser.begin(), bob));
    assert.equal(refused.status, 403);
    assert.ok(refused.text.includes(`You are signed in as ${user?.username}. Sign out first`), refused.text);
    assert.equal((await browser.session()).user?.id, user?.id);
    assert.deepEqual(await world.app.store.sessionsOfUser((await bobHere()) ?? 0), []);
    assert.equal((await browser.back(issuer.approve(await browser.begin(), ada))).status, 303, 'the same person may');
    const { csrf_token: next } = await browser.session();
    assert.notEqual(next, csrf);
    await browser.ask('DELETE', '/-/session', { 'X-CSRF-Token': next });
    assert.equal((await browser.back(issuer.approve(await browser.begin(), bob))).status, 303);
    assert.equal((await browser.session()).user?.id, await bobHere());
  });

  it('are accepted from a clock that is up to five minutes off', async () => {
    for (const aheadSeconds of [-290, 290]) {
      assert.equal((await world.signIn({ ...ADA, sub: `skew${aheadSeconds}` }, { aheadSeconds })).answer.status, 303);
    }
    assert.equal((await world.signIn(ADA, { aheadSeconds: -600 })).answer.status, 400);
  });

  const ANSWERS: Readonly<Record<string, (query: URLSearchParams) => void>> = {
    'another state': (query) => query.set('state', 'another'),
    'no state': (query) => query.delete('state'),
    'another issuer': (query) => query.set('iss', 'https://evil.test'),
    'no issuer, although the provider names itself': (query) => query.delete('iss'),
    'an unknown code': (query) => query.set('code', 'unknown'),
    'no code': (query) => query.delete('code'),
    'two codes': (query) => query.append('code', 'second'),
    nothing: (query) => [...query.keys()].forEach((name) => query.delete(name)),
  };
  for (const [what, change] of Object.entries(ANSWERS)) {
    it(`are refused with ${what}`, async () => {
      const { browser, answer } = await world.signIn(ADA, { answer: change });
      assert.equal(answer.status, 400, answer.text);
      assert.equal((await browser.session()).user, null);
      assert.equal(browser.cookies.has('errgate_sign_on'), false, 'cannot be tried again');
    });
  }

  it('that are errors are shown by their code alone', async () => {
    const refusal = (error: string): Forgery => ({
      answer(query) {
        query.delete('code');
        query.set('error', error);
        query.set('error_description', 'call <b>0900 evil</b>');
      },
    });
    const { answer } = await world.signIn(ADA, refusal('access_denied'));
    assert.equal(answer.status, 403);
    assert.match(answer.text, /Acme did not sign you in \(access_denied\)/);
    const hostile = await world.signIn(ADA, refusal('<script>alert(1)</script>'));
    assert.match(hostile.answer.text, /did not sign you in \(an unknown error\)/);
    for (const { text } of [answer, hostile.answer]) assert.doesNotMatch(text, /0900|<script/);
  });

  it('work once, in the browser that began, and for ten minutes', async () => {
    const browser = world.browser();
    const back = issuer.approve(await browser.begin(), ADA);
    assert.equal((await world.browser().back(back)).status, 400, 'another browser');
    const cookie = browser.cookies.get('errgate_sign_on') ?? '';
    assert.equal((await browser.back(back)).status, 303);
    browser.cookies.set('errgate_sign_on', cookie);
    assert.equal((await browser.back(back)).status, 400, 'a used code');
    browser.cookies.set('errgate_sign_on', `${cookie.slice(0, -2)}AA`);
    assert.equal((await browser.back(back)).status, 400, 'a modified cookie');

    const late = world.browser();
    const lateBack = issuer.approve(await late.begin(), ADA);
    world.app.clock.at += 600_001;
    const answer = await late.back(lateBack);
    world.app.clock.at -= 600_001;
    assert.equal(answer.status, 400);
    assert.match(answer.text, /longer than ten minutes/);
  });

  it('replace the session of the browser, whose id an attacker may know', async () => {
    const browser = world.browser();
    browser.cookies.set('errgate_session', 'x'.repeat(43));
    assert.equal((await browser.back(issuer.approve(await browser.begin(), ADA))).status, 303);
    const first = browser.cookies.get('errgate_session') ?? '';
    assert.notEqual(first, 'x'.repeat(43));
    await browser.back(issuer.approve(await browser.begin(), ADA));
    assert.notEqual(browser.cookies.get('errgate_session'), first);
    assert.equal(await world.app.deps.webSessions.find(first, null), null);
  });

  it('come to the address that is registered, whatever the request says', async () => {
    const browser = world.browser();
    const answer = await browser.ask('GET', '/users/auth/oidc', {
      ...{ Host: 'evil.test', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'http' },
    });
    const { searchParams } = new URL(answer.headers.get('Location') ?? '');
    assert.equal(searchParams.get('redirect_uri'), `${EXTERNAL}/users/auth/oidc/callback`);
    assert.equal(searchParams.get('scope'), 'openid profile email');
    for (const name of ['state', 'nonce', 'code_challenge']) assert.match(searchParams.get(name) ?? '', /^[\w-]{43}$/);
    const [cookie = ''] = answer.headers.getSetCookie();
    assert.match(cookie, /^errgate_sign_on=[\w.-]+; Max-Age=600; Path=\/deep; HttpOnly; SameSite=Lax; Secure$/);
  });

  it('are refused while their keys are unknown, whose fetches are limited; rotated keys are found', async () => {
    world.configure({});
    await world.signIn(ADA);
    const fetched = () => issuer.asked.get('/keys') ?? 0;
    await issuer.rotate();
    const before = fetched();
    assert.equal((await world.signIn(ADA)).answer.status, 303, 'a new key is fetched at once');
    assert.equal(fetched(), before + 1);
    for (let number = 0; number < 30; number += 1) {
      const token = await issuer.logoutToken({ sub: 'ada' }, { signed: 'stranger' });
      const answer = await world.app.ask('POST', '/users/auth/oidc/logout', { body: { logout_token: token } });
      assert.ok([400, 503].includes(answer.status), answer.text);
    }
    assert.ok(fetched() <= before + 5, `${fetched() - before} fetches`);
    assert.equal((await world.signIn(ADA)).answer.status, 303, 'known keys still work');
    world.app.clock.at += 60_000;
    await issuer.rotate();
    assert.equal((await world.signIn(ADA)).answer.status, 303);
  });

  it('are not accepted from a provider that calls itself otherwise, or whose client secret changed', async () => {
    world.configure({ issuer: `${issuer.url}/realm` });
    assert.equal((await world.browser().ask('GET', '/users/auth/oidc')).status, 503);
    world.configure({ clientSecret: 'an old one' });
    for (const challenges of [false, true]) {
      issuer.challenges = challenges;
      const { answer } = await world.signIn(ADA);
      assert.equal(answer.status, 503);
      assert.match(answer.text, /Acme is not configured correctly/);
      assert.doesNotMatch(answer.text + JSON.stringify(world.app.log), /an old one/);
    }
    issuer.challenges = false;
    world.configure({});
  });

  it('are counted by outcome', async () => {
    const counted = async () => {
      const { values } = await world.app.deps.metrics.signIns.get();
      const of = (outcome: string) =>
        values.find(({ labels }) => labels.way === 'provider' && labels.outcome === outcome)?.value ?? 0;
      return [of('ok'), of('refused'), of('unavailable')];
    };
    const before = await counted();
    await world.signIn(ADA);
    await world.signIn(ADA, { signed: 'none' });
    world.configure({ issuer: `${issuer.url}/realm` });
    await world.browser().ask('GET', '/users/auth/oidc');
    world.configure({});
    const after = await counted();
    assert.deepEqual(
      after.map((value, at) => value - (before[at] ?? 0)),
      [1, 1, 1],
    );
  });

  it('of a new provider lead to accounts of their own, unless the address is verified', async () => {
    const other = await LocalIssuer.start();
    try {
      const mail = { email: 'moved@shop.test', email_verified: true };
      const mover: IssuerPerson = { sub: 'mover', idToken: { preferred_username: 'mover', ...mail } };
      const before = (await (await world.signIn(mover)).browser.session()).user;
      const stranger = (await (await world.signIn(ADA)).browser.session()).user;
      world.configure({ issuer: other.url });
      const through = async (person: IssuerPerson) => {
        const browser = world.browser();
        await browser.back(other.approve(await browser.begin(), person));
        return (await browser.session()).user;
      };
      assert.equal((await through(mover))?.id, before?.id);
      assert.notEqual((await through(ADA))?.id, stranger?.id, 'the same subject means another person there');
    } finally {
      await other.close();
      world.configure({});
    }
  });
});
