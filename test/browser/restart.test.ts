import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeWithOwnService, pass, PASSWORD, sees, shoot } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

/** Only the banner says it; notes about failed changes name the reason alone. */
const AWAY = 'Connection lost. Reconnecting…';
/** What Chromium says to requests that nobody answers. */
const UNANSWERED = /ERR_CONNECTION|ERR_SOCKET_NOT_CONNECTED|ERR_FAILED|ERR_EMPTY_RESPONSE/;
/** Milliseconds after which every page has asked again. */
const POLL_MS = 6000;
const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

describeWithOwnService('a service that restarts, a session that ends', (world) => {
  const errorOf = async (title: string) =>
    ((await world().api('GET', `${ERRORS}?status=all`)) as readonly ListedError[]).find((one) => one.title === title);
  const row = (page: Page, text: string) => page.locator('tr[data-error]', { hasText: text });

  async function givenError(title: string): Promise<ListedError> {
    await sendEvent(world().target, { message: title, level: 'error' });
    const found = await eventually(
      () => errorOf(title),
      (error) => error !== undefined,
    );
    return found ?? assert.fail();
  }

  it('keeps its content while the service is away, and continues without reload', async () => {
    const { id } = await givenError('before the restart');
    const list = await world().page({ clock: true, expected: UNANSWERED });
    const details = await world().page({ clock: true, expected: UNANSWERED });
    await list.goto(world().list);
    await row(list, 'before the restart').waitFor();
    await details.goto(`${world().list}/${id}/details`);
    await details.getByRole('heading', { name: 'before the restart', level: 1 }).waitFor();
    for (const page of [list, details]) await page.evaluate('window.__same = true');

    const start = await world().stop();
    for (const page of [list, details]) {
      await pass(page, POLL_MS);
      await sees(page, AWAY);
    }
    await row(list, 'before the restart').waitFor();
    await details.getByRole('heading', { name: 'before the restart', level: 1 }).waitFor();
    await details.getByRole('button', { name: 'Resolve', exact: true }).click();
    await sees(details, 'Failed to update the status.');
    await shoot(details, 'details-restarting');
    await assertAccessible(details);

    await start();
    for (const page of [list, details]) {
      await pass(page, POLL_MS);
      await page.getByText(AWAY).waitFor({ state: 'detached' });
    }
    // The list is read again at once. An answer with the new error would show it, without the button.
    await list.locator('[aria-label="Errors"][aria-busy="false"]').waitFor();
    await givenError('after the restart');
    await pass(list, POLL_MS);
    await list.getByRole('button', { name: 'Show 1 new error' }).click();
    await row(list, 'after the restart').waitFor();
    await details.getByRole('button', { name: 'Resolve', exact: true }).click();
    await eventually(
      () => errorOf('before the restart'),
      (error) => error?.status === 'resolved',
    );
    for (const page of [list, details]) assert.equal(await page.evaluate('window.__same'), true, 'no reload');
  });

  it('reads the session once the service is back, and can write then', async () => {
    const page = await world().page({ expected: UNANSWERED });
    const unanswered = /\/(api\/v4|-)\//;
    await page.goto('/-/profile');
    await sees(page, 'Personal access tokens');
    // The page itself is there, as from the cache of a browser; nothing else answers.
    const html = await (await page.request.get('/demo/shop/-/settings/operations')).text();
    await page.route(unanswered, (route) => {
      const wanted = route.request();
      if (wanted.isNavigationRequest()) return route.fulfill({ contentType: 'text/html', body: html });
      return wanted.resourceType() === 'fetch' ? route.abort() : route.continue();
    });
    await page.goto('/demo/shop/-/settings/operations');
    await sees(page, AWAY);
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor();
    await shoot(page, 'settings-offline');
    await assertAccessible(page);
    await page.unroute(unanswered);
    await page.getByRole('button', { name: 'Create key' }).click();
    await sees(page, 'A new key was created');
    await page.getByTitle('Your profile').waitFor();
  });

  it('shows when a key was last used', async () => {
    await givenError('with the key of the first start');
    // The service notes uses once a minute, and when it stops.
    await (
      await world().stop()
    )();
    const page = await world().page();
    await page.goto('/demo/shop/-/settings/operations');
    const keys = page.getByRole('table').first();
    await keys.getByText(/^(just now|\d+ (s|min) ago|now)$/).waitFor();
    await keys.getByText('Never', { exact: true }).waitFor();
    assert.equal(await keys.locator('tbody tr').count(), 2);
    await shoot(page, 'settings-keys');
  });

  it('asks to sign in when the session ends meanwhile, and leads back to the same event', async () => {
    const { id } = await givenError('in the middle');
    const page = await world().page();
    const address = `${world().list}/${id}/details`;
    await page.goto(address);
    await sees(page, 'in the middle');
    await page.context().clearCookies();
    await page.keyboard.press('e');
    await sees(page, 'Sign in to continue.');
    await shoot(page, 'session-ended');
    await assertAccessible(page);
    await page.getByLabel('Username').fill(world().service.first.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'in the middle', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, address);
    assert.equal((await errorOf('in the middle'))?.status, 'unresolved');
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await eventually(
      () => errorOf('in the middle'),
      (error) => error?.status === 'resolved',
    );
  });
});
