import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const TRACKING = '/projects/demo%2Fshop/error_tracking';
const ROUTE = '**/error_tracking/discarded';

interface Listed {
  readonly id: string;
  readonly title: string;
}

describeInBrowser('errors whose events are dropped', (world) => {
  const section = (page: Page) => page.getByRole('region', { name: 'Dropped errors' });
  const open = async (options = {}): Promise<Page> => {
    const page = await world().page(options);
    await page.goto('/demo/shop/-/settings/operations#dropped-errors');
    return page;
  };
  const listed = async () => (await world().api('GET', `${TRACKING}/errors?status=all`)) as readonly Listed[];
  const send = (title: string) =>
    sendEvent(world().target, { message: title, timestamp: Date.now() / 1000, fingerprint: [title] });

  /** Adds an error, and deletes it for good. */
  async function drop(title: string): Promise<void> {
    await send(title);
    const errors = await eventually(listed, (all) => all.some((error) => error.title === title));
    const { id } = errors.find((error) => error.title === title) ?? assert.fail();
    await world().api('DELETE', `${TRACKING}/errors/${id}?discard=true`);
  }

  it('are listed, or the reason why they are not', async () => {
    const page = await open({ expected: /status of 500/ });
    await section(page).getByText('No errors are dropped.').waitFor();
    await page.route(ROUTE, (route) => route.fulfill({ status: 500, json: { message: 'boom' } }));
    await page.reload();
    await section(page).getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.unroute(ROUTE);
    await section(page).getByRole('button', { name: 'Try again' }).click();
    await section(page).getByText('No errors are dropped.').waitFor();
  });

  it('are accepted again after a question', async () => {
    await drop('Health check failed');
    await drop('Bots ask for wp-login.php');
    const page = await open();
    await section(page).getByText('Health check failed').waitFor();
    await assertLooks(page, 'settings-dropped');
    const rows = section(page).locator('tbody tr');
    await rows.nth(1).waitFor();
    assert.match(await rows.nth(1).innerText(), /Health check failed[^]*Administrator/);
    await section(page).getByRole('button', { name: 'Accept again: Health check failed' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Accept its events again?' });
    await dialog.getByText('Its next event makes a new error.').waitFor();
    await shoot(page, 'settings-dropped-question');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await rows.count(), 2);
    await section(page).getByRole('button', { name: 'Accept again: Health check failed' }).click();
    await dialog.getByRole('button', { name: 'Accept again' }).click();
    await sees(page, 'Its events are accepted again. The next one makes a new error.');
    await section(page).getByText('Health check failed').waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 1);
    await send('Bots ask for wp-login.php');
    await send('Health check failed');
    const errors = await eventually(listed, (all) => all.length > 0);
    assert.deepEqual(
      errors.map(({ title }) => title),
      ['Health check failed'],
    );
  });
});
