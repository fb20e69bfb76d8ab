import { deepEqual } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, pass, sees, type PageOptions } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

/** Milliseconds after which the list asks again, at most. */
const POLL_MS = 4000;
const ROW_HAS_FOCUS = 'document.activeElement.closest("tr")?.dataset.error !== undefined';

describeInBrowser('resolving and ignoring rows of the list', (world) => {
  async function given(title: string): Promise<void> {
    const now = Date.now() / 1000;
    await sendEvent(world().target, richEvent(now, { exception: { values: [{ type: title, value: 'x' }] } }));
    await eventually(
      () => world().api('GET', `/projects/demo%2Fshop/error_tracking/errors?search=${title}&status=unresolved`),
      (errors) => (errors as unknown[]).length === 1,
    );
  }

  const rowOf = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });

  async function opened(title: string, options: PageOptions = {}): Promise<Page> {
    await given(title);
    const page = await world().page(options);
    await page.goto(`${world().list}?search=${title}`);
    await rowOf(page, title).waitFor();
    return page;
  }

  it('shows errors again that recur after they were resolved', async () => {
    const page = await opened('RegressError', { clock: true });
    await rowOf(page, 'RegressError').getByRole('button', { name: 'Resolve' }).click();
    await sees(page, 'Resolved: RegressError');
    await page.mouse.move(0, 0);
    await rowOf(page, 'RegressError').waitFor({ state: 'detached' });
    // An event before would belong to an error that is not resolved yet.
    await eventually(
      () => world().api('GET', '/projects/demo%2Fshop/error_tracking/errors?search=RegressError&status=resolved'),
      (errors) => (errors as unknown[]).length === 1,
    );
    await given('RegressError');
    await pass(page, POLL_MS);
    await rowOf(page, 'RegressError').waitFor();
  });

  it('is undone by a key, and the row has the focus again', async () => {
    const page = await opened('UndoneError');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await rowOf(page, 'UndoneError').waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await rowOf(page, 'UndoneError').waitFor();
    await eventually(() => page.evaluate<boolean>(ROW_HAS_FOCUS), Boolean);
    await page.getByText('Resolved: UndoneError').waitFor({ state: 'detached' });
  });

  it('stays undone, with the focus, when an outdated answer arrives late', async () => {
    const page = await opened('LateAnswerError');
    let letGo = (): void => undefined;
    const undone = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/error_tracking/errors?*', async (route) => {
      const response = await route.fetch();
      await undone;
      await route.fulfill({ response }).catch(() => undefined);
    });
    const emptyAsked = page.waitForRequest('**/error_tracking/errors?*');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await emptyAsked;
    await page.keyboard.press('z');
    await eventually(() => page.evaluate<boolean>(ROW_HAS_FOCUS), Boolean);
    const lateAnswer = page.waitForResponse('**/error_tracking/errors?*');
    letGo();
    await (await lateAnswer).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    deepEqual(await page.evaluate<boolean>(ROW_HAS_FOCUS), true);
  });

  it('shows only the failure when it failed', async () => {
    const page = await opened('StuckError', { expected: /status of 500|errors\/bulk/ });
    await page.route('**/errors/bulk', (route) => route.fulfill({ status: 500, json: { message: 'boom' } }));
    await rowOf(page, 'StuckError').getByRole('button', { name: 'Resolve' }).click();
    await sees(page, 'Failed to update the status');
    await rowOf(page, 'StuckError').waitFor();
    await page.getByText('Resolved: StuckError').waitFor({ state: 'detached' });
  });
});
