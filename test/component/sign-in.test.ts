import assert from 'node:assert/strict';
import { describeInDom, PASSWORD, sees } from '../support/dom.ts';

describeInDom(
  'the sign-in page',
  (world) => {
    it('says what is wrong, and keeps the entries', async () => {
      const page = await world().page({ stranger: true });
      await page.goto('/users/sign_in');
      await page.getByLabel('Username').fill('root');
      await page.getByLabel('Password').fill('not it at all');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').filter({ hasText: 'Wrong username or password.' }).waitFor();
      assert.equal(await page.getByLabel('Username').inputValue(), 'root');
    });

    it('changes the first password, which is then removed from its file; signing out ends the session', async () => {
      const page = await world().page({ stranger: true });
      const { username, password } = world().service.first;
      await page.goto('/users/sign_in');
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await sees(page, '8 to 128 characters; not your username, and not a common password.');
      await sees(page, /you are asked again when you sign in next/);
      assert.equal(await page.getByLabel('Current password').count(), 0, 'it was typed just before');
      await page.reload();
      await page.getByLabel('Current password').fill('wrong');
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('Confirm new password').fill('something else');
      await sees(page, 'Passwords do not match.');
      await page.getByLabel('Confirm new password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Change password' }).click();
      await sees(page, 'The current password is wrong.');
      await page.getByLabel('Current password').fill(password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('heading', { name: 'Projects' }).waitFor();

      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(world().list);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  },
  { keepFirstPassword: true },
);

describeInDom('a session that another tab replaced while a request was on its way', (world) => {
  it('is found, and the request is repeated; the page stays', async () => {
    const page = await world().page();
    let refused = 0;
    await page.route('**/api/v4/error_tracking/projects?**', (route) => {
      refused += 1;
      return refused === 1 ? route.fulfill({ status: 401, json: { message: '401 Unauthorized' } }) : route.fetch();
    });
    await page.goto('/');
    await page.getByRole('link', { name: 'demo/shop' }).waitFor();
    assert.ok(refused > 1);
    assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 0);
  });

  it('is found also where its cookie arrives a moment later', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await page.getByTitle('Your profile').waitFor();
    let asked = 0;
    await page.route('**/api/v4/error_tracking/projects?**', (route) =>
      asked === 0 ? route.fulfill({ status: 401, json: { message: '401 Unauthorized' } }) : route.fetch(),
    );
    await page.route('**/-/session', async (route) => {
      asked += 1;
      const response = await route.fetch();
      const session = (await response.json()) as object;
      return route.fulfill({ response, json: asked === 1 ? { ...session, user: null, csrf_token: null } : session });
    });
    await page.getByRole('link', { name: 'errgate' }).click();
    await page.getByRole('link', { name: 'demo/shop' }).waitFor();
    assert.ok(asked >= 2);
  });

  it('leads to the sign-in where it was ended', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await page.getByTitle('Your profile').waitFor();
    await page.route('**/-/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as object;
      return route.fulfill({ response, json: { ...session, user: null, csrf_token: null } });
    });
    await page.route('**/api/v4/error_tracking/projects?**', (route) =>
      route.fulfill({ status: 401, json: { message: '401 Unauthorized' } }),
    );
    await page.getByRole('link', { name: 'errgate' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await sees(page, /session has ended/i);
  });
});
