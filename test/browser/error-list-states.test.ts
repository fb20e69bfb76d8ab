import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, PASSWORD, pass, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

/** Milliseconds after which a page looks again whether the service is back. */
const LOOK_MS = 2000;

async function givenErrors(world: BrowserWorld): Promise<void> {
  for (const message of ['first of them', 'second of them']) await sendEvent(world.target, { message, level: 'error' });
  await eventually(
    () => world.api('GET', '/projects/demo%2Fshop/error_tracking/errors') as Promise<readonly unknown[]>,
    (errors) => errors.length >= 2,
  );
}

describeInBrowser('states of the list', (world) => {
  before(async () => {
    await givenErrors(world());
  });

  it('show the request id after an internal error, to find it in the log', async () => {
    const page = await world().page({ expected: /500/ });
    await page.route('**/error_tracking/errors?**', (route) =>
      route.fulfill({
        status: 500,
        json: { message: '500 Internal Server Error' },
        headers: { 'X-Request-Id': '0123abcd' },
      }),
    );
    await page.goto(world().list);
    await sees(page, 'Something went wrong');
    await page.getByText('0123abcd').waitFor();
    await page.getByRole('button', { name: 'Copy the request id' }).waitFor();
    await assertLooks(page, 'list-500');
  });

  it('say that the session has ended when an action finds it over', async () => {
    const page = await world().page({ expected: /401/ });
    await page.goto(world().list);
    await sees(page, 'first of them');
    await page.context().clearCookies();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page
      .getByText(/Your session has ended\. Sign in again, then repeat it\./)
      .first()
      .waitFor();
    await sees(page, 'Your session has ended. Sign in to continue.');
    assert.equal(await page.getByText('401').count(), 0);
    await shoot(page, 'session-ended');
    await assertAccessible(page);
    await page.getByLabel('Username').fill(world().service.first.username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await sees(page, 'first of them');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByText('Your session has ended').count(), 0);
  });

  it('recover without reload when the service is back', async () => {
    const page = await world().page({ clock: true, expected: /ERR_FAILED|ERR_INTERNET|ERR_CONNECTION/ });
    await page.goto(world().list);
    await sees(page, 'first of them');
    const down = ['**/api/v4/**', '**/-/liveness'];
    for (const address of down) await page.route(address, (route) => route.abort());
    await page.getByRole('columnheader', { name: 'Users' }).getByRole('button').click();
    await sees(page, 'Connection lost. Reconnecting…');
    await shoot(page, 'list-offline');
    await assertAccessible(page);
    for (const address of down) await page.unroute(address);
    await pass(page, LOOK_MS);
    await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' });
    await sees(page, 'first of them');
  });
});
