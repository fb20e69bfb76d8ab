import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** More than a page of 20, and less than two. */
const COUNT = 26;

interface ListedError {
  readonly id: string;
  readonly title: string;
}

/** Newest first: `error 0`, `error 1` and so on. */
async function seed(world: BrowserWorld, count = COUNT): Promise<void> {
  const now = Date.now() / 1000;
  const events = Array.from({ length: count }, (_, index) => ({
    timestamp: now - index * 60,
    message: `error ${index}.`,
    fingerprint: [String(index)],
  }));
  await sendEvents(world.target, events);
  await stored(world, 'unresolved', count);
}

const listed = async (world: BrowserWorld, status: string) =>
  (await world.api('GET', `${ERRORS}?status=${status}&per_page=100`)) as readonly ListedError[];

/** Waits until that many errors are stored with a status. Pages show changes before they are stored. */
async function stored(world: BrowserWorld, status: string, count: number): Promise<void> {
  await eventually(
    async () => (await listed(world, status)).length,
    (now) => now === count,
  );
}

async function reopenAll(world: BrowserWorld): Promise<void> {
  for (const status of ['resolved', 'ignored']) {
    for (const { id } of await listed(world, status)) {
      await world.api('PUT', `${ERRORS}/${id}`, { status: 'unresolved' });
    }
  }
}

const titles = (page: Page) => page.locator('tr[data-error] a').allTextContents();
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');
const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' }).locator('.toast');

async function openList(world: BrowserWorld, page: Page, query = ''): Promise<void> {
  await page.goto(world.list + query);
  await page.locator('tr[data-error]').first().waitFor();
}

async function boxOf(one: Locator) {
  return (await one.boundingBox()) ?? assert.fail('it cannot be seen');
}

/** Resolves what has the focus, and waits until the list has gone on. */
async function resolve(page: Page, title: string, thenFocused: string): Promise<void> {
  assert.equal(await focused(page), title);
  await page.keyboard.press('e');
  await eventually(
    () => focused(page),
    (text) => text === thenFocused,
  );
}

/** Waits until the tab of unresolved errors has this count. */
async function counts(page: Page, count: string): Promise<void> {
  const tab = page.getByRole('button', { name: 'Unresolved', exact: true });
  await tab.locator('.count').getByText(count, { exact: true }).waitFor();
}

describeInBrowser('the counts of the tabs', (world) => {
  const MANY = 53;
  before(() => seed(world(), MANY));
  afterEach(() => reopenAll(world()));

  it('follow changes and undos at once, and name the errors of the page', async () => {
    const page = await world().page();
    await openList(world(), page);
    await counts(page, String(MANY));
    await page.getByText(`1–20 of ${MANY}`, { exact: true }).waitFor();
    await page.keyboard.press('j');
    await resolve(page, 'error 0.', 'error 1.');
    await counts(page, '52');
    for (let at = 1; at < 4; at += 1) await resolve(page, `error ${at}.`, `error ${at + 1}.`);
    await counts(page, '49');
    const resolved = page.getByRole('button', { name: 'Resolved', exact: true });
    await resolved.locator('.count').getByText('4', { exact: true }).waitFor();
    // Keeps the message on display.
    await toasts(page).hover();
    await stored(world(), 'resolved', 4);
    await page.getByRole('button', { name: 'Undo last' }).click();
    await counts(page, '50');
    await page.getByRole('button', { name: 'Undo all' }).click();
    await counts(page, String(MANY));
    await stored(world(), 'unresolved', MANY);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(`21–40 of ${MANY}`, { exact: true }).waitFor();
    await page.reload();
    await page.getByText(`21–40 of ${MANY}`, { exact: true }).waitFor();
  });

  it('say where counting stopped', async () => {
    const page = await world().page();
    await page.route('**/error_tracking/errors/counts?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), unresolved: 10_000 } });
    });
    await openList(world(), page);
    await counts(page, '10,000+');
    await page.getByText('1–20 of 10,000+', { exact: true }).waitFor();
  });

  itInFullRun('keep the time ranges beside them, however many errors there are', async () => {
    const page = await world().page();
    const many = { unresolved: 10_000, for_review: 10_000, resolved: 10_000, ignored: 10_000 };
    await page.route('**/error_tracking/errors/counts?*', (route) => route.fulfill({ json: many }));
    await openList(world(), page);
    await counts(page, '10,000+');
    for (const width of [768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const [tabs, ranges] = await Promise.all(
        ['Status', 'Time range'].map((name) => page.getByRole('group', { name, exact: true }).boundingBox()),
      );
      assert.ok(tabs && ranges, 'both are there');
      assert.ok(ranges.y < tabs.y + tabs.height, `one line at ${width}: ${JSON.stringify({ tabs, ranges })}`);
      await shoot(page, `tabs-many-${width}`);
      await assertFits(page);
    }
  });
});

describeInBrowser('going through the list', (world) => {
  before(() => seed(world()));
  afterEach(() => reopenAll(world()));

  it('shows the focus around the row, not across its lines', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.keyboard.press('j');
    const row = page.locator('tr[data-error]').first();
    const drawn = await row.getByRole('link').evaluate((link) => {
      const { width, height, outlineStyle } = getComputedStyle(link, '::before');
      return { own: getComputedStyle(link).outlineStyle, ring: outlineStyle, size: [width, height].map(parseFloat) };
    });
    const { width, height } = await boxOf(row);
    assert.deepEqual([drawn.own, drawn.ring], ['none', 'solid']);
    assert.ok(
      Math.abs((drawn.size[0] ?? 0) - width) < 2 && Math.abs((drawn.size[1] ?? 0) - height) < 2,
      String(drawn.size),
    );
    await shoot(page, 'list-focus');
  });

  it('loads the next errors after each resolved one, up to the last', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.keyboard.press('k');
    for (let at = 19; at < COUNT - 1; at += 1) await resolve(page, `error ${at}.`, `error ${at + 1}.`);
    assert.deepEqual(
      (await titles(page)).slice(0, 19),
      Array.from({ length: 19 }, (_, index) => `error ${index}.`),
    );
    await counts(page, '20');
    // The last of all: nothing follows, and what was passed over is not touched.
    await page.keyboard.press('e');
    await page.getByText('End of the list').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('document.activeElement === document.body'), true);
    await page.keyboard.press('e');
    await page.keyboard.press('i');
    await stored(world(), 'resolved', COUNT - 19);
    assert.equal((await listed(world(), 'ignored')).length, 0);
    assert.equal((await listed(world(), 'unresolved')).length, 19);
  });

  itInFullRun('keeps the actions for selected rows in the window', async () => {
    for (const phone of [false, true]) {
      const page = await world().page({ phone });
      await openList(world(), page);
      const last = page.locator('tr[data-error]').last().getByRole('checkbox');
      await last.scrollIntoViewIfNeeded();
      await last.click();
      const { height } = page.viewportSize() ?? assert.fail();
      await page.locator('tr[data-error]').nth(0).getByRole('checkbox').click();
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      for (const name of ['Resolve', 'Ignore', phone ? 'More' : 'Merge…']) {
        const box = await boxOf(page.getByRole('button', { name, exact: true }));
        assert.ok(box.y >= 0 && box.y + box.height <= height, `${name} is at ${box.y}`);
        if (phone) assert.ok(box.y > height / 2, `${name} is within reach of the thumb`);
      }
      await shoot(page, `triage/selected${phone ? '-phone' : ''}`);
      // What scrolls under a bar is partly covered there, which is not counted against the rows of a phone.
      if (!phone) await assertAccessible(page);
      if (phone) continue;
      const merge = await boxOf(page.getByRole('button', { name: 'Merge…' }));
      const ignore = await boxOf(page.getByRole('button', { name: 'Ignore', exact: true }));
      assert.ok(merge.x - (ignore.x + ignore.width) >= 20, 'merging stands apart from the status');
    }
  });

  it('moves on to the next page, also from a page that was reached backwards', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('error 25.').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('error 0.').waitFor();
    await page.getByLabel('Select all on this page').click();
    await page.locator('tr[data-error] a').first().focus();
    await page.keyboard.press('e');
    await eventually(
      () => focused(page),
      (text) => text === 'error 20.',
    );
    assert.equal((await listed(world(), 'unresolved')).length, COUNT - 20);
  });

  it('shows one message for all changes, beside the rows, and undoes the last or all of them', async () => {
    const page = await world().page();
    await openList(world(), page);
    const before = await titles(page);
    await page.keyboard.press('j');
    for (const at of [0, 1, 2]) await resolve(page, `error ${at}.`, `error ${at + 1}.`);
    await page.keyboard.press('i');
    await sees(page, '3 errors resolved, 1 ignored');
    assert.equal(await toasts(page).count(), 1);
    // Keeps the message on display.
    await toasts(page).hover();
    await stored(world(), 'resolved', 3);
    await stored(world(), 'ignored', 1);
    await shoot(page, 'triage/toast');
    await assertAccessible(page);
    const toast = await boxOf(toasts(page));
    const table = await boxOf(page.locator('table'));
    assert.ok(toast.x + toast.width <= table.x, 'it stands over no row');
    await page.getByRole('button', { name: 'Undo last' }).click();
    await sees(page, '3 errors resolved');
    await page.getByRole('link', { name: 'error 3.', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo all' }).click();
    await toasts(page).waitFor({ state: 'detached' });
    assert.deepEqual((await titles(page)).slice(0, before.length), before);
    await stored(world(), 'unresolved', COUNT);
  });

  it('counts an error once after several changes, and restores it as it was', async () => {
    const page = await world().page();
    await openList(world(), page, '?status=all');
    await page.keyboard.press('j');
    for (const key of ['e', 'i', 'e']) await page.keyboard.press(key);
    await sees(page, 'Resolved: error 0.');
    await toasts(page).hover();
    await stored(world(), 'resolved', 1);
    await page.getByRole('button', { name: 'Undo all' }).click();
    await toasts(page).waitFor({ state: 'detached' });
    await stored(world(), 'unresolved', COUNT);
  });

  itInFullRun('keeps the focused row visible on a phone', async () => {
    const page = await world().page({ phone: true, dark: true });
    await openList(world(), page);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await toasts(page).waitFor();
    for (let step = 0; step < 8; step += 1) await page.keyboard.press('j');
    const toast = await boxOf(toasts(page));
    const row = await boxOf(page.locator('tr:focus-within'));
    assert.ok(row.y + row.height <= toast.y, `the row ends at ${row.y + row.height}, the message begins at ${toast.y}`);
    await shoot(page, 'triage/toast-phone');
    await assertAccessible(page);
    await stored(world(), 'resolved', 1);
  });

  it('shows in the details what was done, with undo', async () => {
    const page = await world().page();
    const [first] = await listed(world(), 'unresolved');
    await page.goto(`${world().list}/${first?.id ?? ''}/details`);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await eventually(
      async () => (await toasts(page).innerText()).replace(/\s+/g, ' '),
      (text) => text === 'Resolved Undo',
    );
    await toasts(page).hover();
    await stored(world(), 'resolved', 1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await stored(world(), 'unresolved', COUNT);
  });
});
