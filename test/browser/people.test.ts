import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeWithOwnService, PASSWORD, sees, shoot } from '../support/browser.ts';

describeWithOwnService('people', (world) => {
  const signIn = async (page: Page, username: string, password: string) => {
    await page.goto('/users/sign_in');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  };
  const row = (page: Page, name: string) => page.locator('tbody tr', { hasText: name });

  it('have an e-mail address that administrators see and change', async () => {
    const page = await world().page();
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Username').fill('emil');
    await page.getByLabel('E-mail (optional)').fill('emil@example.com');
    await page.keyboard.press('Enter');
    await sees(page, 'emil can sign in now');
    await row(page, 'emil@example.com').waitFor();
    await page.getByLabel('Search users').fill('emil@');
    assert.equal(await page.locator('tbody tr').count(), 1);
    await page.getByRole('button', { name: /change e-mail of emil/ }).click();
    const dialog = page.getByRole('dialog', { name: 'E-mail of emil' });
    assert.equal(await dialog.getByLabel('E-mail address').inputValue(), 'emil@example.com');
    await assertAccessible(page);
    await dialog.getByLabel('E-mail address').fill('emil@other.example.com');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'emil@other.example.com').waitFor();
    await page.getByRole('button', { name: /change e-mail of emil/ }).click();
    await dialog.getByLabel('E-mail address').fill('');
    await page.keyboard.press('Enter');
    await sees(page, 'emil has no e-mail address');
    await page.getByLabel('Search users').fill('emil');
    await page.getByRole('button', { name: 'Add e-mail of emil' }).waitFor();
  });

  it('are created, blocked and unblocked by an administrator', async () => {
    const page = await world().page();
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'New user' }).click();
    await sees(page, 'A temporary password is generated and shown once. It must be changed at first sign-in.');
    await assertAccessible(page);
    await page.getByLabel('Username').fill('grace');
    await page.getByLabel('Name (optional)').fill('Grace Hopper');
    await page.getByRole('button', { name: 'Create user' }).click();
    await sees(page, 'grace can sign in now');
    await sees(page, 'Temporary password: must be changed at first sign-in.');
    await shoot(page, 'users-new');
    for (const width of [768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 850 });
      const heights = await page.locator('td .badge').evaluateAll((all) => all.map((one) => one.clientHeight));
      assert.ok(heights.length > 2 && heights.every((height) => height <= 24), `badges of one line at ${width}`);
    }
    await page.setViewportSize({ width: 1360, height: 850 });
    await assertAccessible(page);
    const password = (await page.locator('.callout code').textContent()) ?? assert.fail();
    await row(page, 'Grace Hopper').getByText('Active', { exact: true }).waitFor();
    await page.reload();
    await row(page, 'Grace Hopper').waitFor();
    assert.equal((await page.content()).includes(password), false, 'shown once');

    const hers = await world().page({ stranger: true });
    await signIn(hers, 'grace', password);
    await sees(hers, 'Set a new password');
    await sees(hers, 'Your temporary password stops working');
    assert.equal(await hers.getByText('file').count(), 0, 'only the password of the first start stands in one');
    assert.equal(await hers.getByLabel('Current password').count(), 0, 'it was typed just before');
    await hers.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await hers.getByLabel('Confirm new password').fill(PASSWORD);
    await hers.getByRole('button', { name: 'Change password' }).click();
    await sees(hers, 'No projects yet');

    await page.getByRole('button', { name: 'Block grace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block grace?' });
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Block' }).click();
    await sees(page, 'grace is blocked');
    await row(page, 'Grace Hopper').getByText('Blocked', { exact: true }).waitFor();
    await shoot(page, 'users-blocked');
    await hers.reload();
    await hers.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(hers, 'grace', PASSWORD);
    await hers
      .getByRole('alert')
      .filter({ hasText: /Wrong|blocked/ })
      .waitFor();
    await page.getByRole('button', { name: 'Unblock grace' }).click();
    await sees(page, 'grace is unblocked');
    await signIn(hers, 'grace', PASSWORD);
    await sees(hers, 'No projects yet');
  });

  it('become administrators and stop being it, and get a new password after losing theirs', async () => {
    await world().person('linus');
    const page = await world().page();
    await page.goto('/admin/users');
    await page.getByRole('button', { name: 'Make admin: linus' }).click();
    await sees(page, 'linus is now an administrator');
    const focused = page.locator(':focus');
    await page.getByRole('button', { name: 'Remove admin: linus' }).and(focused).waitFor();
    await page.getByRole('button', { name: 'Remove admin: linus' }).click();
    await sees(page, 'linus is no longer an administrator');
    assert.equal(await page.getByRole('button', { name: 'Block root' }).count(), 0, 'nobody shuts themselves out');

    await page.getByRole('button', { name: 'New password for linus' }).click();
    const dialog = page.getByRole('dialog', { name: 'New password for linus' });
    await dialog.getByLabel('New password').fill('short');
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await dialog.getByRole('alert').filter({ hasText: /8/ }).waitFor();
    await shoot(page, 'users-password');
    await assertAccessible(page);
    await dialog.getByLabel('New password').fill('a password for linus');
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await sees(page, 'linus has a new password');
    const his = await world().page({ stranger: true });
    await signIn(his, 'linus', 'a password for linus');
    await sees(his, 'Set a new password');
    await page.getByLabel('Search users').fill('nobody like it');
    await sees(page, 'No users found.');
  });

  it('are suggested to maintainers when they are members of another project of theirs', async () => {
    for (const name of ['mia', 'otto', 'stranger']) await world().person(name);
    await world().api('POST', '/projects', { path: 'demo/other' });
    const add = (project: string, username: string, access_level: number) =>
      world().api('POST', `/projects/${encodeURIComponent(project)}/members`, { username, access_level });
    await add('demo/shop', 'mia', 40);
    await add('demo/other', 'mia', 10);
    await add('demo/other', 'otto', 20);
    const page = await world().page({ as: 'mia' });
    await page.goto('/demo/shop/-/project_members');
    await page.locator('datalist option[value="otto"]').waitFor({ state: 'attached' });
    assert.equal(await page.locator('datalist option[value="stranger"]').count(), 0);
    await page.getByLabel('Username').fill('otto');
    await page.getByRole('button', { name: 'Add member' }).click();
    await row(page, 'otto').waitFor();
    await page.locator('datalist option[value="otto"]').waitFor({ state: 'detached' });
    await world().api('DELETE', '/projects/demo%2Fother');
  });

  it('become members of a project, with another role, and leave it', async () => {
    await world().person('ada');
    const page = await world().page();
    const hers = await world().page({ as: 'ada' });
    await page.goto('/demo/shop/-/project_members');
    await page.getByLabel('Username').fill('no-such-person');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'No user is named no-such-person. An administrator creates users in' })
      .waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Administration > Users' }).waitFor();
    // Administrators get suggestions, without those who are members already.
    await page.locator('datalist option[value="ada"]').waitFor({ state: 'attached' });
    assert.equal(await page.locator('datalist option[value="root"]').count(), 0);
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Role', { exact: true }).selectOption('Maintainer');
    await sees(page, 'Changes settings, client keys, alerts and members.');
    await page.getByLabel('Role', { exact: true }).selectOption('Reporter');
    await page.getByRole('button', { name: 'Add member' }).click();
    await sees(page, 'ada is now a member');
    await row(page, 'ada').waitFor();
    await shoot(page, 'members-added');
    await assertAccessible(page);

    await hers.goto('/demo/shop/-/project_members');
    await row(hers, 'ada').getByText('Reporter').waitFor();
    assert.equal(await hers.getByRole('button', { name: 'Add member' }).count(), 0);
    assert.equal(await hers.getByRole('button', { name: /^Remove/ }).count(), 0);
    assert.equal(await hers.getByRole('link', { name: 'Settings' }).count(), 0);

    await page.getByLabel('Role of ada').selectOption('Maintainer');
    await sees(page, 'ada is Maintainer now');
    await hers.reload();
    await hers.getByRole('button', { name: 'Leave this project' }).click();
    const question = hers.getByRole('dialog', { name: 'Leave this project?' });
    await question.getByText('You lose access to this project at once').waitFor();
    await assertAccessible(hers);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await hers.getByRole('link', { name: 'Settings' }).waitFor();
    await hers.getByLabel('Role of ada').selectOption('Guest');
    await hers.getByRole('dialog', { name: 'Make ada Guest?' }).getByText('cannot take that back').waitFor();
    await hers.keyboard.press('Escape');
    assert.equal(await hers.getByLabel('Role of ada').inputValue(), '40');

    await page.getByLabel('Role of root').selectOption('Developer');
    const last = page.getByRole('dialog', { name: 'Make root Developer?' });
    await last.getByText('You are the only owner.').waitFor();
    await last.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await page.getByLabel('Role of root').inputValue(), '50');
    await row(page, 'root').getByText('Only owner').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Leave this project' }).count(), 0);

    await page.getByRole('button', { name: 'Remove ada' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove this member?' });
    await dialog.getByText('ada loses access to this project.').waitFor();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter');
    await row(page, 'ada').waitFor({ state: 'detached' });
    await page.getByRole('main').locator(':focus').waitFor();
    await hers.goto(world().list);
    await sees(hers, 'Project not found');
  });

  it('change their password, which signs out their other browsers', async () => {
    await world().person('alan');
    const [page, other] = [await world().page({ as: 'alan' }), await world().page({ as: 'alan' })];
    await other.goto('/');
    await sees(other, 'No projects yet');
    await page.goto('/-/profile');
    const [present, fresh] = [page.getByLabel('Current password'), page.getByLabel('New password', { exact: true })];
    const again = page.getByLabel('Confirm new password');
    const change = page.getByRole('button', { name: 'Change password' });
    await present.fill('not it at all');
    await fresh.fill('another horse battery');
    await again.fill('another horse');
    await sees(page, 'Passwords do not match.');
    assert.ok(await change.isDisabled());
    assert.equal(await fresh.getAttribute('type'), 'password');
    await page.getByRole('button', { name: 'Show characters' }).nth(1).click();
    assert.equal(await fresh.getAttribute('type'), 'text');
    await page.keyboard.press('Space');
    assert.equal(await fresh.getAttribute('type'), 'password');
    await fresh.fill('another horse battery');
    await again.fill('another horse battery');
    await change.click();
    await sees(page, 'The current password is wrong.');
    await shoot(page, 'profile-password');
    await assertAccessible(page);
    await present.fill(PASSWORD);
    await change.click();
    await sees(page, 'Password changed. Other browsers are signed out.');
    assert.equal(await fresh.inputValue(), '');
    await page.reload();
    await sees(page, 'Personal access tokens');
    await other.reload();
    await signIn(other, 'alan', 'another horse battery');
    await sees(other, 'No projects yet');
  });
});
