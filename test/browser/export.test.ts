import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = 25;

describeInBrowser('the export of errors', (world) => {
  const settings = () => `/${world().service.first.project_path}/-/settings/operations`;

  before(async () => {
    const now = Date.now() / 1000;
    await sendEvents(
      world().target,
      Array.from({ length: ERRORS }, (_, index) => ({
        message: index === 3 ? '=1+1' : `order ${String.fromCharCode(97 + index)} failed`,
        level: index % 2 === 0 ? 'warning' : 'error',
        fingerprint: [String(index)],
        timestamp: now - index,
      })),
    );
    await eventually(
      async () => (await world().api('GET', '/projects/demo%2Fshop/error_tracking/errors?per_page=100')) as unknown[],
      (errors) => errors.length === ERRORS,
    );
  });

  /** Runs an action that downloads a file; returns its name and records. */
  async function downloaded(page: Page, act: () => Promise<void>) {
    const [download] = await Promise.all([page.waitForEvent('download'), act()]);
    const text = await readFile(await download.path(), 'utf8');
    return { name: download.suggestedFilename(), records: text.split('\r\n').slice(0, -1) };
  }

  it('takes all pages of the list with its present filters, by mouse', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await page.locator('tr[data-error]').first().waitFor();
    const link = page.getByRole('link', { name: 'Export as CSV' });
    const all = await downloaded(page, () => link.click());
    assert.equal(all.name, 'demo-shop-errors.csv');
    assert.equal(all.records.length, 1 + ERRORS);
    assert.ok(all.records[0]?.startsWith('\ufeffid,short_id,title,'));
    assert.equal(all.records.filter((record) => record.includes(",'=1+1,")).length, 1);
    await page.getByLabel('Level', { exact: true }).selectOption('warning');
    await page.waitForURL(/level=warning/);
    const some = await downloaded(page, () => link.click());
    assert.equal(some.records.length, 1 + 13);
    assert.ok(page.url().includes('level=warning'), 'the page stays');
  });

  it('is reached by the keyboard, and takes everything from the settings', async () => {
    const page = await world().page();
    await page.goto(settings());
    const card = page.getByRole('region', { name: 'Export' });
    const link = card.getByRole('link', { name: 'All errors as CSV' });
    await link.waitFor();
    await card.getByText('errgate export --project demo/shop --to ./export').waitFor();
    await link.focus();
    const all = await downloaded(page, () => page.keyboard.press('Enter'));
    assert.equal(all.records.length, 1 + ERRORS);
    await page.keyboard.press('Tab');
    assert.equal(await card.getByRole('button', { name: /command/ }).evaluate((one) => one === document.activeElement), true); // prettier-ignore
  });

  itInFullRun('is accessible and fits its page', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await page.locator('tr[data-error]').first().waitFor();
    await assertLooks(page, 'export-list');
    await page.goto(settings());
    const card = page.getByRole('region', { name: 'Export' });
    await card.getByRole('link').waitFor();
    await card.scrollIntoViewIfNeeded();
    await assertLooks(page, 'export-settings');
  });
});
