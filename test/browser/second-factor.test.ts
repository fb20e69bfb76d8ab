import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { tabTo } from '../support/browser-focus.ts';
import { describeInBrowser, PASSWORD, sees, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';

/** Code of a time step from now on, which the service takes where clocks differ. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

describeInBrowser(
  'a second factor that everybody needs, with the keyboard alone',
  (world) => {
    async function typePassword(page: Page): Promise<void> {
      await page.goto('/users/sign_in');
      await page.getByLabel('Username').waitFor();
      await page.keyboard.type(world().service.first.username);
      await tabTo(page, /^input Password$/);
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
    }

    it('is set up before anything else, asked for when signing in, and shown with the sessions', async () => {
      const page = await world().page({ stranger: true, expected: /401|403/ });
      await typePassword(page);
      await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
      await page.goto(world().list);
      await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
      await tabTo(page, /^input Current password$/);
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
      await shoot(page, 'second-factor-set-up');
      await assertAccessible(page);
      const secret = (await page.locator('.copy-line code').first().textContent()) ?? '';
      // The field has the focus.
      await page.keyboard.type(codeOf(secret));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
      await shoot(page, 'second-factor-recovery-codes');
      await assertAccessible(page);
      await tabTo(page, /^button I have saved them$/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Error Tracking' }).waitFor();

      const other = await world().page({ stranger: true, expected: /401/ });
      await typePassword(other);
      await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await shoot(other, 'second-factor-code');
      await assertAccessible(other);
      await other.keyboard.type('000000');
      await other.keyboard.press('Enter');
      await sees(other, 'The code is wrong, or was used before.');
      await other.keyboard.type(codeOf(secret, 1));
      await other.keyboard.press('Enter');
      await other.getByTitle('Your profile').waitFor();

      await other.goto('/-/profile');
      await sees(other, /10 recovery codes/);
      await sees(other, /Chrome on Linux/);
      await assertAccessible(other);
      await shoot(other, 'profile-second-factor', true);
      await tabTo(other, /^button Sign out (Headless )?Chrome/i);
      await other.keyboard.press('Enter');
      await sees(other, 'That browser is signed out');
      await page.goto('/-/profile');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('fits a phone', async () => {
      const page = await world().page({ stranger: true, dark: true, phone: true });
      await page.goto('/users/sign_in');
      await page.getByLabel('Username').fill(world().service.first.username);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await shoot(page, 'second-factor-code-dark-phone');
      await assertAccessible(page);
      await assertFits(page);
      assert.equal(await page.getByLabel('Password').count(), 0);
    });
  },
  { env: { ERRGATE_SECOND_FACTOR_REQUIRED: 'true' } },
);
