import assert from 'node:assert/strict';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const HOUR_MS = 3_600_000;

describeInBrowser('ranges of times in the address of the list', (world) => {
  before(async () => {
    await sendEvent(world().target, { message: 'seen just now' });
    await eventually(
      () => world().api('GET', ERRORS) as Promise<readonly unknown[]>,
      (errors) => errors.length === 1,
    );
  });

  /** Address of the list with a range that begins and ends so many hours from now. */
  function range(name: 'first_seen' | 'last_seen', from: number, to: number): string {
    const at = (hours: number) => encodeURIComponent(new Date(Date.now() + hours * HOUR_MS).toISOString());
    return `${world().list}?${name}_after=${at(from)}&${name}_before=${at(to)}`;
  }

  it('are said in words, filter the list, and are removed one by one or with all filters', async () => {
    const page = await world().page();
    const rows = page.locator('tr[data-error]');
    await page.goto(range('first_seen', -1, 1));
    await rows.first().waitFor();
    const ranges = page.getByRole('list', { name: 'Time ranges' });
    await ranges.getByText(/^First seen between .* and .*\d\d:\d\d/).waitFor();

    await page.goto(`${range('first_seen', -3, -2)}&last_seen_after=${encodeURIComponent('2026-01-01T00:00:00Z')}`);
    await page.getByRole('heading', { name: 'No unresolved errors match' }).waitFor();
    assert.equal(await ranges.getByRole('listitem').count(), 2);
    await ranges.getByRole('button', { name: /^Remove the filter: First seen between/ }).click();
    await rows.first().waitFor();
    await ranges.getByText(/^Last seen since 0?1 Jan 2026/).waitFor();
    assert.equal(new URL(page.url()).searchParams.has('first_seen_after'), false);
    await page.goBack();
    await page.getByRole('heading', { name: 'No unresolved errors match' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await rows.first().waitFor();
    assert.equal(await ranges.count(), 0);
    assert.equal(new URL(page.url()).search, '');
  });

  itInFullRun('are removed with the keyboard, and fit every screen', async () => {
    const page = await world().page();
    await page.goto(`${range('first_seen', -49, 1)}&${range('last_seen', -1, 1).split('?')[1] ?? ''}`);
    const ranges = page.getByRole('list', { name: 'Time ranges' });
    await ranges.getByText(/^Last seen/).waitFor();
    await page.locator('tr[data-error]').first().waitFor();
    await assertLooks(page, 'list-time-ranges');
    await ranges.getByRole('button', { name: /First seen/ }).focus();
    await page.keyboard.press('Enter');
    await ranges.getByText(/^First seen/).waitFor({ state: 'detached' });
  });

  it('that are none are left out of the address', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?first_seen_after=yesterday`);
    await page.locator('tr[data-error]').first().waitFor();
    await page.waitForURL((url) => url.search === '');
  });
});
