import assert from 'node:assert/strict';
import { describeInBrowser, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

describeInBrowser('the pages around the errors', (world) => {
  it('create an access token, show it once, and revoke it', async () => {
    const page = await world().page();
    await page.goto('/-/profile/personal_access_tokens');
    await page.waitForURL(`${world().url}/-/profile`);
    await sees(page, 'Tokens have your permissions.');
    await sees(page, 'Browsers that you are signed in with.');
    await page.getByRole('button', { name: 'Add new token' }).click();
    await page.getByLabel('Expires (never if empty)').waitFor();
    await sees(page, 'Read only, no client keys.');
    await page.getByLabel('Token name').fill('nightly report');
    await page.getByLabel('Description').fill('Mails the counts of the day');
    await page.getByRole('radio', { name: 'read_api' }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.locator('.callout code').textContent();
    assert.ok(token !== null);
    const ask = async () => (await fetch(`${world().url}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': token } })).status;
    const row = page.getByRole('row').filter({ hasText: 'nightly report' });
    await row.locator('[data-label="Last used"]').getByText('Never').waitFor();
    await row.getByText('Mails the counts of the day').waitFor();
    assert.equal(await ask(), 200);
    const lastUse = async () =>
      ((await world().api('GET', '/personal_access_tokens')) as { name: string; last_used_at: string | null }[]).find(
        ({ name }) => name === 'nightly report',
      )?.last_used_at;
    await eventually(lastUse, (at) => typeof at === 'string');
    await page.reload();
    await row.locator('[data-label="Last used"]').getByText('just now').waitFor();
    await page.getByRole('button', { name: 'Revoke nightly report' }).waitFor();
    assert.equal((await page.content()).includes(token), false);
    await page.getByRole('button', { name: 'Revoke nightly report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await sees(page, 'The token was revoked');
    // The service learns of it within two seconds.
    await eventually(ask, (status) => status === 401);
  });

  it('sign out everywhere', async () => {
    const [page, other] = [await world().page(), await world().page()];
    await page.goto('/-/profile');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.goto('/-/profile');
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
