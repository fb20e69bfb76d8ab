import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeInDom, PASSWORD, sees, type DomPage } from '../support/dom.ts';

/** Code of the present time step, or of the next one, which the service takes too. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

describeInDom('the second factor in pages', (world) => {
  async function typePassword(page: DomPage, username: string): Promise<void> {
    await page.goto('/users/sign_in');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Answers each question for the session as where everybody needs a second factor. */
  async function requireFactor(page: DomPage): Promise<void> {
    await page.route('**/-/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as { user: object | null };
      return route.fulfill({ response, json: { ...session, must_set_up_second_factor: session.user !== null } });
    });
  }

  it('is set up on the profile, asked for when signing in, and turned off again', async () => {
    await world().person('faye');
    const page = await world().page({ as: 'faye' });
    await page.goto('/-/profile');
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await page.locator('#factor-password').fill('not it');
    await page.getByRole('button', { name: 'Continue' }).click();
    await sees(page, 'The current password is wrong.');
    await page.locator('#factor-password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await assertAccessible(page);
    const secret = await page.locator('.copy-line code').first().textContent();
    assert.match(secret, /^[A-Z2-7]{32}$/);
    await page.getByLabel('Code that the app shows').fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await sees(page, /The code is wrong/);
    await page.getByLabel('Code that the app shows').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await assertAccessible(page);
    const recovery = await page.locator('li code').first().textContent();
    const second = await page.locator('li code').nth(1).textContent();
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await sees(page, /10 recovery codes/);
    assert.equal(await page.getByText(recovery).count(), 0);

    const other = await world().page({ stranger: true });
    await typePassword(other, 'faye');
    await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await other.getByLabel('Code from your authenticator app').fill('000000');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await sees(other, 'The code is wrong, or was used before.');
    await other.getByLabel('Code from your authenticator app').fill(codeOf(secret, 1));
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByTitle('Your profile').waitFor();

    const third = await world().page({ stranger: true });
    await typePassword(third, 'faye');
    await third.getByRole('button', { name: 'Use a recovery code' }).click();
    await third.getByLabel('Recovery code').fill(recovery);
    await assertAccessible(third);
    await third.getByRole('button', { name: 'Sign in' }).click();
    await third.getByTitle('Your profile').waitFor();

    await third.goto('/-/profile');
    await sees(third, /9 recovery codes/);
    await third.getByRole('button', { name: 'New recovery codes' }).click();
    const asking = third.getByRole('dialog', { name: 'Make new recovery codes?' });
    await asking.getByLabel('Code from your authenticator app').fill(recovery);
    await asking.getByRole('button', { name: 'Make new codes' }).click();
    await sees(third, 'The code is wrong, or was used before.');
    await asking.getByLabel('Code from your authenticator app').fill(second);
    await asking.getByRole('button', { name: 'Make new codes' }).click();
    await third.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    assert.equal(await third.locator('li code').count(), 10);
    assert.equal(await third.getByText(second).count(), 0);
    await third.getByRole('button', { name: 'I have saved them' }).click();
    await sees(third, /10 recovery codes/);
    await third.getByRole('button', { name: 'Turn off' }).click();
    const dialog = third.getByRole('dialog', { name: 'Turn the second factor off?' });
    await dialog.getByLabel('Current password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await sees(third, 'The second factor is off. Other browsers are signed out.');
    await third.getByRole('button', { name: 'Set up a second factor' }).waitFor();
  });

  it('leads back to the password when the code comes too late', async () => {
    const page = await world().page({ stranger: true });
    await page.route('**/-/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as object;
      const none = { user: null, csrf_token: null };
      return route.fulfill({ response, json: { ...session, ...none, second_factor_challenge: 'over' } });
    });
    await page.goto('/users/sign_in');
    await page.getByLabel('Username').fill(world().service.first.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code from your authenticator app').fill('123456');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
    await sees(page, 'The code was entered too late. Sign in with your password again.');
  });

  it('is set up first where everybody needs one', async () => {
    await world().person('gwen');
    const page = await world().page({ stranger: true });
    await requireFactor(page);
    await typePassword(page, 'gwen');
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    assert.equal(await page.locator('#factor-password').count(), 0, 'it was typed just before');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.locator('#factor-password').waitFor();
  });

  it('is reset by an administrator', async () => {
    await world().person('hugo');
    const page = await world().page();
    let isOn = true;
    await page.route('**/api/v4/users?**', async (route) => {
      const response = await route.fetch();
      const users = (await response.json()) as { username: string }[];
      const json = users.map((user) => ({ ...user, two_factor_enabled: isOn && user.username === 'hugo' }));
      return route.fulfill({ response, json });
    });
    await page.route('**/api/v4/users/*/second_factor', (route) => {
      isOn = false;
      return route.fulfill({ status: 204 });
    });
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'Reset second factor of hugo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await sees(page, 'hugo has no second factor any longer');
    assert.equal(await page.getByRole('button', { name: 'Reset second factor of hugo' }).count(), 0);
  });
});
