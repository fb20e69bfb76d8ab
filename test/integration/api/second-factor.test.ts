import assert from 'node:assert/strict';
import { TOTP, URI } from 'otpauth';
import { MAX_WRONG_CODES } from '../../../src/auth/second-factor/second-factors.ts';
import { CHALLENGE_MS } from '../../../src/auth/second-factor/sign-in-challenges.ts';
import { csrfTokenOf } from '../../../src/auth/session-id.ts';
import type { User } from '../../../src/domain/projects/account.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { listAudit } from '../../support/audit-data.ts';
import { givenSession, headersOf, type BrowserHeaders } from '../../support/browser-session.ts';
import { givenPassword, givenPerson, givenToken } from '../../support/factories.ts';
import { givenSecondFactor, RECOVERY_CODE } from '../../support/second-factor-data.ts';
import { useStandInSignOn } from '../../support/stand-in-sign-on.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'correct horse';
const PATH = '/api/v4/user/second_factor';
const STEP_MS = 30_000;

describeOnStores('the second factor', (kind) => {
  let app: RunningApp;
  let user: User;

  before(async () => {
    app = await startApp(kind, { trustedProxies: ['127.0.0.1'], authHeader: 'X-Forwarded-User' });
  });
  after(() => app.close());
  beforeEach(async () => {
    user = await givenPassword(app.store, PASSWORD);
    // Allowances of the tests before are over.
    app.clock.at += 3_600_000;
  });

  const codeOf = (secret: string, offsetMs = 0) =>
    new TOTP({ secret }).generate({ timestamp: app.clock.at + offsetMs });
  const ask = (method: string, path: string, headers: BrowserHeaders, body?: object): Promise<Answer> =>
    app.ask(method, path, { headers: { ...headers }, ...(body === undefined ? {} : { body }) });
  const password = (headers: Record<string, string> = {}): Promise<Answer> =>
    app.ask('POST', '/-/session', { body: { username: user.username, password: PASSWORD }, headers });
  const code = (challenge: string, given: string, headers: Record<string, string> = {}): Promise<Answer> =>
    app.ask('POST', '/-/session/second_factor', { body: { challenge, code: given }, headers });
  const challenged = async (): Promise<string> => {
    const answer = await password();
    assert.equal(answer.status, 200, answer.text);
    return answer.json().second_factor_challenge;
  };

  /** Turns it on for the user, whose next code is that of the next time step. */
  async function turnedOn() {
    const headers = headersOf(await password());
    const begun = await ask('POST', PATH, headers, { password: PASSWORD });
    const { secret, url } = begun.json();
    const on = await ask('POST', PATH, headers, { code: codeOf(secret) });
    assert.equal(on.status, 200, on.text);
    const [cookie = ''] = on.headers.getSetCookie();
    app.clock.at += STEP_MS;
    return { headers, secret: secret as string, url: url as string, on, cookie: cookie.split(';', 1)[0] ?? '' };
  }

  it('is begun with the password and turned on with a code, which shows recovery codes once', async () => {
    const { headers, secret, url, on, cookie } = await turnedOn();
    assert.match(secret, /^[A-Z2-7]{32}$/);
    const read = URI.parse(url);
    assert.deepEqual(
      [read.issuer, read.label, read.secret.base32],
      ['errgate errors.example.test', user.username, secret],
    );
    assert.doesNotMatch(url, /\+/);
    const { recovery_codes: codes, ...rest } = on.json();
    assert.equal(new Set(codes).size, 10);
    for (const each of codes) assert.match(each, /^([a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
    assert.deepEqual([rest.enabled, rest.recovery_codes_left, rest.secret], [true, 10, undefined]);
    // All other sessions end, and this browser gets a new one.
    assert.equal((await ask('GET', PATH, headers)).status, 401);
    const { csrf_token: csrf } = (await app.ask('GET', '/-/session', { headers: { Cookie: cookie } })).json();
    const state = (await ask('GET', PATH, { Cookie: cookie, 'X-CSRF-Token': csrf })).json();
    assert.deepEqual(Object.keys(state).toSorted(), ['enabled', 'enabled_at', 'recovery_codes_left', 'required']);
    const stored = await app.store.secondFactor(user.id);
    assert.ok(!JSON.stringify(stored).includes(secret));
    for (const each of codes) assert.ok(!JSON.stringify(stored).includes(each));
    assert.ok(!JSON.stringify(app.log).includes(secret));
  });

  it('is asked for after the right password only, and makes no session before', async () => {
    const { secret } = await turnedOn();
    const wrong = await app.ask('POST', '/-/session', { body: { username: user.username, password: 'wrong' } });
    assert.deepEqual([wrong.status, wrong.json()], [401, { message: 'Invalid username or password.' }]);
    const asked = await password();
    assert.deepEqual([asked.json().user, asked.json().csrf_token, asked.headers.getSetCookie()], [null, null, []]);
    const done = await code(asked.json().second_factor_challenge, codeOf(secret));
    assert.equal(done.json().user.id, user.id);
    assert.equal((await ask('GET', '/api/v4/user', headersOf(done))).status, 200);
    const { token } = { token: (await givenToken(app.store, user)).text };
    assert.equal((await app.get('/api/v4/user', token)).status, 200, 'tokens need none');
  });

  it('takes codes of clocks that differ by a step, and each code once', async () => {
    const { secret } = await turnedOn();
    app.clock.at += 10 * STEP_MS;
    for (const offset of [-2 * STEP_MS, 2 * STEP_MS]) {
      assert.equal((await code(await challenged(), codeOf(secret, offset))).status, 401);
    }
    const late = codeOf(secret, -STEP_MS);
    assert.equal((await code(await challenged(), `${late.slice(0, 3)} ${late.slice(3)}`)).status, 200);
    assert.equal((await code(await challenged(), late)).status, 401, 'used');
    const early = codeOf(secret, STEP_MS);
    const challenge = await challenged();
    const twice = await Promise.all([code(challenge, early), code(challenge, early)]);
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 401]);
    assert.equal((await code(await challenged(), codeOf(secret))).status, 401, 'before one that was used');
  });

  it('takes each recovery code once, in any form that people type', async () => {
    const { on } = await turnedOn();
    const [first = '', second = ''] = on.json().recovery_codes as string[];
    assert.equal((await code(await challenged(), ` ${first.toUpperCase().replaceAll('-', ' ')} `)).status, 200);
    assert.equal((await code(await challenged(), first)).status, 401);
    const answers = await Promise.all([1, 2, 3].map(async () => code(await challenged(), second)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401]);
    assert.equal((await app.deps.secondFactors.state(user.id)).recoveryCodesLeft, 8);
    const [event] = await listAudit(app.store);
    assert.ok(event !== undefined);
    const used = (await listAudit(app.store)).find(({ details }) =>
      details.changes.some(({ to }) => to === 'recovery code'),
    );
    assert.equal(used?.event, 'signed_in');
  });

  it('counts wrong codes as wrong passwords, and the right password does not reset them', async () => {
    const { secret } = await turnedOn();
    const challenge = await challenged();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      assert.equal((await code(challenge, '000000')).status, 401);
    }
    const refused = await code(challenge, codeOf(secret));
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('Retry-After'), '30');
    assert.equal((await password()).status, 429);
    app.clock.at += 60_000;
    assert.equal((await code(await challenged(), codeOf(secret))).status, 200);
  });

  it('refuses codes of the app after a hundred wrong ones, until a recovery code is used', async () => {
    const { on, secret } = await turnedOn();
    const [recovery = ''] = on.json().recovery_codes as string[];
    for (let wrong = 0; wrong < MAX_WRONG_CODES - 1; wrong += 1) await app.store.countWrongCode(user.id);
    assert.equal((await code(await challenged(), '000000')).status, 401);
    const refused = await code(await challenged(), codeOf(secret));
    assert.deepEqual([refused.status, refused.json().code], [403, 'second_factor_locked']);
    assert.match(refused.json().message, /recovery code/);
    const logged = (await listAudit(app.store)).filter(({ entityId }) => entityId === user.id);
    assert.ok(JSON.stringify(logged).includes('second_factor_locked'), 'the audit log says why');
    assert.equal((await code(await challenged(), recovery)).status, 200);
    assert.equal((await code(await challenged(), codeOf(secret))).status, 200);
  });

  it('refuses challenges that are forged, late, or older than the end of all sessions', async () => {
    const { secret } = await turnedOn();
    const other = await givenPassword(app.store, PASSWORD);
    const challenge = await challenged();
    const [, ...rest] = challenge.split('.');
    for (const forged of ['', 'x', [other.id, ...rest].join('.'), `${challenge}x`, 'x'.repeat(1000)]) {
      assert.equal((await code(forged, codeOf(secret))).status, 400, forged);
    }
    await app.store.endSessionsOfUser(user.id);
    assert.equal((await code(challenge, codeOf(secret))).status, 400);
    const late = await challenged();
    app.clock.at += CHALLENGE_MS;
    assert.equal((await code(late, codeOf(secret))).status, 400);
    const blocked = await challenged();
    await app.store.setUserBlocked(user.id, true);
    assert.equal((await code(blocked, codeOf(secret))).status, 400);
    assert.equal((await code(blocked, codeOf(secret), { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  });

  it('needs password or code to be turned off, which ends other sessions', async () => {
    const { cookie, secret } = await turnedOn();
    const { csrf_token: csrf } = (await app.ask('GET', '/-/session', { headers: { Cookie: cookie } })).json();
    const headers = { Cookie: cookie, 'X-CSRF-Token': csrf };
    for (const body of [{}, { password: 'wrong' }, { code: '000000' }]) {
      assert.equal((await ask('DELETE', PATH, headers, body)).status, 400);
    }
    assert.equal((await ask('POST', PATH, headers, { password: PASSWORD })).status, 409);
    const off = await ask('DELETE', PATH, headers, { code: codeOf(secret) });
    assert.deepEqual([off.status, off.json().enabled], [200, false]);
    assert.equal((await ask('GET', PATH, headers)).status, 401);
    const renewed = (off.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
    assert.equal((await app.ask('GET', PATH, { headers: { Cookie: renewed } })).status, 200);
    assert.equal(headersOf(await password()).Cookie.length > 0, true, 'no code is asked for');
  });

  it('is not begun with a wrong password, nor turned on with a wrong code or without a beginning', async () => {
    const headers = await givenSession(app, user);
    assert.equal((await ask('POST', PATH, headers, { password: 'wrong' })).status, 400);
    assert.equal((await ask('POST', PATH, headers, {})).status, 400);
    assert.equal((await ask('POST', PATH, headers, { code: '123456' })).status, 409);
    assert.equal((await ask('POST', PATH, headers, { password: PASSWORD })).status, 200);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => ask('POST', PATH, headers, { code: '000000' })));
    assert.deepEqual([...new Set(guesses.map(({ status }) => status))].toSorted(), [400, 429]);
    app.clock.at += 3_600_000;
    assert.equal((await ask('DELETE', PATH, headers, { password: PASSWORD })).status, 200, 'what was begun goes');
    assert.equal(headersOf(await password()).Cookie.length > 0, true, 'what is not confirmed is not asked for');
    const reading = (await givenToken(app.store, user, ['read_api'])).text;
    assert.equal((await app.ask('POST', PATH, { token: reading, body: { password: PASSWORD } })).status, 403);
  });

  it('is removed by an administrator, whose name the audit log has, and shown in lists of users', async () => {
    await givenSecondFactor(app.store, user.id);
    const headers = await givenSession(app, user);
    const root = await givenPerson(app.store, true);
    const path = `/api/v4/users/${user.id}`;
    const { token } = await givenPerson(app.store);
    assert.equal((await app.ask('DELETE', `${path}/second_factor`, { token })).status, 403);
    assert.equal((await app.get(path, root.token)).json().two_factor_enabled, true);
    const listed = (await app.get(`/api/v4/users?username=${user.username}`, root.token)).json();
    assert.equal(listed[0].two_factor_enabled, true);
    assert.equal((await app.ask('DELETE', `${path}/second_factor`, { token: root.token })).status, 204);
    assert.equal((await app.ask('DELETE', `${path}/second_factor`, { token: root.token })).status, 404);
    assert.equal((await app.get(path, root.token)).json().two_factor_enabled, false);
    assert.equal((await ask('GET', PATH, headers)).status, 401, 'sessions end');
    assert.equal((await password()).json().user.id, user.id);
    const reset = (await listAudit(app.store)).find(
      ({ event, outcome }) => event === 'second_factor_reset' && outcome === 'done',
    );
    assert.deepEqual([reset?.authorId, reset?.entityId], [root.user.id, user.id]);
  });

  it('is not reset by administrators for themselves: they prove that it is theirs, as everybody', async () => {
    const root = await givenPerson(app.store, true);
    await givenSecondFactor(app.store, root.user.id);
    const path = `/api/v4/users/${root.user.id}/second_factor`;
    const refused = await app.ask('DELETE', path, { token: root.token });
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.json().message, /profile page/);
    assert.notEqual((await app.deps.secondFactors.state(root.user.id)).confirmedAt, null);
  });

  it('works by recovery codes where the secret cannot be decrypted', async () => {
    await givenSecondFactor(app.store, user.id);
    assert.equal((await code(await challenged(), RECOVERY_CODE)).status, 200);
  });

  it('is never asked of people whom a proxy signs in', async () => {
    await givenSecondFactor(app.store, user.id);
    const proxied = { 'X-Forwarded-User': user.username };
    assert.equal((await app.ask('GET', '/api/v4/user', { headers: proxied })).status, 200);
    const { csrf_token: csrf } = (await app.ask('GET', '/-/session', { headers: proxied })).json();
    const begun = await app.ask('POST', PATH, {
      headers: { ...proxied, 'X-CSRF-Token': csrf },
      body: { password: PASSWORD },
    });
    assert.equal(begun.status, 400);
    assert.match(begun.json().message, /organization/);
  });

  describe('where everybody needs one', () => {
    before(() => {
      app.deps.secondFactors = { ...app.deps.secondFactors, required: true };
    });
    after(() => {
      app.deps.secondFactors = { ...app.deps.secondFactors, required: false };
    });

    it('is set up before anything else, except by people whom a proxy signs in', async () => {
      const answer = await password();
      assert.equal(answer.json().must_set_up_second_factor, true);
      const headers = headersOf(answer);
      const held = await ask('GET', '/api/v4/projects', headers);
      assert.deepEqual([held.status, held.json().code], [403, 'second_factor_required']);
      assert.equal((await ask('GET', PATH, headers)).json().required, true);
      const { secret } = (await ask('POST', PATH, headers, { password: PASSWORD })).json();
      const on = await ask('POST', PATH, headers, { code: codeOf(secret) });
      const Cookie = (on.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
      const session = (await app.ask('GET', '/-/session', { headers: { Cookie } })).json();
      assert.equal(session.must_set_up_second_factor, false);
      assert.equal((await app.ask('GET', '/api/v4/projects', { headers: { Cookie } })).status, 200);
      const token = (await givenToken(app.store, await givenPassword(app.store, PASSWORD))).text;
      assert.equal((await app.get('/api/v4/projects', token)).status, 200, 'tokens are not held up');
      const proxied = { 'X-Forwarded-User': (await givenPassword(app.store, PASSWORD)).username };
      assert.equal((await app.ask('GET', '/api/v4/projects', { headers: proxied })).status, 200);
    });

    it('is never asked of people who signed in at an identity provider', async () => {
      const { webSessions, signOn } = app.deps;
      useStandInSignOn(app, user);
      try {
        const provider = { identityId: 1, providerSession: null, sealedGrant: 'x', maxMs: null };
        const begin = () =>
          app.deps.webSessions.begin(
            { user, epoch: 0 },
            { userAgent: '', address: null, secondFactor: false },
            provider,
          );
        const [id, other] = [await begin(), await begin()];
        const headers = { Cookie: `errgate_session=${id}`, 'X-CSRF-Token': csrfTokenOf(id) };
        assert.equal((await ask('GET', '/api/v4/projects', headers)).status, 200);
        // The session stays tied to the provider when all others end.
        const kept = await ask('DELETE', '/-/sessions?others=true', headers);
        assert.deepEqual([kept.status, kept.headers.getSetCookie()], [200, []]);
        assert.equal((await ask('GET', '/api/v4/projects', headers)).status, 200);
        const [only, ...more] = await app.store.sessionsOfUser(user.id);
        assert.deepEqual([only?.identityId, more], [1, []]);
        assert.equal(await app.deps.webSessions.find(other, null), null);
      } finally {
        Object.assign(app.deps, { webSessions, signOn });
      }
    });

    it('is set up again when it was turned off', async () => {
      await givenSecondFactor(app.store, user.id);
      const headers = headersOf(await code(await challenged(), RECOVERY_CODE));
      assert.equal((await ask('GET', '/api/v4/projects', headers)).status, 200);
      const off = await ask('DELETE', PATH, headers, { password: PASSWORD });
      const Cookie = (off.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? '';
      assert.equal((await app.ask('GET', '/api/v4/projects', { headers: { Cookie } })).status, 403);
    });
  });
});
