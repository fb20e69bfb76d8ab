import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';
import { openWholeList } from '../support/whole-list.ts';

const ROWS = 45;
const rows = (page: Page) => page.locator('tr[data-error]');
const place = (page: Page) => page.evaluate<number>('Math.round(window.scrollY)');
const focused = (page: Page) =>
  page.evaluate<string | undefined>('document.activeElement.closest("tr[data-error]")?.dataset.error');

/** Answers of the list come late, as over a slow network: only after the page stands. */
async function slowly(page: Page): Promise<void> {
  await page.route(/error_tracking\/errors\?/, async (route) => {
    const answer = await route.fetch();
    await page.locator('tr.skeleton, tr[data-error]').first().waitFor();
    await route.fulfill({ response: answer });
  });
}

async function openScrolled(world: BrowserWorld): Promise<Page> {
  const page = await world.page();
  await page.setViewportSize({ width: 1000, height: 500 });
  await slowly(page);
  await openWholeList(page, `${world.list}?sort=first_seen`);
  await rows(page).nth(19).waitFor();
  return page;
}

/** Scrolls to the row before the last one and opens it; where the list was left. */
async function openLow(page: Page): Promise<{ readonly top: number; readonly id: string }> {
  const row = rows(page).nth(18);
  await row.scrollIntoViewIfNeeded();
  const id = (await row.getAttribute('data-error')) ?? '';
  const top = await place(page);
  assert.ok(top > 300, `scrolled to ${top}`);
  await row.getByRole('link').click();
  await page.getByRole('link', { name: 'Error Tracking' }).and(page.locator('.back')).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await eventually(
    () => place(page),
    (now) => now === 0,
  );
  return { top, id };
}

describeInBrowser('the way back to the list', (world) => {
  before(async () => {
    await sendEvents(
      world().target,
      Array.from({ length: ROWS }, (_, n) => ({ message: `way ${n}`, level: 'error', fingerprint: [`way ${n}`] })),
    );
    await eventually(
      async () => (await world().api('GET', '/projects/demo%2Fshop/error_tracking/errors?per_page=100')) as unknown[],
      (errors) => errors.length === ROWS,
    );
  });

  const WAYS = [
    ['the browser', (page: Page) => page.goBack()],
    ["the page's link", (page: Page) => page.locator('a.back').click()],
    ['the key u', (page: Page) => page.keyboard.press('u')],
  ] as const;

  for (const [by, goBack] of WAYS) {
    it(`leads by ${by} to the former scroll position and to the row that was opened`, async () => {
      const page = await openScrolled(world());
      for (const cursor of [false, true]) {
        if (cursor) {
          const first = await rows(page).first().getAttribute('data-error');
          await page.getByRole('button', { name: 'Next' }).click();
          await eventually(
            () => rows(page).first().getAttribute('data-error'),
            (id) => id !== first,
          );
          await eventually(
            () => place(page),
            (now) => now === 0,
          );
        }
        const { top, id } = await openLow(page);
        await goBack(page);
        await eventually(
          async () => [await place(page), await focused(page)],
          ([now, row]) => now === top && row === id,
        );
        assert.equal(page.url().includes('cursor='), cursor);
      }
    });
  }

  it('leads from the second page to the former position on the first; other links lead to the top', async () => {
    const page = await openScrolled(world());
    const first = await rows(page).first().getAttribute('data-error');
    await page.getByRole('button', { name: 'Next' }).scrollIntoViewIfNeeded();
    const top = await place(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(
      () => rows(page).first().getAttribute('data-error'),
      (id) => id !== first,
    );
    await page.goBack();
    await eventually(
      async () => [await rows(page).first().getAttribute('data-error'), await place(page)],
      ([id, now]) => id === first && now === top,
    );
    await page.getByRole('link', { name: 'Releases' }).click();
    await page.getByRole('heading', { name: 'Releases', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Error Tracking', exact: true }).first().click();
    await rows(page).nth(19).waitFor();
    assert.equal(await place(page), 0);
    assert.equal(await focused(page), undefined);
  });
});
