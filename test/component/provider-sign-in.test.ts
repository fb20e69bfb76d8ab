import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { PASSWORD } from '../support/browser-people.ts';
import { describeInDom, sees } from '../support/dom.ts';

/** A provider that is away: the pages need only its name. */
const PROVIDER = {
  ERRGATE_OIDC_ISSUER: 'http://127.0.0.1:9',
  ERRGATE_OIDC_CLIENT_ID: 'errgate',
  ERRGATE_OIDC_NAME: 'Acme',
};

describeInDom(
  'sign-in with an identity provider',
  (world) => {
    it('is offered beside the form, and leads back to the page that was asked for', async () => {
      const page = await world().page({ stranger: true });
      await page.goto(`${world().list}?sort=users`);
      const link = page.getByRole('link', { name: 'Sign in with Acme' });
      await link.waitFor();
      const { pathname, searchParams } = new URL((await link.getAttribute('href')) ?? '', world().url);
      assert.equal(pathname, '/users/auth/oidc');
      assert.equal(searchParams.get('return_to'), `${world().list}?sort=users`);
      assert.equal(await page.getByLabel('Username').count(), 1);
    });

    it('is connected on the profile, which says when the provider is away', async () => {
      const page = await world().page();
      await page.goto('/-/profile');
      const password = page.getByLabel('Password here');
      await password.fill('not it');
      await page.getByRole('button', { name: 'Connect Acme' }).click();
      await sees(page, /The current password is wrong/);
      await password.fill(PASSWORD);
      await page.getByRole('button', { name: 'Connect Acme' }).click();
      await sees(page, /Acme cannot be reached at the moment/);
    });

    it('is disconnected on the profile, which says why it cannot be', async () => {
      const page = await world().page();
      const identity = {
        ...{ id: 7, provider: 'https://sso.test', extern_uid: 'a', username: 'ada-there' },
        last_sign_in_at: '2026-01-01T00:00:00.000Z',
      };
      let connected = [identity];
      await page.route('**/api/v4/user', async (route) => {
        const response = await route.fetch();
        return route.fulfill({ response, json: { ...((await response.json()) as object), identities: connected } });
      });
      let answers = [409, 204];
      await page.route('**/api/v4/user/identities/7', (route) => {
        const [status = 500, ...rest] = answers;
        answers = rest;
        if (status !== 204) return route.fulfill({ status, json: { message: 'This is the only way to sign in.' } });
        connected = [];
        return route.fulfill({ status });
      });
      await page.goto('/-/profile');
      await page.getByRole('button', { name: 'Disconnect ada-there at https://sso.test' }).click();
      const dialog = page.getByRole('dialog', { name: 'Disconnect the account?' });
      await assertAccessible(page);
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      await sees(page, 'This is the only way to sign in.');
      await dialog.getByRole('button', { name: 'Disconnect' }).click();
      await sees(page, 'The account is disconnected.');
      await page.getByRole('button', { name: 'Connect Acme' }).waitFor();
    });
  },
  { env: PROVIDER },
);

describeInDom(
  'the sign-in page without passwords',
  (world) => {
    it('keeps the form for those who may use it', async () => {
      const page = await world().page({ stranger: true });
      await page.goto('/users/sign_in');
      await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
      await page.getByText('Sign in with a password').click();
      const { username } = world().service.first;
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill('whatever it is');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').filter({ hasText: 'Wrong username or password.' }).waitFor();
    });
  },
  { env: { ...PROVIDER, ERRGATE_PASSWORD_SIGN_IN: 'false' }, keepFirstPassword: true },
);
