import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

interface ListedError {
  readonly id: string;
  readonly status: string;
  readonly count: number;
}

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const errorsOf = async (world: BrowserWorld) =>
  (await world.api('GET', `${ERRORS}?status=all`)) as readonly ListedError[];
const rowButtons = (page: Page) => page.locator('tr[data-error]').getByRole('button');

describeInBrowser('errors as a Reporter sees them', (world) => {
  before(async () => {
    for (const message of ['the first of two', 'another one altogether', 'something else']) {
      await sendEvent(world().target, { message, level: 'error' });
    }
    const [first, second] = await eventually(
      () => errorsOf(world()),
      (errors) => errors.length === 3,
    );
    await world().api('POST', `${ERRORS}/${first?.id ?? ''}/merge`, { ids: [second?.id] });
    await world().person('rolf', 20);
    await world().person('dora', 30);
  });

  it('offers nothing on the list that only developers may do', async () => {
    const developers = await world().page({ as: 'dora' });
    await developers.goto(world().list);
    await rowButtons(developers).first().waitFor();
    assert.equal(await rowButtons(developers).count(), 6);

    const page = await world().page({ as: 'rolf' });
    await page.goto(world().list);
    await page.locator('tr[data-error]').first().waitFor();
    await sees(page, 'View only. You need the Developer role to resolve or ignore errors.');
    assert.deepEqual([await rowButtons(page).count(), await page.getByRole('checkbox').count()], [0, 0]);
    for (const key of ['j', 'x', 'e', 'i', 'm', '?']) await page.keyboard.press(key);
    await page.getByRole('dialog').getByText('Open the error').waitFor();
    assert.equal(
      await page
        .getByRole('dialog')
        .getByText(/ignore/i)
        .count(),
      0,
    );
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('tr[data-error]').count(), 2);
    await shoot(page, 'list-reporter');
  });

  it('offers nothing on the details that only developers may do', async () => {
    for (const [as, offered] of [
      ['dora', 5],
      ['rolf', 0],
    ] as const) {
      const page = await world().page({ as });
      const known = page.waitForResponse((response) => response.url().includes('/members/'));
      await page.goto(`${world().list}?status=all`);
      await page.locator('tr[data-error]', { hasText: '2' }).first().waitFor();
      await known;
      const merged = (await errorsOf(world())).find((error) => error.count === 2);
      await page.locator(`tr[data-error="${merged?.id ?? ''}"] a`).click();
      await sees(page, 'Merged into this error');
      const buttons = page.getByRole('button', { name: /^(Resolve|Ignore|Merge…|Unmerge)/ });
      if (offered === 0) for (const key of ['e', 'm']) await page.keyboard.press(key);
      await eventually(
        () => buttons.count(),
        (count) => count === offered,
      );
      await assertAccessible(page);
    }
    assert.deepEqual(
      (await errorsOf(world())).map(({ status }) => status),
      ['unresolved', 'unresolved'],
    );
  });
});
