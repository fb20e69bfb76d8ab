import assert from 'node:assert/strict';
import { createWebSessions } from '../../../src/auth/web-sessions.ts';
import { csrfTokenOf } from '../../../src/auth/session-id.ts';
import type { User } from '../../../src/domain/projects/account.ts';
import { SESSION_LIMITS, startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenSession, headersOf, type BrowserHeaders } from '../../support/browser-session.ts';
import { givenPassword, givenPerson, givenToken } from '../../support/factories.ts';
import { eventually } from '../../support/service-process.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'correct horse';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PATH = '/api/v4/user/sessions';

describeOnStores('the sessions of a user', (kind) => {
  let app: RunningApp;
  let user: User;

  before(async () => {
    app = await startApp(kind, { trustedProxies: ['127.0.0.1'] });
  });
  after(() => app.close());
  beforeEach(async () => {
    user = await givenPassword(app.store, PASSWORD);
    app.clock.at += 3_600_000;
  });

  const signIn = (headers: Record<string, string>): Promise<Answer> =>
    app.ask('POST', '/-/session', { body: { username: user.username, password: PASSWORD }, headers });
  const ask = (method: string, path: string, headers: BrowserHeaders): Promise<Answer> =>
    app.ask(method, path, { headers: { ...headers } });
  const list = async (headers: BrowserHeaders) => (await ask('GET', PATH, headers)).json();

  it('are listed with browser, address and times, and the one that asks is marked', async () => {
    const first = headersOf(await signIn({ 'User-Agent': FIREFOX, 'X-Forwarded-For': '192.0.2.7' }));
    const began = new Date(app.clock.at).toISOString();
    app.clock.at += 30_000;
    const second = headersOf(await signIn({ 'User-Agent': 'x'.repeat(1000), 'X-Forwarded-For': '2001:db8::7' }));
    const answer = await ask('GET', PATH, first);
    assert.equal(answer.headers.get('Cache-Control'), 'no-store');
    const [newer, older] = answer.json();
    assert.deepEqual(
      { ...older, id: null },
      {
        id: null,
        current: true,
        user_agent: FIREFOX,
        ip_address: '192.0.2.7',
        created_at: began,
        last_used_at: began,
        expires_at: new Date(Date.parse(began) + SESSION_LIMITS.maxMs).toISOString(),
      },
    );
    assert.deepEqual([newer.current, newer.user_agent, newer.ip_address], [false, 'x'.repeat(200), '2001:db8::7']);
    assert.deepEqual(
      (await list(second)).map(({ current }: { current: boolean }) => current),
      [true, false],
    );
    for (const { id } of [newer, older]) {
      assert.match(id, /^[0-9a-f]{16}$/);
      const forged = { Cookie: `errgate_session=${id}`, 'X-CSRF-Token': csrfTokenOf(id) };
      assert.equal((await ask('GET', PATH, forged)).status, 401);
    }
  });

  it('have the address and the time of their last use', async () => {
    const headers = headersOf(await signIn({ 'X-Forwarded-For': '192.0.2.7' }));
    app.clock.at += 120_000;
    const get = () => app.ask('GET', PATH, { headers: { ...headers, 'X-Forwarded-For': '192.0.2.99' } });
    await eventually(
      async () => (await get()).json()[0],
      (listed) => listed.ip_address === '192.0.2.99' && Date.parse(listed.last_used_at) === app.clock.at,
    );
  });

  it('are those of nobody else, and none that ended', async () => {
    const headers = await givenSession(app, user);
    const other = await givenSession(app, await givenPassword(app.store, PASSWORD));
    const [own] = await list(headers);
    assert.equal((await list(headers)).length, 1);
    assert.equal((await ask('DELETE', `${PATH}/${own.id}`, other)).status, 404);
    for (const id of ['x', own.id.slice(1), `${own.id}0`, '%00']) {
      assert.equal((await ask('DELETE', `${PATH}/${id}`, headers)).status, 404, id);
    }
    app.clock.at += SESSION_LIMITS.idleMs;
    const later = await givenSession(app, user);
    assert.equal((await list(later)).length, 1);
  });

  it('end one by one, at once here and within two seconds on another gateway', async () => {
    const [here, there] = [await givenSession(app, user), await givenSession(app, user)];
    const elsewhere = createWebSessions({ store: app.store, clock: app.clock, limits: SESSION_LIMITS });
    const idThere = there.Cookie.slice('errgate_session='.length);
    assert.notEqual(await elsewhere.find(idThere, null), null);
    const { id } = (await list(here)).find(({ current }: { current: boolean }) => !current);
    const forged = await app.ask('DELETE', `${PATH}/${id}`, { headers: { Cookie: here.Cookie } });
    assert.deepEqual([forged.status, forged.json().code], [403, 'csrf_token_invalid']);
    const ended = await ask('DELETE', `${PATH}/${id}`, here);
    assert.deepEqual([ended.status, ended.headers.get('Set-Cookie')], [204, null]);
    assert.equal((await ask('GET', PATH, there)).status, 401);
    app.clock.at += 2000;
    assert.equal(await elsewhere.find(idThere, null), null);
    assert.equal((await ask('DELETE', `${PATH}/${id}`, here)).status, 404);
    const [own] = await list(here);
    const out = await ask('DELETE', `${PATH}/${own.id}`, here);
    assert.equal(out.status, 204);
    assert.match(out.headers.get('Set-Cookie') ?? '', /^errgate_session=; Max-Age=0/);
    assert.equal((await ask('GET', PATH, here)).status, 401);
  });

  it('end all but this one, which becomes a new one', async () => {
    const [here, there] = [await givenSession(app, user), await givenSession(app, user)];
    const answer = await ask('DELETE', '/-/sessions?others=true', here);
    assert.equal(answer.status, 200, answer.text);
    const renewed = headersOf(answer);
    assert.notEqual(renewed.Cookie, here.Cookie);
    for (const former of [here, there]) assert.equal((await ask('GET', PATH, former)).status, 401);
    const [only, ...more] = await list(renewed);
    assert.deepEqual([only.current, more], [true, []]);
  });

  it('are listed and ended by a token of the scope that fits, none of which is the current one', async () => {
    await givenSession(app, user);
    const { text: token } = await givenToken(app.store, user);
    const { text: reading } = await givenToken(app.store, user, ['read_api']);
    const [listed] = (await app.get(PATH, reading)).json();
    assert.equal(listed.current, false);
    assert.equal((await app.ask('DELETE', `${PATH}/${listed.id}`, { token: reading })).status, 403);
    const { token: strange } = await givenPerson(app.store);
    assert.equal((await app.ask('DELETE', `${PATH}/${listed.id}`, { token: strange })).status, 404);
    assert.equal((await app.ask('DELETE', `${PATH}/${listed.id}`, { token })).status, 204);
    assert.deepEqual((await app.get(PATH, token)).json(), []);
  });
});
