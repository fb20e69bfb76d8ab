import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, pass, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Milliseconds after which the list asks again, at most. */
const POLL_MS = 4000;
const DAY = 86_400;

const rowOf = (page: Page, title: string) => page.locator('tr[data-error]', { hasText: title });
const tab = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const countOf = (page: Page, name: string, count: number) =>
  tab(page, name).locator('.count').getByText(String(count), { exact: true }).waitFor();

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

async function errorsOf(world: BrowserWorld): Promise<readonly Listed[]> {
  return (await world.api('GET', `${ERRORS}?status=all&per_page=100`)) as readonly Listed[];
}

async function send(world: BrowserWorld, type: string, more: object = {}): Promise<void> {
  const mechanism = { type: 'generic', handled: type !== 'CrashError' };
  const exception = { values: [{ type, value: 'no funds', mechanism }] };
  const count = async () => (await errorsOf(world)).find(({ title }) => title.startsWith(type))?.count ?? 0;
  const before = await count();
  await sendEvent(world.target, { timestamp: Date.now() / 1000, exception, fingerprint: [type], ...more });
  await eventually(count, (now) => now === before + 1);
}

describeInBrowser('what the list says about errors', (world) => {
  before(async () => {
    const old = Date.now() / 1000 - 3 * DAY;
    await send(world(), 'com.acme.payments.gateway.DeclinedException', { timestamp: old, release: 'shop@2.31.0' });
    await send(world(), 'CrashError', { level: 'fatal' });
    await send(world(), 'QuietError');
    const declined = (await errorsOf(world())).find(({ title }) => title.includes('Declined'));
    await world().api('PUT', `${ERRORS}/${declined?.id ?? ''}`, { status: 'resolved' });
    await send(world(), 'com.acme.payments.gateway.DeclinedException', { release: 'shop@2.33.0' });
  });

  it('are marks as words, with since when and where', async () => {
    const page = await world().page();
    await page.goto(world().list);
    const declined = rowOf(page, 'c.a.p.g.DeclinedException');
    const regressed = declined.getByText('Regressed', { exact: false });
    assert.match((await regressed.first().getAttribute('title')) ?? '', /^It came back on .* in shop@2\.33\.0$/);
    await rowOf(page, 'CrashError').getByText('Fatal').first().waitFor();
    await rowOf(page, 'CrashError').getByText('Unhandled').first().waitFor();
    await rowOf(page, 'QuietError').getByText('New').first().waitFor();
    assert.equal(await rowOf(page, 'QuietError').getByText('Unhandled').count(), 0);
    await assertLooks(page, 'list-marks');
  });

  it('are whole, however many there are', async () => {
    const page = await world().page();
    await page.route('**/error_tracking/errors?*', async (route) => {
      const response = await route.fetch();
      const errors = (await response.json()) as Record<string, unknown>[];
      const at = new Date().toISOString();
      const escalating = { at, cause: { users: 100 } };
      // Longer than a regression, which an error does not have beside it.
      const unmuted = { at, reason: 'events', count: 1000 };
      const marks = { new: true, unhandled: true, for_review: true, regressed: null, escalating, unmuted };
      const culprit = 'com.acme.payments.gateway.client.RetryingClient in charge';
      await route.fulfill({ response, json: errors.map((error) => ({ ...error, level: 'fatal', culprit, marks })) });
    });
    for (const width of [390, 900, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(world().list);
      const row = rowOf(page, 'CrashError');
      await row.getByText('Unhandled').waitFor();
      const cut = await row.locator('.mark').evaluateAll((marks) =>
        marks.flatMap((mark) => {
          const [own, around] = [mark.getBoundingClientRect(), mark.closest('.text')?.getBoundingClientRect()];
          const whole = around !== undefined && own.right <= around.right + 0.5 && own.bottom <= around.bottom + 0.5;
          return whole ? [] : [mark.textContent];
        }),
      );
      assert.deepEqual(cut, [], `at ${width}`);
      assert.equal(await row.locator('.mark').count(), 5);
      assert.ok(((await row.locator('.culprit').boundingBox())?.width ?? 0) > 60, `culprit at ${width}`);
      await shoot(page, `list-marks-all-${width}`);
    }
  });

  it('ask for a review in a tab of their own, until a member has looked', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await countOf(page, 'For review', 3);
    await countOf(page, 'Unresolved', 3);
    await tab(page, 'For review').click();
    await page.waitForURL(/for_review=true/);
    await rowOf(page, 'QuietError').getByRole('link').focus();
    await page.keyboard.press('r');
    await rowOf(page, 'QuietError').waitFor({ state: 'detached' });
    await countOf(page, 'For review', 2);
    await countOf(page, 'Unresolved', 3);
    await page.keyboard.press('z');
    await rowOf(page, 'QuietError').waitFor();
    await countOf(page, 'For review', 3);
    // Setting a status counts as a look; taking it back asks for the review again.
    await rowOf(page, 'QuietError').getByRole('link').focus();
    await page.keyboard.press('e');
    await rowOf(page, 'QuietError').waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await page.getByText('Resolved: QuietError').waitFor({ state: 'detached' });
    await eventually(
      async () => (await world().api('GET', `${ERRORS}?for_review=true`)) as readonly Listed[],
      (waiting) => waiting.length === 3,
    );
    await rowOf(page, 'QuietError').waitFor();
    await countOf(page, 'For review', 3);
    await rowOf(page, 'QuietError').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Mark as reviewed' }).click();
    await rowOf(page, 'QuietError').waitFor({ state: 'detached' });
    await assertAccessible(page);
  });

  it('count events in a range apart from all events, and sort by the heads of columns', async () => {
    const page = await world().page();
    await page.goto(world().list);
    const head = (name: string | RegExp) => page.getByRole('columnheader', { name });
    await head('Events, all time').waitFor();
    assert.equal(await head('Last seen').getAttribute('aria-sort'), 'descending');
    await head('Users, all time').getByRole('button').click();
    await page.waitForURL(/sort=users/);
    assert.equal(await head('Users, all time').getAttribute('aria-sort'), 'descending');
    assert.equal(await head('Last seen').getAttribute('aria-sort'), null);
    await head('Last seen').getByRole('button').click();
    await page.getByRole('button', { name: 'Last 7 d' }).click();
    await page.waitForURL((url) => url.search === '?range=7d');
    await head('Events, 7 d').waitFor();
    await head('Events, all time').waitFor();
    const hour = page.getByRole('button', { name: 'Last 1 h' });
    assert.match((await hour.getAttribute('title')) ?? '', /those of the hour in which it begins all count/);
    await page.reload();
    await head('Events, 7 d').waitFor();
    await page.getByRole('button', { name: 'Any time' }).press('Enter');
    await head('Events, all time').waitFor();
    // The job that ranks errors may not have run yet.
    await page.route('**/errors?*sort=matters*', (route) =>
      route.continue({ url: route.request().url().replace('sort=matters', 'sort=users') }),
    );
    assert.match(await head('What matters now').innerText(), /^Error\s+What matters now$/);
    await head('What matters now').getByRole('button').press('Enter');
    await page.waitForURL(/sort=matters/);
    assert.equal(await head('What matters now').getAttribute('aria-sort'), 'other');
    await page.locator('tr[data-error]').first().waitFor();
    await page.unroute('**/errors?*sort=matters*');
  });

  it('move no row when a new error comes: it waits behind a button', async () => {
    const page = await world().page({ clock: true });
    await page.goto(world().list);
    const first = page.locator('tr[data-error]').first();
    await first.waitFor();
    const place = await first.boundingBox();
    const before = await first.innerText();
    await send(world(), 'LateError');
    await pass(page, POLL_MS);
    const button = page.getByRole('button', { name: 'Show 1 new error' });
    await button.waitFor();
    assert.deepEqual(await first.boundingBox(), place);
    assert.equal((await first.innerText()).split('\n')[0], before.split('\n')[0]);
    await shoot(page, 'list-new-error');
    await assertAccessible(page);
    await button.click();
    await page.locator('tr[data-error]', { hasText: 'LateError' }).waitFor();
    await button.waitFor({ state: 'detached' });
  });
});
