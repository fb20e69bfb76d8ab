import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

interface ListedError {
  readonly id: string;
  readonly status: string;
  readonly count: number;
}

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const errorsOf = async (world: BrowserWorld) =>
  (await world.api('GET', `${ERRORS}?status=all`)) as readonly ListedError[];
const rowButtons = (page: Page) => page.locator('tr[data-error]').getByRole('button');

/** Pages of a project that Guests may not see, with what their heading says. */
const REFUSED = {
  'error_tracking?status=resolved': 'You need the Reporter role to see errors',
  'error_tracking/1/details': 'You need the Reporter role to see errors',
  'error_tracking/releases': 'You need the Reporter role to see releases',
  'error_tracking/releases/shop@1.0.0': 'You need the Reporter role to see releases',
  'error_tracking/releases/shop@1.0.0/compare': 'You need the Reporter role to see releases',
  'error_tracking/uploads': 'You need the Reporter role to see uploads',
  'error_tracking/user_reports': 'You need the Reporter role to see user reports',
  'error_tracking/outcomes': 'You need the Maintainer role to see the usage',
  'settings/operations': 'You need the Maintainer role to see and change the settings',
  'settings/alerts': 'You need the Maintainer role to see and change alerts',
} as const;

describeInBrowser('a project as a Guest sees it', (world) => {
  before(() => world().person('gus', 10));

  it('says at each page of others which role it needs, and shows nothing else', async () => {
    const page = await world().page({ as: 'gus', expected: /status of 403/ });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const [address, title] of Object.entries(REFUSED)) {
      await page.goto(`/demo/shop/-/${address}`);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await sees(page, 'You have the Guest role in this project. Ask one of its maintainers or owners');
      const main = page.locator('main');
      for (const role of ['tab', 'searchbox', 'combobox', 'textbox', 'table', 'button'] as const) {
        assert.equal(await main.getByRole(role).count(), 0, `${role} at ${address}`);
      }
      assert.equal(await main.locator('.skeleton, [aria-busy="true"]').count(), 0, address);
    }
    assert.deepEqual(
      asked.filter((path) => path.endsWith('/error_tracking/errors')),
      [],
    );
    await page.getByRole('link', { name: 'See the members' }).click();
    await page.getByRole('row', { name: /gus/ }).getByText('Guest').waitFor();
    await page.goto('/admin/health');
    await page.getByRole('heading', { name: 'Administrators only' }).waitFor();
  });

  itInFullRun('fits every width and passes the accessibility check in both themes', async () => {
    const page = await world().page({ as: 'gus', expected: /status of 403/ });
    await page.goto(world().list);
    await page.getByRole('heading', { name: 'You need the Reporter role to see errors' }).waitFor();
    await assertLooks(page, 'guest');
    for (const width of [768, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole('heading', { name: 'You need the Reporter role to see errors' }).waitFor();
      await assertFits(page, `at ${width}`);
    }
  });
});

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
    await eventually(
      () => rowButtons(developers).count(),
      (count) => count === 6,
    );

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
