import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

interface Key {
  readonly id: number;
  readonly active: boolean;
  readonly public_key: string;
  readonly thirdparty_dsn: string;
}

describeInBrowser('the rotation of a client key', (world) => {
  const api = () => `/projects/${world().service.first.project_id}/error_tracking`;
  const keys = async () => (await world().api('GET', `${api()}/client_keys`)) as Key[];
  const address = () => `/${world().service.first.project_path}/-/settings/operations`;

  it('goes step by step, also over several visits: both keys work until the old one is disabled', async () => {
    const page = await world().page();
    const [old] = (await keys()).filter(({ active }) => active);
    assert.ok(old !== undefined);
    await page.goto(address());
    await page.getByRole('button', { name: `Rotate ${old.public_key.slice(0, 13)}…` }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate the key' });
    await dialog.getByText('Step 1 of 3').waitFor();
    const focused = page.locator(':focus');
    await dialog.getByRole('button', { name: 'Create the new key' }).and(focused).press('Enter');
    await dialog.getByText('Step 2 of 3').waitFor();
    await dialog.getByText('Update the DSN in your applications and deploy.').waitFor();
    await dialog.getByRole('button', { name: 'Continue' }).and(focused).waitFor();
    await assertAccessible(page);
    const fresh = (await keys()).at(-1);
    assert.ok(fresh !== undefined && fresh.id !== old.id);
    assert.equal(await dialog.getByText(fresh.thirdparty_dsn).count(), 1);
    for (const dsn of [old.thirdparty_dsn, fresh.thirdparty_dsn]) {
      await sendEvent({ url: world().url, dsn }, { message: 'both keys are taken' });
    }
    // Whoever comes back goes on with this rotation, and is given the new DSN.
    await dialog.getByRole('button', { name: 'Later' }).click();
    await page.reload();
    await sees(page, `replaced by ${fresh.public_key.slice(0, 13)}…`);
    assert.equal(await page.getByText(fresh.thirdparty_dsn).count(), 1);
    await assertAccessible(page);
    await page.goto(`${world().list}/setup`);
    await page.getByLabel('Example code').getByText(fresh.thirdparty_dsn).waitFor();
    await page.goto(address());
    await page.getByRole('button', { name: `Continue rotation of ${old.public_key.slice(0, 13)}…` }).click();
    await dialog.getByText('Step 2 of 3').waitFor();
    assert.equal((await keys()).at(-1)?.id, fresh.id, 'no further key is made');
    assert.equal(await dialog.getByText(fresh.thirdparty_dsn).count(), 1);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Step 3 of 3').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).and(focused).waitFor();
    await shoot(page, 'settings-rotate');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Disable the old key' }).click();
    await sees(page, 'The old key is disabled');
    assert.deepEqual(
      (await keys()).filter(({ active }) => active).map(({ id }) => id),
      [fresh.id],
    );
    // The service learns of it within two seconds.
    const refused = () =>
      sendEvent({ url: world().url, dsn: old.thirdparty_dsn }, { message: 'too late' }).then(
        () => false,
        () => true,
      );
    await eventually(refused, (is) => is);
    await page.getByText(fresh.thirdparty_dsn).waitFor();
    assert.equal(await page.getByText('replaced by').count(), 0);
  });
});
