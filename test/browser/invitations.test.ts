import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeWithOwnService, sees, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';

describeWithOwnService('invitations', (world) => {
  /** Goes on with Tab until an element has the focus. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${selector}`);
  }

  it('are made, and taken up by a new person, with the keyboard alone', async () => {
    const page = await world().page();
    await page.goto('/demo/shop/-/project_members');
    await page.getByRole('heading', { name: 'Invitations' }).waitFor();
    await tabTo(page, '#invite-emails');
    await page.keyboard.type('grace@shop.test, no address');
    await tabTo(page, '#invite-role');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sees(page, '1 person invited');
    await sees(page, /Invite email is invalid/);
    await assertAccessible(page);
    await assertFits(page, 'members');
    await shoot(page, 'invitations-made', true);
    const url = (await page.locator('.copy-line code').textContent()) ?? '';

    const hers = await world().page({ stranger: true, phone: true, dark: true });
    await hers.goto(new URL(url).pathname);
    await hers.getByRole('heading', { name: 'Join demo/shop' }).waitFor();
    await assertAccessible(hers);
    await assertFits(hers, 'invitation');
    await shoot(hers, 'invitation-phone-dark', true);
    await tabTo(hers, '#sign-up-name');
    await hers.keyboard.type('Grace Hopper');
    await hers.keyboard.press('Tab');
    await hers.keyboard.type('a password for grace');
    await hers.keyboard.press('Enter');
    await sees(hers, 'You are Developer of demo/shop now');
    await hers.waitForURL('**/demo/shop/-/error_tracking');

    await page.reload();
    await page.locator('tbody tr', { hasText: 'Grace Hopper' }).waitFor();
    assert.equal(await page.locator('tbody tr', { hasText: 'grace@shop.test' }).getByText('not mailed').count(), 0);
    await page.goto(new URL(url).pathname);
    await sees(page, 'This invitation was used');
    await assertAccessible(page);
    await shoot(page, 'invitation-used');
  });

  it('show who is signed in', async () => {
    await world().person('linus');
    const body = { email: 'linus@shop.test', access_level: 20 };
    const answer = (await world().api('POST', '/projects/demo%2Fshop/invitations', body)) as {
      links: { url: string }[];
    };
    const his = await world().page({ as: 'linus' });
    await his.goto(new URL(answer.links[0]!.url).pathname);
    await his.getByRole('button', { name: 'Join as linus' }).waitFor();
    await assertAccessible(his);
    await shoot(his, 'invitation-signed-in');
  });
});
