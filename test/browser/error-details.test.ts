import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { HOSTILE_TEXTS, hostileEvent, richEvent, sendEvent, sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, follow, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly status: string;
}

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

async function errorsOf(world: BrowserWorld): Promise<readonly ListedError[]> {
  return (await world.api('GET', `${ERRORS}?status=all&per_page=100`)) as readonly ListedError[];
}

/** Address of the details of the error with `count` events. */
async function addressOf(world: BrowserWorld, title: string, count = 1): Promise<string> {
  const errors = await eventually(
    () => errorsOf(world),
    (all) => all.some((error) => error.title.includes(title) && error.count >= count),
  );
  const error = errors.find((one) => one.title.includes(title));
  return `${world.list}/${error?.id ?? ''}/details`;
}

const shownEvent = (page: Page) => page.locator('[data-event]').getAttribute('data-event');

describeInBrowser('the details of an error', (world) => {
  const now = Date.now() / 1000;
  const ids: string[] = [];

  before(async () => {
    for (const back of [3 * 3600, 3600, 60]) {
      ids.push(await sendEvent(world().target, richEvent(now - back, { user: { id: `user-${back}` } })));
    }
  });

  itInFullRun('fit the screen and pass the accessibility check', async () => {
    const page = await world().page();
    await page.goto(await addressOf(world(), 'PaymentError', 3));
    await page.locator('.token-keyword').first().waitFor();
    await page.locator('.chart .bar').first().waitFor();
    await assertLooks(page, 'details');
  });

  it('copy the stack trace and offer the event as a file', async () => {
    const page = await world().page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(await addressOf(world(), 'PaymentError', 3));
    await page.getByRole('button', { name: 'Copy the stack trace' }).click();
    const copied = await eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (text) => text !== '',
    );
    assert.match(copied, /^PaymentError: declined/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON' }).click(),
    ]);
    const event = JSON.parse(await readFile(await download.path(), 'utf8')) as { event_id: string };
    assert.equal(event.event_id, ids.at(-1));
    assert.equal(download.suggestedFilename(), `event-${ids.at(-1) ?? ''}.json`);
  });

  it('go to the older, newer, first and latest event, each with its own address', async () => {
    const page = await world().page();
    await page.goto(await addressOf(world(), 'PaymentError', 3));
    const at = (index: number) =>
      eventually(
        () => shownEvent(page),
        (id) => id === ids[index],
      );
    await at(2);
    assert.ok(await page.getByRole('button', { name: 'Newer' }).isDisabled());
    await page.getByRole('button', { name: 'Older' }).click();
    await at(1);
    assert.equal(new URL(page.url()).searchParams.get('event'), ids[1]);
    await page.getByRole('button', { name: 'First event' }).click();
    await at(0);
    assert.ok(await page.getByRole('button', { name: 'Older' }).isDisabled());
    await page.reload();
    await at(0);
    await page.getByRole('button', { name: 'Newer' }).click();
    await at(1);
    await page.getByRole('button', { name: 'Latest event' }).click();
    await at(2);
    await page.goBack();
    await at(1);
  });

  it('keep a change when an answer from before it comes late', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?status=all`);
    await page.getByRole('link', { name: /PaymentError/ }).click();
    await sees(page, 'Stack trace');
    const status = async () => (await errorsOf(world())).find(({ title }) => title.startsWith('PaymentError'))?.status;
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await eventually(status, (now) => now === 'resolved');
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    let wasRead = () => {};
    const read = new Promise<void>((resolve) => (wasRead = resolve));
    await page.route(/\/errors\/\d+$/, async (route) => {
      const response = await route.fetch();
      wasRead();
      await late;
      // The page may not wait for it any more.
      await route.fulfill({ response }).catch(() => undefined);
    });
    // Reads the error again.
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await read;
    await page.keyboard.press('i');
    await eventually(status, (now) => now === 'ignored');
    answer();
    await page.evaluate(async () => {
      await (await fetch('/-/health')).text();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    assert.equal(await page.getByRole('button', { name: 'Undo ignore' }).count(), 1);
    await page.getByRole('button', { name: 'Undo ignore' }).click();
    await eventually(status, (now) => now === 'unresolved');
  });

  itInFullRun('show hostile text as text, everywhere', async function () {
    this.timeout(400_000);
    await sendEvents(
      world().target,
      HOSTILE_TEXTS.map((text) => hostileEvent(now - 10, text)),
    );
    const errors = await eventually(
      () => errorsOf(world()),
      (all) => all.length >= HOSTILE_TEXTS.length + 1,
    );
    const page = await world().page();
    for (const { id, title } of errors) {
      // Nothing of the error before is left when the next one is shown.
      await (id === errors[0]?.id ? page.goto('/nowhere') : follow(page, '/nowhere'));
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await follow(page, `${world().list}/${id}/details`);
      await sees(page, 'Stack trace');
      await page
        .getByText(/^Variables/)
        .first()
        .click();
      await page.getByRole('button', { name: 'Show raw' }).click();
      await page.getByRole('button', { name: 'Show frames' }).click();
      assert.equal(await page.evaluate('window.__owned'), undefined, title);
      assert.equal(
        await page.locator('main script, main iframe, main img, main a[href^="javascript"]').count(),
        0,
        title,
      );
      await assertFits(page, title);
    }
    const script = errors.find(({ title }) => title.includes('<script>window.__owned = 1'));
    await page.goto(`${world().list}/${script?.id ?? ''}/details`);
    await page.getByText('1 module', { exact: true }).waitFor();
    await sees(page, 'Stack trace');
    const code = await page.locator('.line.current .text').first().innerText();
    assert.equal(code.trim(), HOSTILE_TEXTS[0]);
    await shoot(page, 'details-hostile');
    const arabic = errors.find(({ title }) => title.includes('مرحبا'));
    await page.goto(`${world().list}/${arabic?.id ?? ''}/details`);
    await sees(page, 'Stack trace');
    await shoot(page, 'details-rtl');
    await assertAccessible(page);
  });

  it('have a state for no stack, for a deleted event and for an unknown error', async () => {
    await sendEvent(world().target, { message: 'only words', level: 'info' });
    const address = await addressOf(world(), 'only words');
    const page = await world().page({ dark: true });
    await page.goto(address);
    await sees(page, 'No stack trace for this error');
    await shoot(page, 'details-no-stack');
    await assertAccessible(page);
    await page.goto(`${address}?event=${'0'.repeat(32)}`);
    await sees(page, 'Event not found');
    await page.getByRole('button', { name: 'Show the latest event' }).click();
    await sees(page, 'No stack trace for this error');
    await page.goto(`${world().list}/987654/details`);
    await sees(page, 'Error not found');
    await sees(page, 'Not found, or you do not have access.');
    await page.getByRole('link', { name: 'Back to errors' }).waitFor();
    await shoot(page, 'details-404');
    await assertAccessible(page);
  });
});
