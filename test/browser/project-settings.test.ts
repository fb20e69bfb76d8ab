import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

interface Key {
  readonly id: number;
  readonly active: boolean;
  readonly public_key: string;
  readonly thirdparty_dsn: string;
}

describeInBrowser('the settings of a project', (world) => {
  const api = () => `/projects/${world().service.first.project_id}/error_tracking`;
  const keys = async () => (await world().api('GET', `${api()}/client_keys`)) as Key[];
  const address = () => `/${world().service.first.project_path}/-/settings/operations`;

  it('labels the DSN with its key: the one that is used, until a rotation replaces it', async () => {
    await world().api('PATCH', `${api()}/settings`, { active: true, integrated: true });
    const [used] = (await keys()).filter(({ active }) => active);
    assert.ok(used !== undefined);
    await sendEvent({ url: world().url, dsn: used.thirdparty_dsn }, { message: 'sent with the used key' });
    await eventually(
      async () => (await world().api('GET', `${api()}/client_keys?usage=true`)) as readonly { last_used_at: unknown }[],
      (all) => all.some(({ last_used_at: at }) => at !== null),
    );
    await world().api('POST', `${api()}/client_keys`);
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('heading', { name: `DSN of ${used.public_key.slice(0, 13)}…` }).waitFor();
    await page.getByText(used.thirdparty_dsn, { exact: true }).waitFor();
  });

  it('renames, moves and deletes the project; deleting is for owners', async () => {
    const made = { path: 'demo/to-move', name: 'To move' };
    const { id } = (await world().api('POST', '/projects', made)) as { readonly id: number };
    await world().person('mora');
    await world().api('POST', `/projects/${id}/members`, { username: 'mora', access_level: 40 });
    const theirs = await world().page({ as: 'mora' });
    await theirs.goto('/demo/to-move/-/settings/operations');
    await theirs.getByLabel('Name').waitFor();
    assert.equal(await theirs.getByRole('button', { name: 'Delete project' }).count(), 0);
    const page = await world().page();
    await page.goto('/demo/to-move/-/settings/operations');
    const save = page.getByRole('button', { name: 'Save project' });
    await page.getByLabel('Name').fill('Moved');
    await page.getByLabel('Path').fill('demo/shop');
    await save.click();
    await page
      .getByRole('alert')
      .filter({ hasText: /already exists/ })
      .waitFor();
    await page.getByLabel('Path').fill('acme/moved');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/acme/moved/-/settings/operations');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Moved');
    assert.ok(await save.isDisabled());
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Delete project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this project?' });
    await dialog.getByLabel('Type its path to confirm').fill('acme/moved');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await sees(page, 'acme/moved was deleted');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });
});
