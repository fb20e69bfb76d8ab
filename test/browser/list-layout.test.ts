import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { openWholeList } from '../support/whole-list.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const COUNT = 30;
/** Pixels of one line in a badge. */
const BADGE_LINE = 20;

/** As many errors as fill more than a window, with titles of 200 characters; every third is resolved. */
async function seed(world: BrowserWorld): Promise<void> {
  const now = Date.now() / 1000;
  const messages = Array.from({ length: COUNT }, (_, index) => `error ${index} ${'of a very long title '.repeat(10)}`);
  const events = messages.map((message, index) => ({
    timestamp: now - index * 60,
    message: message.slice(0, 200),
    fingerprint: [String(index)],
    transaction: 'POST /checkout',
  }));
  await sendEvents(world.target, events);
  const stored = await eventually(
    async () => (await world.api('GET', `${ERRORS}?per_page=100`)) as readonly { readonly id: string }[],
    (errors) => errors.length === COUNT,
  );
  for (const [index, { id }] of stored.entries()) {
    if (index % 3 === 0)
      await world.api('PUT', `${ERRORS}/${id}`, { status: index % 2 === 0 ? 'resolved' : 'ignored' });
  }
}

const rowsOf = (page: Page) => page.locator('tr[data-error]');

async function openList(world: BrowserWorld, page: Page, query = ''): Promise<void> {
  await page.goto(world.list + query);
  await rowsOf(page).first().waitFor();
}

async function boxOf(one: Locator) {
  return (await one.boundingBox()) ?? assert.fail('it cannot be seen');
}

describeInBrowser('the layout of the list', (world) => {
  before(() => seed(world()));

  itInFullRun('keeps badges on one line beside long titles', async () => {
    const page = await world().page();
    for (const width of [390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await openList(world(), page, '?status=all');
      const heights = await page
        .locator('tr[data-error] .badge')
        .evaluateAll((badges) => badges.map((badge) => badge.getBoundingClientRect().height));
      assert.equal(heights.length > 5, true);
      assert.deepEqual(
        heights.filter((height) => height > BADGE_LINE + 1),
        [],
        `at ${width}`,
      );
      await assertFits(page);
      await assertAccessible(page);
      await shoot(page, `list-layout/badges-${width}`);
    }
  });

  itInFullRun('has columns whose place does not depend on their content', async () => {
    const page = await world().page();
    const columns = async (query: string) => {
      await openWholeList(page, world().list + query);
      return page.locator('thead th').evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().x));
    };
    const all = await columns('');
    assert.deepEqual(await columns('?status=resolved'), all);
    await page.route('**/error_tracking/errors?*', async (route) => {
      const response = await route.fetch();
      const errors = (await response.json()) as Record<string, unknown>[];
      const others = { count: 1_234_567, user_count: 987_654, frequency: null, last_seen: '2019-11-01T00:00:00Z' };
      await route.fulfill({ response, json: errors.map((error) => ({ ...error, ...others })) });
    });
    assert.deepEqual(await columns(''), all);
  });

  it('opens an error from anywhere in its row, except from its buttons', async () => {
    const page = await world().page();
    await openList(world(), page);
    const row = rowsOf(page).nth(2);
    const id = (await row.getAttribute('data-error')) ?? '';
    for (const cell of ['.what', 'td.spark', '.events', '.last time', '.first']) {
      const { x, y, width, height } = await boxOf(row.locator(cell));
      await page.mouse.click(x + width / 2, y + height / 2);
      await page.waitForURL(`**/${id}/details`);
      await page.goBack();
      await row.waitFor();
    }
    await row.getByRole('checkbox').click();
    await page.getByText('1 error selected', { exact: true }).waitFor();
    assert.match(page.url(), /error_tracking$/);
  });

  it('shows the actions of a row on hover and focus, and always on touch screens', async () => {
    const page = await world().page();
    await openList(world(), page);
    const action = rowsOf(page).nth(1).getByRole('button').first();
    const opacity = (one: Locator) => one.evaluate((element) => getComputedStyle(element).opacity);
    assert.equal(await opacity(action), '0');
    await rowsOf(page).nth(1).hover();
    assert.equal(await opacity(action), '1');
    await page.mouse.move(0, 0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.equal(await opacity(action), '1');
    const { width, height } = await boxOf(action);
    assert.ok(width >= 32 && height >= 32, `${width}×${height}`);
    const phone = await world().page({ phone: true });
    await openList(world(), phone);
    assert.equal(await opacity(rowsOf(phone).nth(1).getByRole('button').first()), '1');
  });

  itInFullRun('does not move menu entries when the capabilities of the project arrive', async () => {
    const page = await world().page();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/error_tracking/capabilities', async (route) => {
      await released;
      await route.continue();
    });
    await openList(world(), page);
    const menu = page.getByRole('navigation', { name: 'Project' });
    await menu.getByRole('link', { name: 'Usage' }).waitFor();
    const before = await boxOf(menu.getByRole('link', { name: 'Set-up' }));
    assert.equal(await menu.getByRole('link', { name: 'Releases' }).count(), 0);
    release();
    await menu.getByRole('link', { name: 'Releases' }).waitFor();
    assert.deepEqual(await boxOf(menu.getByRole('link', { name: 'Set-up' })), before);
  });

  itInFullRun('does not move menu entries when the backend supports no releases', async () => {
    for (const phone of [false, true]) {
      const page = await world().page({ phone });
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/error_tracking/capabilities', async (route) => {
        await released;
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), releases: false } });
      });
      await openList(world(), page);
      if (phone) await page.getByRole('button', { name: 'Open navigation' }).click();
      const menu = page.getByRole('navigation', { name: 'Project' });
      const places = async () => {
        const names = ['Usage', 'Set-up', 'Members'];
        return Promise.all(names.map((name) => boxOf(menu.getByRole('link', { name }))));
      };
      await menu.getByRole('link', { name: 'Usage' }).waitFor();
      const before = await places();
      const answered = page.waitForResponse('**/error_tracking/capabilities');
      release();
      await (await answered).finished();
      const releases = menu.getByRole('link', { name: 'Releases' });
      await eventually(
        async () => (await releases.count()) === 1 && (await releases.isDisabled()),
        (is) => is,
      );
      assert.equal(await releases.getAttribute('title'), 'Not supported by the external tracker');
      assert.deepEqual(await places(), before);
      await shoot(page, `list-layout/menu-without-releases${phone ? '-phone' : ''}`);
      await assertAccessible(page);
    }
  });

  itInFullRun('shows the chart of each row in the same place on a phone, however long its numbers are', async () => {
    const page = await world().page({ phone: true });
    await page.route(/\/error_tracking\/errors\?/, async (route) => {
      const response = await route.fetch();
      const errors = (await response.json()) as readonly object[];
      const many = { count: 12_345, user_count: 9_876, range_count: 9_999 };
      await route.fulfill({
        response,
        json: errors.map((error, at) => (at % 2 === 0 ? { ...error, ...many } : error)),
      });
    });
    for (const query of ['', '?range=30d']) {
      for (const width of [320, 390, 600]) {
        await page.setViewportSize({ width, height: 844 });
        await openList(world(), page, query);
        const places = await rowsOf(page).evaluateAll((rows) =>
          rows.map((row) => {
            const [whole, cell, svg, last] = ['', 'td.spark', 'td.spark svg', 'td.last'].map((part) =>
              (part === '' ? row : row.querySelector(part)!).getBoundingClientRect(),
            );
            const shown = Math.min(svg!.width, cell!.width);
            const numbers = [cell!.right, whole!.bottom - cell!.bottom, shown].map(Math.round);
            return [...numbers, cell!.left >= last!.right].join(' ');
          }),
        );
        assert.equal(new Set(places).size, 1, `${width}${query}: ${[...new Set(places)].join(', ')}`);
        assert.match(places[0] ?? '', / (4\d|[5-9]\d) true$/);
        const second = rowsOf(page).nth(1);
        const users = await second.locator('td.users').innerText();
        assert.match(users, query === '' ? /^\d+ users?$/ : /^\d+ users? in total$/);
        const [time, left] = await second
          .locator('td.last')
          .evaluate((cell) => [cell.clientWidth, cell.clientWidth - cell.scrollWidth]);
        assert.ok(width === 320 || (time > 0 && left >= 0), `the time is cut at ${width}${query}`);
        const [before, after] = [
          page.getByRole('button', { name: 'Previous' }),
          page.getByRole('button', { name: 'Next' }),
        ];
        assert.equal((await boxOf(before)).y, (await boxOf(after)).y, `pager at ${width}`);
        await assertFits(page);
        await shoot(page, `list-layout/charts-${width}${query === '' ? '' : '-range'}`);
      }
    }
  });

  itInFullRun('opens menus at the right so that they end with their button', async () => {
    const page = await world().page();
    for (const width of [1440, 1920, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await openList(world(), page);
      const views = page.getByRole('button', { name: 'Views' });
      await views.click();
      const panel = page.getByRole('dialog', { name: 'Saved searches' });
      await panel.waitFor();
      const [button, box] = [await boxOf(views), await boxOf(panel)];
      assert.equal(Math.round(box.x + box.width), Math.round(button.x + button.width), `at ${width}`);
      await shoot(page, `list-layout/views-${width}`);
      await page.keyboard.press('Escape');
    }
  });
});
