import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { User } from '../../../src/domain/projects/account.ts';
import { givenSession } from '../../support/browser-session.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenPassword } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'correct horse';

describeOnStores('signing in while others guess passwords', (kind) => {
  let proxied: RunningApp;
  let user: User;
  before(async () => {
    proxied = await startApp(kind, { trustedProxies: ['127.0.0.0/8', '::1'] });
  });
  after(() => proxied.close());
  beforeEach(async () => {
    user = await givenPassword(proxied.store, PASSWORD);
    proxied.clock.at += 3_600_000;
  });

  const attempt = (address: string, password: string, mark = '', username = user.username) =>
    proxied.ask('POST', '/-/session', {
      body: { username, password },
      headers: { 'X-Forwarded-For': address, ...(mark === '' ? {} : { Cookie: mark }) },
    });
  const markOf = (answer: Answer) => answer.headers.getSetCookie()[1]?.split(';', 1)[0] ?? '';
  const guess = async () => {
    for (let turn = 1; turn <= 10; turn += 1) {
      assert.equal((await attempt(`203.0.113.${turn}`, 'wrong')).status, 401);
    }
    assert.equal((await attempt('203.0.113.11', PASSWORD)).status, 429);
  };

  it('counts sign-ins by outcome', async () => {
    const counted = async (outcome: string) => {
      const { values } = await proxied.deps.metrics.signIns.get();
      return values.find(({ labels }) => labels.way === 'password' && labels.outcome === outcome)?.value ?? 0;
    };
    const outcomes = ['ok', 'refused', 'unavailable'];
    const before = await Promise.all(outcomes.map(counted));
    await guess();
    const credentials = proxied.store.credentials.bind(proxied.store);
    proxied.store.credentials = () => Promise.reject(new AppError('store_unavailable', 'x'));
    assert.equal((await attempt('192.0.2.9', PASSWORD, '', 'nobody')).status, 503);
    proxied.store.credentials = credentials;
    proxied.clock.at += 3_600_000;
    assert.equal((await attempt('192.0.2.1', PASSWORD)).status, 200);
    const after = await Promise.all(outcomes.map(counted));
    assert.deepEqual(
      after.map((value, at) => value - (before[at] ?? 0)),
      [1, 11, 1],
    );
  });

  it('lets a browser in that has signed in before, with a limit of its own', async () => {
    const mark = markOf(await attempt('192.0.2.1', PASSWORD));
    await guess();
    const again = await attempt('203.0.113.1', PASSWORD, mark);
    assert.equal(again.status, 200);
    for (let turn = 1; turn <= 10; turn += 1) {
      assert.equal((await attempt(`192.0.2.${turn}`, 'wrong', markOf(again))).status, 401);
    }
    assert.equal((await attempt('192.0.2.11', PASSWORD, mark)).status, 429, 'a mark is one browser');
    assert.equal((await attempt('192.0.2.11', PASSWORD, markOf(again))).status, 429);
  });

  it('ignores marks of another user, old ones and forged ones', async () => {
    const mark = markOf(await attempt('192.0.2.1', PASSWORD));
    const other = await givenPassword(proxied.store, PASSWORD);
    const others = markOf(await attempt('192.0.2.2', PASSWORD, '', other.username));
    await guess();
    const forged = `${mark.slice(0, -4)}AAAA`;
    for (const worthless of [others, forged, 'errgate_browser=x', `${mark}.x`]) {
      assert.equal((await attempt('192.0.2.3', PASSWORD, worthless)).status, 429, worthless);
    }
    assert.equal((await attempt('192.0.2.3', PASSWORD, mark, user.username.toUpperCase())).status, 200);
    proxied.clock.at += 181 * 86_400_000;
    await guess();
    assert.equal((await attempt('192.0.2.3', PASSWORD, mark)).status, 429);
  });

  it('accepts the present password of a user that is signed in', async () => {
    const session = await givenSession(proxied, user);
    await guess();
    const answer = await proxied.ask('PUT', '/-/session/password', {
      headers: { ...session, 'X-Forwarded-For': '203.0.113.1' },
      body: { current_password: PASSWORD, password: 'another horse' },
    });
    assert.equal(answer.status, 200, answer.text);
  });
});
