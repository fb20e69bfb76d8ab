import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeInBrowser, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { CLIENT, KEYCLOAK, KeycloakAdmin } from '../support/keycloak.ts';

const GROUP_ROLES = [
  { group: '/shop/maintainers', path: 'shop', role: 'maintainer' },
  { group: '/shop/developers', path: 'shop', role: 'developer' },
  { group: '/api/*', path: 'core/api', role: 'reporter' },
];

if (KEYCLOAK === null) {
  describe('sign-in with Keycloak', () => {
    it('SKIPPED: set ERRGATE_TEST_KEYCLOAK to the issuer of a realm to run it', function () {
      console.log('      sign-in with Keycloak: skipped, ERRGATE_TEST_KEYCLOAK names no realm');
      this.skip();
    });
  });
} else {
  signInWithKeycloak(KEYCLOAK);
}

function signInWithKeycloak(issuer: string): void {
  const admin = new KeycloakAdmin(issuer);
  const realNow = Date.now;
  /** The service runs in this process, and has its clock. */
  const pass = (ms: number): void => {
    Date.now = () => realNow() + ms;
  };

  /** Opens a page that may go to Keycloak, which is another host. */
  const open = (world: BrowserWorld): Promise<Page> => world.page({ stranger: true, expected: /./ });

  async function enter(page: Page, username: string, password: string): Promise<void> {
    await page.locator('#username').fill(username);
    await page.locator('#password').fill(password);
    await page.locator('#kc-login').click();
  }

  async function signIn(world: BrowserWorld, username: string, to = '/'): Promise<Page> {
    const page = await open(world);
    await page.goto(to);
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await enter(page, username, `${username === 'root-admin' ? 'admin' : username}-secret`);
    return page;
  }

  const userOf = async (page: Page) =>
    page.evaluate(async () => {
      const session = await (await fetch('/-/session')).json();
      return session.user as { username: string; admin: boolean } | null;
    });
  const projectsOf = async (page: Page) =>
    page.evaluate(async () => {
      const projects = (await (await fetch('/api/v4/projects')).json()) as { path_with_namespace: string }[];
      return projects.map(({ path_with_namespace: path }) => path).sort();
    });

  describeInBrowser(
    'sign-in with Keycloak',
    (world) => {
      before(async () => {
        await admin.setBackChannel(`${world().url}/users/auth/oidc/logout`);
        for (const path of ['shop/web', 'shop/deep/api', 'core/api', 'other/one']) {
          await world().api('POST', '/projects', { path });
        }
      });
      afterEach(async () => {
        Date.now = realNow;
        await admin.setGroups('ada', ['/shop/maintainers', '/api/reporters']);
        await admin.setGroups('bob', ['/shop/developers']);
        await admin.setEnabled('bob', true);
      });

      it('leads back to the page that was asked for, with the roles of the groups', async () => {
        const page = await open(world());
        await page.goto('/shop/web/-/error_tracking?sort=users');
        await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
        await shoot(page, 'sign-in-provider');
        await assertAccessible(page);
        await page.getByRole('link', { name: 'Sign in with Acme' }).click();
        await enter(page, 'ada', 'ada-secret');
        await page.waitForURL('**/shop/web/-/error_tracking?sort=users');
        assert.deepEqual(await userOf(page).then((user) => [user?.username, user?.admin]), ['ada', false]);
        assert.deepEqual(await projectsOf(page), ['core/api', 'shop/deep/api', 'shop/web']);
        await page.goto('/-/profile');
        await page.getByRole('heading', { name: 'Sign-in with Acme' }).waitFor();
        await sees(page, new RegExp(`ada.*at ${issuer}`));
        assert.equal(await page.getByRole('heading', { name: 'Password' }).count(), 0);
        await shoot(page, 'profile-provider', true);
        await assertAccessible(page);
      });

      it('makes administrators by a group, and no account of an unverified address', async () => {
        const page = await signIn(world(), 'root-admin');
        await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        assert.equal((await userOf(page))?.admin, true);
        const eve = await signIn(world(), 'eve');
        await eve.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        const users = (await world().api('GET', '/users?search=eve')) as { email: string | null }[];
        assert.deepEqual(
          users.map(({ email }) => email),
          [null],
        );
        assert.deepEqual(await projectsOf(eve), []);
      });

      it('takes a role away with its group: at the next sign-in, and after five minutes', async () => {
        const bob = await signIn(world(), 'bob');
        await bob.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        assert.deepEqual(await projectsOf(bob), ['shop/deep/api', 'shop/web']);
        await admin.setGroups('bob', []);
        assert.deepEqual(await projectsOf(bob), ['shop/deep/api', 'shop/web']);
        pass(6 * 60_000);
        assert.deepEqual(await projectsOf(bob), [], 'the last group is gone, and with it the claim');
        Date.now = realNow;

        const ada = await signIn(world(), 'ada');
        await ada.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        await admin.setGroups('ada', ['/api/reporters']);
        await ada.goto('/users/auth/oidc');
        await ada.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        assert.deepEqual(await projectsOf(ada), ['core/api']);
      });

      it('ends the session of a person who is disabled', async () => {
        const page = await signIn(world(), 'bob');
        await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        await admin.setEnabled('bob', false);
        pass(6 * 60_000);
        await page.goto('/');
        await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
        Date.now = realNow;
        assert.equal(await userOf(page), null);
      });

      it('ends sessions that Keycloak ends (back-channel logout)', async () => {
        const page = await signIn(world(), 'ada');
        await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        await admin.signOut('ada');
        await page.reload();
        await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
        assert.equal(await userOf(page), null);
      });

      it('signs out at Keycloak too', async () => {
        await admin.signOut('ada');
        const page = await signIn(world(), 'ada');
        await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
        assert.equal(await admin.sessions('ada'), 1);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
        assert.equal(await admin.sessions('ada'), 0);
        await page.getByRole('link', { name: 'Sign in with Acme' }).click();
        await page.locator('#username').waitFor();
      });

      it('says what a person can do about a refusal', async () => {
        const page = await open(world());
        await page.goto('/users/auth/oidc/callback?code=a&state=b');
        await sees(page, 'You are not signed in');
        await shoot(page, 'sign-in-refused');
        await assertAccessible(page);
        await page.getByRole('link', { name: 'Sign in' }).click();
        await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
      });
    },
    {
      env: {
        ERRGATE_OIDC_ISSUER: issuer,
        ERRGATE_OIDC_CLIENT_ID: CLIENT.id,
        ERRGATE_OIDC_CLIENT_SECRET: CLIENT.secret,
        ERRGATE_OIDC_NAME: 'Acme',
        // Tokens of the realm are valid for five minutes, and the clock of the service runs ahead in these tests.
        ERRGATE_OIDC_CHECK_MINUTES: '5',
        ERRGATE_OIDC_ADMIN_GROUP: '/errgate-admins',
        ERRGATE_OIDC_GROUP_ROLES: JSON.stringify(GROUP_ROLES),
      },
    },
  );
}
