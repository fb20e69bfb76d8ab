import assert from 'node:assert/strict';
import { EXTERNAL, startSignOn, type SignOnWorld, type TestBrowser } from '../../support/sign-on-world.ts';
import { ProviderBrowser, PROVIDER_CLIENT, TestProvider } from '../../support/oidc-provider.ts';
import { SQLITE } from '../../support/test-stores.ts';

const ADA = { preferred_username: 'ada', name: 'Ada', email: 'ada@shop.test', email_verified: true, groups: ['shop'] };

describe('sign-in with a certified OpenID Provider', () => {
  let provider: TestProvider | null = null;
  let world: SignOnWorld;

  before(async () => {
    const groupRoles = [{ group: 'shop', path: 'shop', role: 'developer' }] as const;
    const issuer = {
      get url() {
        return provider?.url ?? 'http://127.0.0.1:9';
      },
      client: PROVIDER_CLIENT,
    };
    world = await startSignOn(SQLITE, issuer, { groupRoles });
    provider = await TestProvider.start(EXTERNAL, `${world.app.url}/users/auth/oidc/logout`);
    provider.people.set('ada', ADA);
    world.configure({});
  });
  after(async () => {
    await world.app.close();
    await provider?.close();
  });

  const there = (): TestProvider => provider ?? assert.fail('the provider has not started');

  async function signIn(account: string) {
    there().next = account;
    const [browser, elsewhere] = [world.browser(), new ProviderBrowser()];
    const back = new URL((await elsewhere.follow(await browser.begin('/shop/web'))).url);
    return { browser, elsewhere, back, answer: await browser.back(back) };
  }
  const rolesOf = async (browser: TestBrowser) => {
    const { user } = await browser.session();
    return (await world.app.store.grantedRoles(user?.id ?? 0)).map(({ path }) => path);
  };

  it('makes the account with its roles, and accepts each code once', async () => {
    const { browser, back, answer } = await signIn('ada');
    assert.deepEqual([answer.status, answer.headers.get('Location')], [303, `${EXTERNAL}/shop/web`], answer.text);
    assert.equal((await browser.session()).user?.username, 'ada');
    assert.deepEqual(await rolesOf(browser), ['shop']);
    const replayed = world.browser();
    await replayed.begin();
    assert.equal((await replayed.back(back)).status, 400);
  });

  it('checks a session with its refresh token, which is replaced each time', async () => {
    const { browser } = await signIn('ada');
    const begin = world.app.clock.at;
    for (const [minutes, groups] of [
      [16, []],
      [32, ['shop']],
    ] as const) {
      // prettier-ignore
      there().people.set('ada', { ...ADA, groups });
      world.app.clock.at = begin + minutes * 60_000;
      assert.ok((await browser.session()).user !== null);
      assert.deepEqual(await rolesOf(browser), groups.length === 0 ? [] : ['shop']);
    }
  });

  it('signs out there, which ends the other session here (back-channel logout)', async () => {
    const { browser, elsewhere } = await signIn('ada');
    // A second browser of the same session at the provider.
    const second = world.browser();
    await second.back(new URL((await elsewhere.follow(await second.begin())).url));
    const { user, csrf_token: csrf } = await browser.session();
    assert.equal((await second.session()).user?.id, user?.id);
    const answer = await browser.ask('DELETE', '/-/session', { 'X-CSRF-Token': csrf });
    const form = await elsewhere.follow(answer.json().url);
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(form.text ?? '') ?? [];
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    const { url } = await elsewhere.follow(`${there().url}/session/end/confirm`, { method: 'POST', body });
    assert.equal(url, `${EXTERNAL}/users/sign_in`);
    world.app.clock.at += 2000;
    assert.equal((await second.session()).user, null);
  });
});
