import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, LOOKS, pass, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const rowOf = (page: Page, title: string) => page.locator('tr[data-error]', { hasText: title });
const searchOf = (page: Page) => page.getByRole('combobox', { name: 'Search errors' });
const search = (page: Page, text: string) => page.waitForURL((url) => (url.searchParams.get('search') ?? '') === text);

describeInBrowser('the search of the list', (world) => {
  before(async () => {
    const events = ['fatal', 'error', 'warning'].map((level) => ({
      message: `one of ${level}`,
      level,
      fingerprint: [level],
      tags: { browser: level === 'fatal' ? 'Mobile Safari' : 'Firefox 140' },
    }));
    await sendEvents(world().target, events);
    await eventually(
      () => world().api('GET', ERRORS) as Promise<readonly unknown[]>,
      (errors) => errors.length === 3,
    );
  });

  it('completes keys and values by keyboard', async () => {
    const page = await world().page({ expected: /400/ });
    await page.goto(world().list);
    await rowOf(page, 'one of fatal').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('option', { name: /^level:/ }).waitFor();
    await assertAccessible(page);
    await shoot(page, 'list-search-keys');
    await page.keyboard.type('bro');
    await page.keyboard.press('ArrowDown');
    const active = async () =>
      page.locator(`#${(await searchOf(page).getAttribute('aria-activedescendant')) ?? 'none'}`);
    assert.match(await (await active()).innerText(), /^browser:/);
    await page.keyboard.press('Enter');
    assert.equal(await searchOf(page).inputValue(), 'browser:');
    await page.getByRole('option', { name: 'Mobile Safari' }).waitFor();
    await page.keyboard.type('mob');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await searchOf(page).inputValue(), 'browser:"Mobile Safari" ');
    await search(page, 'browser:"Mobile Safari"');
    await rowOf(page, 'one of error').waitFor({ state: 'detached' });
    await rowOf(page, 'one of fatal').waitFor();
    await searchOf(page).fill('browser:fire');
    await page.getByRole('option', { name: /^Firefox 140/ }).waitFor();
    assert.match(await page.getByRole('option').first().innerText(), /^Firefox\s+any version$/);
    await page.getByRole('option').first().click();
    assert.equal(await searchOf(page).inputValue(), 'browser:Firefox ');
    await rowOf(page, 'one of error').waitFor();
    await rowOf(page, 'one of fatal').waitFor({ state: 'detached' });
    await searchOf(page).fill('level:[fatal, error] browser:*fox');
    await page.getByText(/^\* stands only at the end of a value: browser:start\*/).waitFor();
    await searchOf(page).fill('level:[fatal,er');
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: 'error' }).click();
    assert.equal(await searchOf(page).inputValue(), 'level:[fatal,error] ');
    await search(page, 'level:[fatal,error]');
    // Until the answer comes, the rows of the search before are there.
    await rowOf(page, 'one of warning').waitFor({ state: 'detached' });
    await rowOf(page, 'one of error').waitFor();
    await searchOf(page).fill('browser:Fire*');
    await rowOf(page, 'one of fatal').waitFor({ state: 'detached' });
    await rowOf(page, 'one of warning').waitFor();
    await searchOf(page).fill('level: of fatal');
    await page.getByText(/^level: was searched for as text/).waitFor();
    await assertAccessible(page);
    await shoot(page, 'list-search-hint');
    await searchOf(page).fill('browser:"Mobile Safari" ');
    await rowOf(page, 'one of fatal').waitFor();
    await page.keyboard.type('!is:new');
    await page.getByText('No unresolved errors match').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await rowOf(page, 'one of error').waitFor();
  });

  itInFullRun('completes by mouse, in both themes and on a phone', async () => {
    for (const { suffix, dark, phone } of LOOKS) {
      const page = await world().page({ dark, phone });
      await page.goto(world().list);
      await rowOf(page, 'one of fatal').waitFor();
      await searchOf(page).click();
      await page.getByRole('option', { name: /^is:/ }).click();
      await page.getByRole('option', { name: /^unhandled/ }).waitFor();
      await shoot(page, `list-search-values${suffix}`);
      await page.getByRole('option', { name: /^new/ }).click();
      await search(page, 'is:new');
      await rowOf(page, 'one of error').waitFor();
      await assertAccessible(page, true);
      await assertFits(page);
    }
  });

  it('keeps the list while a key is typed that the completion offers, and searches it when the list closes', async () => {
    const page = await world().page({ clock: true });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/errors')) asked.push(searchParams.get('search') ?? '');
    });
    await page.goto(`${world().list}?per_page=50`);
    await rowOf(page, 'one of fatal').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('option', { name: /^browser:/ }).waitFor();
    await page.keyboard.type('fatal bro');
    await page.getByRole('option', { name: /^browser:/ }).waitFor();
    await pass(page, 5000);
    await rowOf(page, 'one of error').waitFor();
    assert.deepEqual(
      asked.filter((text) => text.includes('bro')),
      [],
    );
    await page.keyboard.press('Escape');
    await search(page, 'fatal bro');
    await rowOf(page, 'one of error').waitFor({ state: 'detached' });
    // No key begins so: it is searched as it is typed.
    await searchOf(page).fill('fatale');
    await pass(page, 5000);
    await search(page, 'fatale');
    await searchOf(page).fill('le');
    await pass(page, 5000);
    assert.equal(new URL(page.url()).searchParams.get('search'), 'fatale');
    await searchOf(page).blur();
    await search(page, 'le');
  });

  it('keeps the list while a value is typed that the completion offers, and shows no pages of a refused one', async () => {
    const page = await world().page({ expected: /400/, clock: true });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('search') ?? ''));
    await page.goto(`${world().list}?per_page=50`);
    await rowOf(page, 'one of fatal').waitFor();
    await page.keyboard.press('/');
    await page.getByRole('option', { name: /^level:/ }).waitFor();
    await page.keyboard.type('is:reg');
    await page.getByRole('option', { name: /^regressed/ }).waitFor();
    await pass(page, 5000);
    await rowOf(page, 'one of fatal').waitFor();
    assert.deepEqual(
      asked.filter((text) => text.startsWith('is:')),
      [],
    );
    await shoot(page, 'list-search-typing');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This search is not valid' }).waitFor();
    assert.equal(await page.getByRole('navigation', { name: 'Pages of the list' }).count(), 0);
    await page.keyboard.type('ressed');
    await pass(page, 5000);
    await page.getByText('No unresolved errors match').waitFor();
  });

  it('is saved under a name, opened, made the default, and deleted', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?status=all&level=fatal`);
    await rowOf(page, 'one of fatal').waitFor();
    const opener = page.getByTitle('Saved searches');
    const panel = page.getByRole('dialog', { name: 'Saved searches' });
    await opener.click();
    await panel.getByText('No saved searches yet.').waitFor();
    await page.keyboard.type('Fatal ones');
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: 'Fatal ones', exact: true }).waitFor();
    await assertAccessible(page);
    await shoot(page, 'list-saved-views');
    await page.keyboard.press('Escape');
    await page.goto(`${world().list}?status=resolved`);
    await opener.click();
    await panel.getByRole('button', { name: 'Fatal ones', exact: true }).press('Enter');
    await page.waitForURL((url) => url.search === '?status=all&level=fatal');
    await opener.click();
    await panel.getByRole('button', { name: 'Open the list with Fatal ones' }).click();
    await panel.getByText('Default').waitFor();

    await page.goto(world().list);
    await page.waitForURL((url) => url.search === '?status=all&level=fatal');
    await rowOf(page, 'one of fatal').waitFor();
    assert.equal(await page.locator('tr[data-error]').count(), 1);
    const elsewhere = await world().page();
    await elsewhere.goto(world().list);
    await elsewhere.waitForURL((url) => url.search === '?status=all&level=fatal');

    await opener.click();
    await panel.getByRole('button', { name: 'Delete Fatal ones' }).click();
    await panel.getByText('No saved searches yet.').waitFor();
    await page.getByText('The saved search “Fatal ones” was deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(
      () =>
        world().api('GET', '/projects/demo%2Fshop/error_tracking/views') as Promise<readonly { is_default: boolean }[]>,
      ([view]) => view?.is_default === true,
    );
    await opener.click();
    await panel.getByRole('button', { name: 'Delete Fatal ones' }).click();
    await panel.getByText('No saved searches yet.').waitFor();
    await page.goto(world().list);
    await rowOf(page, 'one of error').waitFor();
    assert.equal(new URL(page.url()).search, '');
  });

  itInFullRun('shows saved searches in one width, and long names in the room of the filters', async () => {
    const name = 'Checkout in production, new since yesterday';
    const page = await world().page();
    const panel = page.getByRole('dialog', { name: 'Saved searches' });
    for (const [title, query] of [
      [name, '?level=fatal'],
      ['Mine', '?search=assigned:me'],
    ] as const) {
      await page.goto(world().list + query);
      await page.getByTitle('Saved searches').click();
      await panel.getByPlaceholder(/^Save/).fill(title);
      await page.keyboard.press('Enter');
      await panel.getByRole('button', { name: title, exact: true }).waitFor();
    }
    const widths = await panel.locator('li, form').evaluateAll((all) => all.map((one) => one.clientWidth));
    assert.equal(widths.length, 3);
    assert.equal(new Set(widths).size, 1, `widths ${widths.join(', ')}`);
    const field = await panel.locator('form').evaluate((form) => {
      const [input, button] = [form.querySelector('input'), form.querySelector('button')];
      return form.clientWidth - (input?.offsetWidth ?? 0) - (button?.offsetWidth ?? 0);
    });
    assert.ok(field <= 8, 'the field for a name fills its line');
    await page.setViewportSize({ width: 1440, height: 900 });
    const lines = await page
      .locator('#list-filters > :is(.select, .input, .views)')
      .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top));
    assert.equal(lines.length, 4);
    assert.equal(new Set(lines).size, 1, 'the filters share one line');

    const phone = await world().page({ phone: true });
    for (const width of [390, 320]) {
      await phone.setViewportSize({ width, height: 844 });
      await phone.goto(`${world().list}?level=fatal`);
      await phone.getByRole('button', { name: /^Filters/ }).click();
      await phone.getByTitle('Saved searches').getByText(name).waitFor();
      await assertFits(phone);
      const [level, environment] = await phone
        .locator('[aria-label="Level"], [aria-label="Environment"]')
        .evaluateAll((all) => all.map((one) => one.clientWidth));
      assert.ok(Math.abs((level ?? 0) - (environment ?? 0)) < 4, `${level ?? 0} and ${environment ?? 0} at ${width}`);
      await phone.getByTitle('Saved searches').click();
      await phone.getByRole('dialog', { name: 'Saved searches' }).waitFor();
      await assertFits(phone);
    }
    for (const title of [name, 'Mine']) await panel.getByRole('button', { name: `Delete ${title}` }).click();
    await panel.getByText('No saved searches yet.').waitFor();
  });
});
