import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeWithOwnService, sees, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';

describeWithOwnService('groups', (world) => {
  /** Goes on with Tab until an element has the focus. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${selector}`);
  }

  it('are made, get members, and move, with the keyboard alone', async () => {
    await world().person('mia');
    const page = await world().page();
    await page.goto('/-/groups');
    await page.locator('tbody tr', { hasText: 'demo' }).waitFor();
    await assertAccessible(page);
    await tabTo(page, '.page-head button');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New group' });
    await dialog.getByLabel('Name').waitFor();
    await assertAccessible(page);
    await page.keyboard.type('Web team');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/-/groups/web-team');
    await page.getByRole('heading', { name: 'Web team', level: 1 }).waitFor();

    await tabTo(page, '#member-username');
    await page.keyboard.type('mia');
    await tabTo(page, '#member-role');
    await page.keyboard.press('M');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sees(page, 'mia is now a member');
    await page.locator('tbody tr', { hasText: 'mia' }).getByText('This group').waitFor();

    await tabTo(page, '#group-path');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('demo/web');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/-/groups/demo/web');
    await sees(page, 'No projects yet.');
    await assertAccessible(page);
    await assertFits(page, 'group');
    await shoot(page, 'group', true);
  });

  it('give their members projects to create and to look after', async () => {
    const page = await world().page({ as: 'mia' });
    await page.goto('/-/groups/demo/web');
    await page.getByRole('button', { name: 'New project' }).click();
    const dialog = page.getByRole('dialog', { name: 'New project' });
    assert.equal(await dialog.getByLabel('Group').inputValue(), 'demo/web');
    await dialog.getByLabel('Name').fill('Shop front');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Set up an application', level: 1 }).waitFor();
    await page.goto('/demo/web/shop-front/-/project_members');
    const row = page.locator('tbody tr', { hasText: 'mia' });
    await row.getByRole('link', { name: 'demo/web' }).waitFor();
    await row.getByText('Maintainer').waitFor();
    assert.equal(await row.getByRole('button').count(), 0, 'a role of a group is changed there');
    await page.getByLabel('Username').waitFor();
    await assertAccessible(page);
    await assertFits(page, 'members');
    await shoot(page, 'members-of-groups', true);
    await row.getByRole('link', { name: 'demo/web' }).click();
    await page.getByRole('link', { name: 'Shop front' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Settings' }).count(), 0, 'for owners');
    await page.goto('/-/groups');
    await page.locator('tbody tr', { hasText: 'Web team' }).getByText('Maintainer').waitFor();
    await assertAccessible(page);
    await shoot(page, 'groups');
  });
});
