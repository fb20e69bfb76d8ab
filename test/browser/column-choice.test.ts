import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

/** Events of the error, all on one page of its table. */
const COUNT = 20;

describeInBrowser('the choice of columns', (world) => {
  let address: string;

  before(async () => {
    const now = Date.now() / 1000;
    for (let turn = 0; turn < COUNT; turn += 1) await sendEvent(world().target, richEvent(now - turn * 60));
    const errors = () =>
      world().api('GET', '/projects/demo%2Fshop/error_tracking/errors') as Promise<{ id: string; count: number }[]>;
    const [first] = await eventually(errors, ([one]) => one?.count === COUNT);
    address = `${world().list}/${first?.id ?? ''}/details?view=events`;
  });

  /** Opens the table with all of its rows: before them, the page is not high enough to scroll. */
  async function openTable(page: Page): Promise<void> {
    await page.goto(address);
    await page
      .locator('.all-events tbody tr')
      .nth(COUNT - 1)
      .waitFor();
  }

  itInFullRun('shows all of them on a small screen, until a click elsewhere', async () => {
    const page = await world().page({ phone: true });
    await page.setViewportSize({ width: 320, height: 560 });
    await openTable(page);
    await page.getByRole('button', { name: 'Columns' }).click();
    const choice = page.getByRole('group', { name: 'Columns' });
    await choice.waitFor();
    const box = (await choice.boundingBox()) ?? assert.fail();
    assert.ok(box.y >= 0 && box.y + box.height <= 560, `from ${box.y} to ${box.y + box.height}`);
    const from = (await page.getByRole('button', { name: 'Columns' }).boundingBox()) ?? assert.fail();
    assert.ok(box.y >= from.y + from.height || box.y + box.height <= from.y, 'its button is not covered');
    await choice.getByLabel('Server').check();
    await assertAccessible(page);
    await page.getByRole('heading', { level: 1 }).click({ force: true, position: { x: 2, y: 2 } });
    await choice.waitFor({ state: 'hidden' });
  });

  it('stays beside its button while the page scrolls, and gives it the focus back', async () => {
    const page = await world().page();
    await openTable(page);
    const opener = page.getByRole('button', { name: 'Columns' });
    const choice = page.getByRole('group', { name: 'Columns' });
    await opener.press('Enter');
    await choice.getByLabel('Release').and(page.locator(':focus')).waitFor();
    const apart = async () => {
      const [from, to] = await Promise.all([opener.boundingBox(), choice.boundingBox()]);
      return (to?.y ?? 0) - (from?.y ?? 0);
    };
    const before = await apart();
    await page.evaluate('scrollBy(0, 60)');
    await page.waitForFunction('scrollY > 0');
    await eventually(apart, (now) => Math.abs(now - before) < 1);
    await page.keyboard.press('Escape');
    await opener.and(page.locator(':focus')).waitFor();
  });
});
