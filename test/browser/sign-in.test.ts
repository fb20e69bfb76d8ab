import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { itInFullRun } from '../support/full-run.ts';

describeInBrowser(
  'the sign-in page',
  (world) => {
    it('leads back to the page that was asked for, and asks to change the first password', async () => {
      const page = await world().page({ stranger: true });
      const { username, password } = world().service.first;
      await page.goto(`${world().list}?sort=users`);
      await sees(page, 'Sign in to continue.');
      await shoot(page, 'sign-in');
      await assertAccessible(page);
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill(password);
      await page.keyboard.press('Enter');

      await sees(page, 'Set a new password');
      await sees(page, /and is removed from first-start\.json/);
      await shoot(page, 'first-password');
      await assertAccessible(page);
      await page.getByRole('button', { name: 'Later' }).click();
      await page.getByRole('heading', { name: 'Error Tracking' }).waitFor();
      assert.equal(new URL(page.url()).search, '?sort=users');
      await page.reload();
      await page.getByRole('heading', { name: 'Error Tracking' }).waitFor();
    });

    it('follows no redirect to another site', async () => {
      const page = await world().page({ stranger: true });
      const { username, password } = world().service.first;
      await page.goto('/users/sign_in?return_to=//evil.example/x');
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Later' }).click();
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/');
    });

    itInFullRun('fits both themes and a phone', async () => {
      const page = await world().page({ stranger: true, dark: true, phone: true });
      await page.goto('/users/sign_in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await shoot(page, 'sign-in-dark-phone');
      await assertAccessible(page);
      await assertFits(page);
    });
  },
  { keepFirstPassword: true },
);
