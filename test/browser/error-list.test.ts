import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { HOSTILE_TEXTS, richEvent, seedProject, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, pass, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly count: number;
}

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Milliseconds after which the list asks again, at most. */
const POLL_MS = 4000;
const titles = (page: Page) => page.locator('tr[data-error] a').allTextContents();
const ids = (page: Page) =>
  page.locator('tr[data-error]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-error') ?? ''));
const row = (page: Page, text: string) => page.locator('tr[data-error]', { hasText: text });
const errorsOf = async (world: BrowserWorld, query = '?status=all&per_page=100') =>
  (await world.api('GET', ERRORS + query)) as readonly ListedError[];

async function statusOf(world: BrowserWorld, title: string): Promise<string> {
  return (await errorsOf(world)).find((error) => error.title.includes(title))?.status ?? 'unknown';
}

/** The list, loaded. */
async function openList(world: BrowserWorld, page: Page, query = ''): Promise<void> {
  await page.goto(world.list + query);
  await page.locator('tr[data-error]').first().waitFor();
}

describeInBrowser('the list of errors', (world) => {
  it('waits for the first event, and shows it without reload', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await sees(page, 'Waiting for the first event');
    await page.getByRole('tab', { name: 'Python' }).click();
    const code = page.getByLabel('Example code');
    await code.getByText('sentry_sdk.init').first().waitFor();
    assert.ok((await code.innerText()).includes(world().service.first.dsn));
    await shoot(page, 'waiting');
    await assertAccessible(page);
    await page.evaluate('window.__same = true');
    await sendEvent(world().target, { message: 'the very first error', level: 'error' });
    await row(page, 'the very first error').waitFor();
    assert.equal(await page.evaluate('window.__same'), true);
  });

  it('shows the description of each error to all roles', async () => {
    await seedProject(world().target);
    await eventually(
      () => errorsOf(world()),
      (errors) =>
        errors.some(({ title, count }) => title.startsWith('TypeError') && count === 31) && errors.length > 30,
    );
    const page = await world().page();
    await openList(world(), page, '?sort=frequency');
    const first = await row(page, 'TypeError: Cannot read').innerText();
    assert.match(first, /POST \/checkout/);
    assert.match(first, /\b31\b/);
    assert.match(first, /\b9\b/);
    const spark = row(page, 'TypeError: Cannot read').getByRole('img');
    assert.match(
      (await spark.getAttribute('aria-label')) ?? '',
      /^\d+ events in the last 24 hours, at most \d+ events? in an hour$/,
    );
  });

  itInFullRun('looks well in both themes and on a phone', async () => {
    const page = await world().page();
    await openList(world(), page, '?sort=frequency');
    await assertLooks(page, 'list');
  });

  it('resolves an error in one click, and undoes it', async () => {
    const page = await world().page();
    await openList(world(), page, '?sort=frequency');
    const before = await titles(page);
    await page.getByRole('button', { name: 'Resolve IntegrityError' }).click();
    await row(page, 'IntegrityError').waitFor({ state: 'detached' });
    await eventually(
      () => statusOf(world(), 'IntegrityError'),
      (status) => status === 'resolved',
    );
    await shoot(page, 'list-undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'IntegrityError').waitFor();
    await eventually(
      () => statusOf(world(), 'IntegrityError'),
      (status) => status === 'unresolved',
    );
    assert.deepEqual((await titles(page)).slice(0, before.length), before, 'the row is where it was');
  });

  it('works by keyboard alone', async () => {
    const page = await world().page();
    await openList(world(), page, '?sort=frequency');
    const [first = '', second = '', third = ''] = await titles(page);
    await page.keyboard.press('?');
    await sees(page, 'Keyboard shortcuts');
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), first);
    await page.keyboard.press('e');
    await row(page, first).waitFor({ state: 'detached' });
    await eventually(
      () => page.evaluate('document.activeElement.textContent.trim()'),
      (text) => text === second,
    );
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await sees(page, '2 errors selected');
    await page.keyboard.press('i');
    await row(page, second).waitFor({ state: 'detached' });
    await eventually(
      async () => [await statusOf(world(), first), await statusOf(world(), second), await statusOf(world(), third)],
      (all) => all.join() === 'resolved,ignored,ignored',
    );
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like this');
    await sees(page, 'No unresolved errors match');
    await page.keyboard.press('Escape');
    await page.locator('tr[data-error]').first().waitFor();
    for (const title of [first, second, third]) {
      const error = (await errorsOf(world())).find((one) => one.title.startsWith(title));
      await world().api('PUT', `${ERRORS}/${error?.id ?? ''}`, { status: 'unresolved' });
    }
  });

  it('changes the status of all selected rows at once', async () => {
    const page = await world().page();
    await openList(world(), page, '?search=checkout&level=warning');
    await page.getByLabel('Select all on this page').click();
    await page.getByRole('button', { name: 'Ignore', exact: true }).click();
    await sees(page, 'No unresolved errors match');
    await eventually(
      () => statusOf(world(), 'SlowQuery'),
      (status) => status === 'ignored',
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(
      () => statusOf(world(), 'SlowQuery'),
      (status) => status === 'unresolved',
    );
  });

  it('merges several errors into one, and separates them again', async () => {
    const page = await world().page();
    await openList(world(), page, '?sort=frequency');
    const count = async (title: string) =>
      (await errorsOf(world())).find((error) => error.title.startsWith(title))?.count ?? 0;
    for (const title of ['ChunkLoadError', 'SlowQuery']) await row(page, title).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Merge…' }).click();
    await page.getByRole('button', { name: 'Merge 2 errors' }).click();
    await eventually(
      () => errorsOf(world()),
      (errors) => errors.some((error) => error.count === 21),
    );
    const merged = (await errorsOf(world())).find((error) => error.count === 21);
    await page.locator(`tr[data-error="${merged?.id ?? ''}"] a`).click();
    await sees(page, 'Merged into this error');
    await assertAccessible(page);
    await shoot(page, 'details-merged');
    await page.getByRole('button', { name: /^Unmerge / }).click();
    await page.getByText('Merged into this error').waitFor({ state: 'detached' });
    await eventually(
      async () => [await count('ChunkLoadError'), await count('SlowQuery')],
      (counts) => counts.join() === '12,9',
    );
  });

  it('keeps its state, pages included, in the address', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page
      .getByRole('columnheader', { name: /^Events/ })
      .getByRole('button')
      .click();
    await page.getByLabel('Level', { exact: true }).selectOption('error');
    await page.getByLabel('Environment', { exact: true }).fill('staging');
    await page.getByLabel('Environment', { exact: true }).press('Enter');
    await page.getByRole('combobox', { name: 'Search errors' }).fill('price');
    await eventually(
      () => titles(page),
      (shown) => shown.length === 1 && (shown[0] ?? '').startsWith('TypeError'),
    );
    const address = new URL(page.url());
    assert.equal(address.search, '?sort=frequency&level=error&search=price&environment=staging');
    const other = await world().page();
    await other.goto(address.href);
    await row(other, 'TypeError').waitFor();
    assert.equal(await other.getByLabel('Level', { exact: true }).inputValue(), 'error');
    assert.equal(await other.getByRole('combobox', { name: 'Search errors' }).inputValue(), 'price');

    await openList(world(), page, '?status=all');
    const first = await ids(page);
    await page.getByRole('button', { name: 'Next' }).click();
    const second = await eventually(
      () => ids(page),
      (shown) => shown.length > 0 && shown[0] !== first[0],
    );
    assert.match(page.url(), /[?&]cursor=/);
    assert.deepEqual(
      second.filter((id) => first.includes(id)),
      [],
    );
    await page.reload();
    await eventually(
      () => ids(page),
      (shown) => shown.join() === second.join(),
    );
    await page.getByRole('button', { name: 'Previous' }).click();
    await eventually(
      () => ids(page),
      (shown) => shown.join() === first.join(),
    );
  });

  it('remembers recent searches', async () => {
    const page = await world().page();
    await openList(world(), page);
    const search = page.getByRole('combobox', { name: 'Search errors' });
    for (const text of ['price', 'deadlock']) {
      await search.fill(text);
      await search.press('Enter');
    }
    await search.fill('');
    await page.getByRole('option', { name: 'price' }).waitFor();
    await search.press('ArrowDown');
    await search.press('ArrowDown');
    await search.press('Enter');
    await eventually(
      () => titles(page),
      (shown) => shown.length > 0 && shown.every((title) => title.includes('price')),
    );
    await search.fill('');
    await page.getByRole('button', { name: 'Clear recent searches' }).click();
    await page.getByRole('option', { name: 'deadlock' }).waitFor({ state: 'detached' });
  });

  it('updates counts without reload and moves no row while the pointer is on the list', async () => {
    const page = await world().page({ clock: true });
    const sum = async () => (await errorsOf(world())).reduce((all, { count }) => all + count, 0);
    const stored = await sum();
    await openList(world(), page);
    const before = await titles(page);
    const [, , moving = ''] = before;
    await row(page, before[0] ?? '')
      .first()
      .hover();
    await sendEvent(world().target, richEvent(Date.now() / 1000, { fingerprint: ['KeyError'] }));
    await eventually(sum, (now) => now === stored + 1);
    await pass(page, POLL_MS);
    await page.getByRole('button', { name: /^Show (1 new error)$|^Refresh the list$/ }).waitFor();
    assert.deepEqual(await titles(page), before);
    await page.mouse.move(2, 2);
    const fresh = page.getByRole('button', { name: 'Show 1 new error' });
    if ((await fresh.count()) > 0) await fresh.click();
    await eventually(
      () => titles(page),
      (shown) => shown.join() !== before.join(),
    );
    assert.ok((await titles(page)).includes(moving));
  });

  it('shows hostile text as text', async () => {
    const page = await world().page();
    await openList(world(), page, '?status=all&sort=first_seen');
    const shown: string[] = [];
    for (;;) {
      shown.push(...(await titles(page)));
      const next = page.getByRole('button', { name: 'Next' });
      if (!(await next.isVisible()) || !(await next.isEnabled())) break;
      const first = (await titles(page))[0];
      await next.click();
      await eventually(
        () => titles(page),
        (now) => now[0] !== first && now.length > 0,
      );
    }
    for (const text of HOSTILE_TEXTS.slice(0, 9)) {
      assert.ok(
        shown.some((title) => title.includes(text.slice(0, 90))),
        text,
      );
    }
    assert.ok(shown.some((title) => title.includes('‹U+202E›')));
    assert.ok(shown.some((title) => title.includes('‹U+200B›')));
    assert.equal(await page.evaluate('window.__owned'), undefined);
    assert.equal(await page.locator('main script, main iframe, main img').count(), 0);
  });
});
