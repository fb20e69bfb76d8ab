import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, pass, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';
import { openWholeList } from '../support/whole-list.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Milliseconds after which the list asks again, at most. */
const POLL_MS = 4000;
const DAY = 86_400;

const rowOf = (page: Page, title: string) => page.locator('tr[data-error]', { hasText: title });

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

  it('move no row when a new error comes: it waits behind a button', async () => {
    const page = await world().page({ clock: true });
    await openWholeList(page, world().list);
    const first = page.locator('tr[data-error]').first();
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
