import assert from 'node:assert/strict';
import { hashPassword } from '../../../src/auth/password.ts';
import { LocalIssuer, makePerson as person } from '../../support/local-issuer.ts';
import { startSignOn, type SignOnWorld, type TestBrowser } from '../../support/sign-on-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const MINUTE_MS = 60_000;

describeOnStores('sessions of an identity provider after a change of the password', (kind) => {
  let issuer: LocalIssuer;
  let world: SignOnWorld;

  before(async () => {
    issuer = await LocalIssuer.start();
    world = await startSignOn(kind, issuer, {});
  });
  after(async () => {
    await world.app.close();
    await issuer.close();
  });
  beforeEach(() => {
    issuer.refreshTokens = true;
  });

  const pass = (ms: number): void => {
    world.app.clock.at += ms;
  };
  const isIn = async (browser: TestBrowser) => (await browser.session()).user !== null;

  const [FIRST, SECOND] = ['a long enough one', 'another long enough one'];

  /** Signs a person in who may use a password, too. */
  async function withPassword() {
    const ada = person();
    const former = (await (await world.signIn(ada)).browser.session()).user?.id ?? 0;
    await world.app.store.updateUser(former, { passwordAllowed: true });
    await world.app.store.setPasswordHash(former, await hashPassword(FIRST));
    const { browser } = await world.signIn(ada);
    return { ada, browser, session: await browser.session() };
  }
  const change = (browser: TestBrowser, csrf: string) =>
    browser.ask('PUT', '/-/session/password', { 'X-CSRF-Token': csrf }, { current_password: FIRST, password: SECOND });

  it('stay tied to the provider, which ends them', async () => {
    const { ada, browser, session } = await withPassword();
    const { deps } = world.app;
    deps.secondFactors = { ...deps.secondFactors, required: true };
    pass(10 * MINUTE_MS);
    const answer = await change(browser, session.csrf_token);
    assert.deepEqual([answer.status, answer.json().must_set_up_second_factor], [200, false], answer.text);
    deps.secondFactors = { ...deps.secondFactors, required: false };
    issuer.gone.add(ada.sub);
    pass(4 * MINUTE_MS);
    assert.ok(await isIn(browser), 'the last check is that of the session before');
    pass(MINUTE_MS);
    assert.equal(await isIn(browser), false);
  });

  it('end at the time at which the one before would have', async () => {
    issuer.refreshTokens = false;
    const { browser, session } = await withPassword();
    pass(23 * 60 * MINUTE_MS);
    assert.equal((await change(browser, session.csrf_token)).status, 200);
    assert.ok(await isIn(browser));
    pass(61 * MINUTE_MS);
    assert.equal(await isIn(browser), false);
  });
});
