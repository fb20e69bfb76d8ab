import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Events of the error; every second one is of Firefox, the newest too. */
const COUNT = 13;
const WITH = 'with browser: Firefox 140';

describeInBrowser('the events that fit a filter', (world) => {
  /** Ids of the events of Firefox, newest first. */
  const fitting: string[] = [];
  let address = '';

  before(async () => {
    const now = Date.now() / 1000;
    for (let index = 0; index < COUNT; index += 1) {
      const firefox = index % 2 === 0;
      const event = richEvent(now - index * 60, {
        fingerprint: ['WalkedError'],
        exception: { values: [{ type: 'WalkedError', value: 'x' }] },
        tags: { browser: firefox ? 'Firefox 140' : 'Safari 17' },
      });
      const id = await sendEvent(world().target, event);
      if (firefox) fitting.push(id);
    }
    const read = async () =>
      (await world().api('GET', `${ERRORS}?search=WalkedError`)) as readonly { id: string; count: number }[];
    const [found] = await eventually(read, ([first]) => first?.count === COUNT);
    address = `${world().list}/${found?.id ?? ''}/details`;
  });

  const at = (page: Page, id: string | undefined) =>
    eventually(
      () => page.locator('[data-event]').getAttribute('data-event'),
      (shown) => shown === id,
    );
  const says = (page: Page, place: number) => page.getByText(`Event ${place} of 7 ${WITH}`).waitFor();
  const tagOf = (page: Page) => new URL(page.url()).searchParams.get('tag');

  it('are walked through within it, which stays in the address until one leaves it', async () => {
    const page = await world().page();
    await page.goto(`${address}?view=events&tag=browser:Firefox+140`);
    await page.getByText(`7 events of ${COUNT} searched`).waitFor();
    await page.locator('.all-events tbody tr').nth(1).getByRole('link').click();
    await at(page, fitting[1]);
    await says(page, 6);
    await page.keyboard.press(',');
    await at(page, fitting[2]);
    await says(page, 5);
    assert.equal(tagOf(page), 'browser:Firefox 140');
    await page.getByRole('button', { name: 'Newer' }).click();
    await at(page, fitting[1]);
    await page.keyboard.press('.');
    await at(page, fitting[0]);
    await says(page, 7);
    await page.getByRole('button', { name: 'First event' }).click();
    await at(page, fitting.at(-1));
    await says(page, 1);
    assert.ok(await page.getByRole('button', { name: 'Older' }).isDisabled());
    await page.getByRole('button', { name: 'Latest event' }).click();
    await at(page, fitting[0]);
    await page.keyboard.press(',');
    await at(page, fitting[1]);
    await page.reload();
    await says(page, 6);
    await page.getByRole('link', { name: 'All events' }).click();
    await page.getByText(`7 events of ${COUNT} searched`).waitFor();
    await page.goBack();
    await says(page, 6);
    await page.getByRole('link', { name: 'Leave the filter' }).click();
    await page.getByText(`Event ${COUNT - 2} of ${COUNT}`).waitFor();
    await at(page, fitting[1]);
    assert.equal(tagOf(page), null);
    await page.keyboard.press(',');
    await page.getByText(`Event ${COUNT - 3} of ${COUNT}`).waitFor();
  });

  itInFullRun('fit the screen with the filter in the bar', async () => {
    const page = await world().page();
    await page.goto(`${address}?event=${fitting[1] ?? ''}&tag=browser:Firefox+140&user=4711`);
    await page.getByText(`Event 6 of 7 ${WITH}, user: 4711`).waitFor();
    await assertLooks(page, 'details-filter');
    await page.setViewportSize({ width: 320, height: 700 });
    await assertFits(page);
  });
});
