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
