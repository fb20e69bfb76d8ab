import assert from 'node:assert/strict';
import { createPasswordService } from '../../../src/auth/password-service.ts';
import { createSignInThrottle } from '../../../src/auth/sign-in-throttle.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenPassword } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'a long enough one';

describeOnStores('password sign-in that is switched off', (kind) => {
  let app: RunningApp;

  before(async () => {
    app = await startApp(kind);
    const { store, clock } = app;
    const verify = async (password: string, stored: string) => stored === `test$${password}`;
    app.deps.passwords = createPasswordService({
      store,
      throttle: createSignInThrottle(clock),
      allowed: false,
      verify,
    });
    app.deps.passwordSignIn = false;
  });
  after(() => app.close());

  const signIn = (username: string, password = PASSWORD) =>
    app.ask('POST', '/-/session', { body: { username, password } });

  it('refuses right passwords too, but those of people who may use one', async () => {
    const [ada, root] = [await givenPassword(app.store, PASSWORD), await givenPassword(app.store, PASSWORD)];
    await app.store.updateUser(root.id, { passwordAllowed: true });
    const refused = await signIn(ada.username);
    assert.deepEqual([refused.status, refused.headers.getSetCookie()], [401, []]);
    assert.match(refused.text, /Passwords are not used here/);
    assert.match((await signIn(ada.username, 'wrong')).text, /Invalid username or password/);
    const answer = await signIn(root.username);
    assert.equal(answer.status, 200);
    assert.deepEqual([answer.json().password_sign_in, answer.json().own_password], [false, true]);
  });

  it('is refused to people of an identity provider also where it is on', async () => {
    const { store, clock } = app;
    const verify = async () => true;
    app.deps.passwords = createPasswordService({ store, throttle: createSignInThrottle(clock), verify });
    const ada = await givenPassword(store, PASSWORD);
    await store.updateUser(ada.id, { passwordAllowed: false });
    assert.equal((await signIn(ada.username)).status, 401);
    await store.updateUser(ada.id, { passwordAllowed: null });
    assert.equal((await signIn(ada.username)).status, 200);
  });
});
