import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, pass, sees, shoot } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const FOCUSED = '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()';

/** Milliseconds after which the details ask again, at most. */
const POLL_MS = 6000;

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

describeInBrowser('the events of an error', (world) => {
  const now = Date.now() / 1000;

  /** Sends `count` events of one error, oldest first; their ids and the address of the details. */
  async function given(
    type: string,
    count: number,
  ): Promise<{ ids: string[]; address: string; more: () => Promise<string> }> {
    const ids: string[] = [];
    const send = (back: number) => {
      const exception = { values: [{ type, value: 'once more' }] };
      return sendEvent(world().target, richEvent(now - back, { exception, fingerprint: [type] }));
    };
    for (let left = count; left > 0; left -= 1) ids.push(await send(left * 60));
    const stored = async (times: number) => {
      const errors = await eventually(
        () => world().api('GET', `${ERRORS}?status=all`) as Promise<readonly ListedError[]>,
        (all) => all.some((error) => error.title.startsWith(type) && error.count === times),
      );
      return errors.find((error) => error.title.startsWith(type)) ?? assert.fail();
    };
    const more = async () => {
      const fresh = await send(0);
      await stored(count + 1);
      return fresh;
    };
    const { id } = await stored(count);
    return { ids, address: `${world().list}/${id}/details`, more };
  }

  const at = (page: Page, id: string | undefined) =>
    eventually(
      () => page.locator('[data-event]').getAttribute('data-event'),
      (shown) => shown === id,
    );

  it('offer a new one that arrives, without replacing the shown one', async () => {
    const { ids, address, more } = await given('Meanwhile', 2);
    const page = await world().page({ clock: true });
    await page.goto(address);
    await at(page, ids[1]);
    const [newer, latest] = ['Newer', 'Latest event'].map((name) => page.getByRole('button', { name }));
    assert.ok((await newer?.isDisabled()) === true && (await latest?.isDisabled()) === true);
    const fresh = await more();
    await pass(page, POLL_MS);
    const show = page.getByRole('button', { name: 'Show the new event' });
    await show.waitFor();
    await at(page, ids[1]);
    assert.ok((await newer?.isEnabled()) === true && (await latest?.isEnabled()) === true);
    await shoot(page, 'details-newer-event');
    await assertAccessible(page);
    await show.press('Enter');
    await at(page, fresh);
    await show.waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(FOCUSED), 'Latest event');
    assert.equal(new URL(page.url()).search, '');
    await page.getByRole('button', { name: 'Older' }).click();
    await at(page, ids[1]);
  });

  it('are stepped through by keys, with the focus unchanged', async () => {
    const { ids, address } = await given('Stepping', 3);
    const page = await world().page();
    await page.goto(address);
    await at(page, ids[2]);
    await page.getByRole('button', { name: 'Older' }).focus();
    await page.keyboard.press('Enter');
    await at(page, ids[1]);
    await page.keyboard.press('Enter');
    await at(page, ids[0]);
    assert.equal(await page.evaluate(FOCUSED), 'Older');
    await page.keyboard.press('Enter');
    await at(page, ids[0]);
    await page.keyboard.press('.');
    await at(page, ids[1]);
    await page.keyboard.press('.');
    await at(page, ids[2]);
    await page.keyboard.press(',');
    await at(page, ids[1]);
    assert.equal(await page.evaluate(FOCUSED), 'Older');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Newer event').waitFor();
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await help.waitFor();
  });

  it('lead back to the list as it was left, after any number of steps', async () => {
    const { ids, address } = await given('Filtered', 3);
    const page = await world().page();
    const filters = '?search=Filtered&status=all&sort=users';
    const isList = async () => {
      await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
      const { pathname, searchParams } = new URL(page.url());
      assert.equal(pathname, world().list);
      assert.deepEqual(Object.fromEntries(searchParams), { search: 'Filtered', status: 'all', sort: 'users' });
    };
    await page.goto(world().list + filters);
    await page.getByRole('link', { name: /Filtered/ }).click();
    await at(page, ids[2]);
    await page.keyboard.press(',');
    await at(page, ids[1]);
    await page.keyboard.press(',');
    await at(page, ids[0]);
    await page.keyboard.press('u');
    await isList();
    await page.getByRole('link', { name: /Filtered/ }).click();
    await at(page, ids[2]);
    await page.keyboard.press(',');
    await at(page, ids[1]);
    await page.reload();
    await at(page, ids[1]);
    await page.getByRole('main').getByRole('link', { name: 'Error Tracking' }).click();
    await isList();
    // Where no list was seen, there is nothing to go back to but all of it.
    const other = await world().page();
    await other.goto(address);
    await sees(other, 'Stack trace');
    await other.keyboard.press('u');
    await other.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    assert.equal(new URL(other.url()).search, '');
  });
});
