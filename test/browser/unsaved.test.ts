import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { fillInTracker } from '../support/browser-tracker-form.ts';
import { describeInBrowser, PASSWORD, sees, shoot } from '../support/browser.ts';

const TOKEN = 'not-to-be-kept-anywhere';

describeInBrowser('settings that are not saved', (world) => {
  const address = () => `/${world().service.first.project_path}/-/settings/operations`;
  const open = async (page: Page) => {
    await page.goto(address());
    await sees(page, 'Scrubbing and limits');
    await page.getByLabel('Fields to hide').waitFor();
  };
  const members = (page: Page) => page.getByRole('link', { name: 'Members' });

  it('ask before they are lost, in each form', async () => {
    const page = await world().page();
    await open(page);
    await members(page).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await page.goBack();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByLabel('Fields to hide').fill('iban');
    await members(page).click();
    await dialog.waitFor();
    await shoot(page, 'settings-unsaved');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByLabel('Fields to hide').inputValue(), 'iban');
    const asked: string[] = [];
    page.on('dialog', (native) => {
      asked.push(native.type());
      void native.accept();
    });
    await page.reload();
    assert.deepEqual(asked, ['beforeunload']);
    await page.getByLabel('Active').uncheck();
    await members(page).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await page.goBack();
    await sees(page, 'Scrubbing and limits');
    assert.equal(await page.getByLabel('Active').isChecked(), true);
    await page.getByLabel('Fields to hide').fill('iban');
    await page.getByRole('button', { name: 'Save scrubbing and limits' }).click();
    await sees(page, 'Scrubbing and limits saved');
    await members(page).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
  });

  it('are there again after a new sign-in, without the token', async () => {
    const page = await world().page();
    await open(page);
    await fillInTracker(page, 'https://tracker.example.com', TOKEN);
    await page.getByLabel('Fields to hide').fill('passport');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByLabel('Username').fill(world().service.first.username);
    assert.equal((await page.evaluate<string>('JSON.stringify(sessionStorage)')).includes(TOKEN), false);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await sees(page, 'Enter the auth token again.');
    assert.equal(await page.getByRole('radio', { name: 'Third-party' }).isChecked(), true);
    assert.equal(await page.getByLabel('API URL').inputValue(), 'https://tracker.example.com');
    assert.equal(await page.getByLabel('Auth token').inputValue(), '');
    assert.equal(await page.getByLabel('Fields to hide').inputValue(), 'passport');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Save scrubbing and limits' }).click();
    await sees(page, 'Scrubbing and limits saved');
    await page.reload();
    await sees(page, 'Scrubbing and limits');
    assert.equal(await page.getByText('before you signed in again').count(), 0, 'kept once');
  });
});
