import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { openWholeList } from '../support/whole-list.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = 60;

/** Errors of which the first stands on the last page. */
async function seed(world: BrowserWorld): Promise<void> {
  const now = Date.now() / 1000;
  const events = Array.from({ length: ERRORS }, (_, index) => {
    const old = index === 0 ? { environment: 'archive', release: 'shop@0.1' } : { environment: 'production' };
    const message = `error number ${index}`;
    return { timestamp: now - ERRORS + index, message, fingerprint: [message], ...old };
  });
  await sendEvents(world.target, events);
  await eventually(
    async () => (await world.api('GET', '/projects/demo%2Fshop/error_tracking/errors?per_page=100')) as unknown[],
    (errors) => errors.length === ERRORS,
  );
}

/** The list, loaded. */
async function openList(world: BrowserWorld, page: Page, query = ''): Promise<void> {
  await page.goto(world.list + query);
  await page.locator('tr[data-error]').first().waitFor();
}

const head = (page: Page, name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) });
const sortBy = (page: Page, name: string) => head(page, name).getByRole('button').click();

async function sortedBy(page: Page, name: string): Promise<void> {
  await eventually(
    () => head(page, name).getAttribute('aria-sort'),
    (order) => order === 'descending',
  );
}

describeInBrowser('the filters of the list', (world) => {
  before(() => seed(world()));

  it('are wide enough for their labels, and warn of a name that no event has', async () => {
    const page = await world().page();
    await openList(world(), page);
    for (const name of ['Environment', 'Release']) {
      const field = page.getByLabel(name, { exact: true });
      await field.focus();
      await page.locator('#known-releases option').first().waitFor({ state: 'attached' });
      const [wanted, room] = await field.evaluate((input: HTMLInputElement) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(input);
        const context = document.createElement('canvas').getContext('2d');
        if (context === null) return [0, 0];
        context.font = font;
        const arrow = getComputedStyle(input, '::-webkit-calendar-picker-indicator');
        const taken = arrow.display === 'none' ? 0 : 24;
        return [
          context.measureText(input.placeholder).width,
          input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - taken,
        ];
      });
      assert.ok(wanted > 0 && wanted <= room, `${name}: ${wanted} of ${room}`);
    }
    const environment = page.getByLabel('Environment', { exact: true });
    await environment.fill('prodction');
    await environment.press('Enter');
    const message = page.getByText('No event has the environment “prodction”. Known: archive, production.');
    await message.waitFor();
    await shoot(page, 'list-unknown-environment');
    await assertAccessible(page);
    await page.reload();
    await message.waitFor();
    await environment.fill('archive');
    await environment.press('Enter');
    await page.getByText('error number 0').waitFor();
    assert.equal(await message.count(), 0);
  });

  it('fall back to the defaults for unknown values in the address, and correct it', async () => {
    const page = await world().page({ expected: /400 \(Bad Request\)/ });
    const corrected = async (query: string, right: string) => {
      await openList(world(), page, query);
      await eventually(
        async () => new URL(page.url()).search,
        (search) => search === right,
      );
      await page.locator('tr[data-error]').first().waitFor();
      assert.equal(await page.getByRole('alert').count(), 0);
    };
    await corrected('?status=gone&sort=age&level=loud', '');
    await sortedBy(page, 'Last seen');
    await corrected('?level=error&status=', '?level=error');
    await corrected('?search=number%00+5&sort=users&sort=x', '?search=number+5');
    await corrected('?cursor=made-up', '');
    // The wrong address is no step on the way back.
    await sortBy(page, 'Events');
    await page.waitForURL(/sort=frequency/);
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
  });

  it('are followed by pages of the preferred size', async () => {
    const page = await world().page();
    const rows = page.locator('tr[data-error]');
    const shows = async (count: number, search: string) => {
      await eventually(
        async () => `${await rows.count()} ${new URL(page.url()).search} at ${await page.evaluate<number>('scrollY')}`,
        (now) => now === `${count} ${search} at 0`,
      );
    };
    await openList(world(), page, '?sort=users');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/cursor=/);
    await page.getByLabel('Errors per page').selectOption('50');
    await shows(50, '?sort=users&per_page=50');
    await openList(world(), page);
    await shows(50, '?per_page=50');
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(
      () => rows.count(),
      (count) => count === ERRORS - 50,
    );
    await page.getByLabel('Errors per page').selectOption('100');
    await shows(ERRORS, '?per_page=100');
    await assertAccessible(page);
    await openList(world(), page, '?per_page=20');
    await shows(20, '?per_page=20');
    await sortBy(page, 'Events');
    await shows(20, '?sort=frequency&per_page=20');
    // A length of pages is no step on the way back.
    await page.getByLabel('Errors per page').selectOption('100');
    await shows(ERRORS, '?sort=frequency&per_page=100');
    await page.goBack();
    await shows(20, '?per_page=20');
    await openList(world(), page, '?per_page=33');
    await shows(ERRORS, '?per_page=100');
    await page.getByLabel('Errors per page').selectOption('20');
    await shows(20, '');
    await page.reload();
    await shows(20, '');
  });

  itInFullRun('open behind one button on a phone, where the list begins at the top', async () => {
    const page = await world().page({ phone: true });
    await openList(world(), page, '?level=error&environment=production');
    const { y } = (await page.locator('tr[data-error]').first().boundingBox()) ?? assert.fail();
    assert.ok(y <= 200, `the list begins at ${y}`);
    const opener = page.getByRole('button', { name: /^Filters/ });
    assert.match(await opener.innerText(), /Filters\s*2/);
    assert.equal(await page.getByLabel('Level', { exact: true }).isVisible(), false);
    await page.locator('header').getByRole('link', { name: 'shop', exact: true }).waitFor();
    await shoot(page, 'list-filters-phone');
    await opener.click();
    await page.getByLabel('Sort by').selectOption('frequency');
    await page.getByRole('button', { name: 'Last 7 d' }).click();
    await page.waitForURL(/sort=frequency.*range=7d/);
    assert.match(await opener.innerText(), /Filters\s*3/);
    await assertAccessible(page);
    await opener.click();
    assert.equal(await page.getByLabel('Level', { exact: true }).isVisible(), false);
  });

  itInFullRun('leave the actions on a phone side by side at the bottom', async () => {
    const page = await world().page({ phone: true });
    const tops = async (...names: readonly string[]) => {
      const boxes = names.map((name) => page.getByRole('button', { name, exact: true }).boundingBox());
      return new Set((await Promise.all(boxes)).map((box) => box?.y)).size;
    };
    await openWholeList(page, `${world().list}?status=all&level=error`);
    await page.locator('tr[data-error]').first().getByRole('checkbox').click();
    assert.equal(await tops('Resolve', 'Resolve in a release', 'Ignore', 'Ignore until…', 'More'), 1);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Reopen' }).waitFor();
    await page.getByRole('menuitem', { name: 'Merge…' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await shoot(page, 'list-selected-phone');
    assert.equal(await tops('Previous', 'Next'), 1);
    await assertFits(page);
    await assertAccessible(page);
  });
});
