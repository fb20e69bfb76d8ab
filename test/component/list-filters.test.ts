import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvent, sendEvents } from '../support/browser-seed.ts';
import { describeInDom, type DomWorld, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = 60;

/** Errors of which the first stands on the last page. */
async function seed(world: DomWorld): Promise<void> {
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
async function openList(world: DomWorld, page: DomPage, query = ''): Promise<void> {
  await page.goto(world.list + query);
  await page.locator('tr[data-error]').first().waitFor();
}

const head = (page: DomPage, name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) });

async function sortedBy(page: DomPage, name: string): Promise<void> {
  await eventually(
    () => head(page, name).getAttribute('aria-sort'),
    (order) => order === 'descending',
  );
}

describeInDom('the filters of the list', (world) => {
  before(() => seed(world()));

  it('suggest environments and releases of the whole project', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.getByLabel('Environment', { exact: true }).focus();
    for (const name of ['archive', 'production']) {
      await page.locator(`#known-environments option[value="${name}"]`).waitFor({ state: 'attached' });
    }
    await page.locator('#known-releases option[value="shop@0.1"]').waitFor({ state: 'attached' });
    await sendEvent(world().target, {
      message: 'error number 1',
      fingerprint: ['error number 1'],
      release: 'shop@<b>',
    });
    const releases = page.locator('#known-releases option');
    await eventually(
      async () => {
        await page.getByLabel('Release', { exact: true }).focus();
        await page.getByLabel('Environment', { exact: true }).focus();
        return releases.evaluateAll((options) => options.map((one) => one.getAttribute('value')));
      },
      (values) => values.join() === 'shop@<b>,shop@0.1',
    );
    assert.equal(await page.locator('datalist b').count(), 0);
  });

  it('suggest the releases of the chosen environment', async () => {
    const page = await world().page();
    await openList(world(), page, '?environment=archive');
    const values = () =>
      page
        .locator('#known-releases option')
        .evaluateAll((options) => options.map((one) => one.getAttribute('value')).join());
    await eventually(values, (found) => found === 'shop@0.1');
    // The list is empty.
    await page.goto(`${world().list}?environment=production&release=shop%400.1`);
    await page.getByText('No event in “production” has the release “shop@0.1”.').waitFor();
  });

  it('show what is searched for', async () => {
    const page = await world().page();
    await openList(world(), page);
    const search = page.getByRole('combobox', { name: 'Search errors' });
    await page.getByPlaceholder('Words, or is: user: file: release: …').waitFor();
    const hint = (await search.getAttribute('aria-describedby')) ?? '';
    assert.match(await page.locator(`#${hint}`).innerText(), /title, message, type or culprit/);
    await assertAccessible(page);
  });

  it('take the words of the search that they have a control for', async () => {
    const page = await world().page();
    await openList(world(), page);
    const search = page.getByRole('combobox', { name: 'Search errors' });
    const clear = page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: 'Clear filters' });
    const at = (query: string) => page.waitForURL((url) => decodeURIComponent(url.search) === query);
    await search.fill('level:fatal');
    await at('?search=level:fatal');
    await page.getByText('No unresolved errors match').waitFor();
    await search.press('Enter');
    await at('?level=fatal');
    assert.equal(await search.inputValue(), '');
    assert.equal(await page.getByLabel('Level', { exact: true }).inputValue(), 'fatal');
    await clear.click();
    await search.fill('number is:unresolved environment:archive release:shop@0.1');
    await search.press('Enter');
    await at('?search=number&environment=archive&release=shop@0.1');
    assert.equal(await search.inputValue(), 'number');
    await page.getByRole('link', { name: 'error number 0' }).waitFor();
  });

  it('fall back to the default sort where the tracker refuses the one in the address', async () => {
    const page = await world().page({ expected: /400 \(Bad Request\)/ });
    await page.route('**/error_tracking/errors?**sort=users**', (route) =>
      route.fulfill({ status: 400, json: { message: 'not this one', code: 'unsupported_by_tracker' } }),
    );
    await openList(world(), page, '?sort=users&level=error');
    await eventually(
      async () => new URL(page.url()).search,
      (search) => search === '?level=error',
    );
    await sortedBy(page, 'Last seen');
  });

  it('select all rows of a page, and say that only this page is selected', async () => {
    const page = await world().page();
    await openList(world(), page, '?sort=first_seen');
    const bar = page.locator('.bulk-bar');
    const said = bar.getByRole('status');
    assert.equal(await said.innerText(), '');
    await page.getByLabel('Select all on this page').click();
    await bar.getByText('All 20 on this page selected', { exact: true }).waitFor();
    assert.equal(await said.innerText(), 'All 20 on this page selected');
    await assertAccessible(page);
    await page.locator('tr[data-error]').first().getByRole('checkbox').click();
    await said.getByText('19 errors selected', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: 'Ignore', exact: true }).click();
    const ignored = () => world().api('GET', '/projects/demo%2Fshop/error_tracking/errors?status=ignored&per_page=100');
    await eventually(
      async () => ((await ignored()) as unknown[]).length,
      (count) => count === 20,
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(
      async () => ((await ignored()) as unknown[]).length,
      (count) => count === 0,
    );
  });
});
