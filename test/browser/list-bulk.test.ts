import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { openWholeList } from '../support/whole-list.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** More than a page of 20. */
const COUNT = 26;

interface Listed {
  readonly id: string;
  readonly assignee: { readonly username: string } | null;
}

const listed = async (world: BrowserWorld, query: string) =>
  (await world.api('GET', `${ERRORS}?per_page=100&${query}`)) as readonly Listed[];

const becomes = (world: BrowserWorld, query: string, count: number) =>
  eventually(
    async () => (await listed(world, query)).length,
    (now) => now === count,
  );

const openList = (world: BrowserWorld, page: Page, query = ''): Promise<void> =>
  openWholeList(page, world.list + query);

describeInBrowser('actions on everything that matches', (world) => {
  before(async () => {
    const now = Date.now() / 1000;
    const events = Array.from({ length: COUNT }, (_, index) => ({
      timestamp: now - index * 60,
      message: `error ${index}.`,
      fingerprint: [String(index)],
      release: 'shop@1.0',
    }));
    await sendEvents(world().target, events);
    await becomes(world(), 'status=unresolved', COUNT);
    await world().person('dora', 30);
  });

  it('name their number, ask first, and are undone as one', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.getByLabel('Select all on this page').click();
    await page.getByRole('button', { name: `Select all ${COUNT} that match` }).click();
    await page.getByText(`All ${COUNT} that match selected`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Resolve ${COUNT} errors?` });
    await dialog.getByText('also those on other pages').waitFor();
    await shoot(page, 'list-bulk-question');
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await listed(world(), 'status=resolved')).length, 0);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await dialog.getByRole('button', { name: `Resolve ${COUNT} errors` }).click();
    await page.getByText(`${COUNT} errors resolved`, { exact: true }).first().waitFor();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    // Keeps the message on display.
    await undo.hover();
    await page.getByText('No unresolved errors').waitFor();
    await becomes(world(), 'status=resolved', COUNT);
    await undo.click();
    await becomes(world(), 'status=unresolved', COUNT);
    await page.locator('tr[data-error]').first().waitFor();
  });

  itInFullRun('select everything on a phone from one row', async () => {
    const page = await world().page({ phone: true });
    await openList(world(), page);
    await page.locator('tr[data-error]').first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Select all 20' }).click();
    await page.getByRole('button', { name: `Select all ${COUNT}` }).click();
    await page.getByText(`All ${COUNT} that match selected`, { exact: true }).waitFor();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await assertFits(page);
    }
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.locator('tr[data-error]').first().getByRole('checkbox').check();
    await page.getByText('1 error selected').waitFor();
    await assertFits(page);
    await assertAccessible(page);
  });

  itInFullRun('ask in words that fit a small phone', async () => {
    const page = await world().page({ phone: true });
    await page.setViewportSize({ width: 320, height: 640 });
    await openList(world(), page);
    await page.locator('tr[data-error]').first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Select all 20' }).click();
    await page.getByRole('button', { name: `Select all ${COUNT}` }).click();
    await page.getByRole('button', { name: 'Resolve in a release' }).click();
    await page.getByRole('menuitem', { name: /^In the next release/ }).click();
    const dialog = page.getByRole('dialog', { name: `Resolve ${COUNT} errors in the next release?` });
    const confirm = await dialog.getByRole('button', { name: `Resolve ${COUNT} errors` }).boundingBox();
    const box = await dialog.boundingBox();
    assert.ok(confirm !== null && box !== null && confirm.x > box.x, 'the whole button is in the dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('work by keyboard, and say when another number matches by now', async () => {
    const page = await world().page({ expected: /409/ });
    await openList(world(), page);
    await page.keyboard.press('A');
    await page.getByText('All 20 on this page selected', { exact: true }).waitFor();
    await page.keyboard.press('A');
    await page.getByText(`All ${COUNT} that match selected`, { exact: true }).waitFor();
    await page.route(
      '**/errors/bulk',
      (route) => route.fulfill({ status: 409, json: { message: 'another number', matching: COUNT - 1 } }),
      { times: 1 },
    );
    await page.keyboard.press('i');
    await page.getByRole('dialog', { name: `Ignore ${COUNT} errors?` }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(`Nothing was changed: ${COUNT - 1} errors match now.`).waitFor();
    await page.getByRole('dialog', { name: `Ignore ${COUNT - 1} errors?` }).waitFor();
    await page.getByRole('button', { name: `Ignore ${COUNT - 1} errors` }).press('Enter');
    await page.getByText(`${COUNT} errors ignored`, { exact: true }).first().waitFor();
    assert.equal((await listed(world(), 'status=ignored')).length, COUNT);
    await page.keyboard.press('z');
    await becomes(world(), 'status=unresolved', COUNT);
  });

  it('assign to a member, found by name, from the row and for the selection', async () => {
    const page = await world().page({ as: 'dora' });
    await openList(world(), page, '?search=error+13.');
    // The role of the member is known.
    await page.locator('tr[data-error]').getByRole('checkbox').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Assign 1 error' });
    await dialog.getByRole('button', { name: /^Me/ }).and(page.locator(':focus')).waitFor();
    await assertAccessible(page);
    await shoot(page, 'list-assign');
    await page.locator('button:focus', { hasText: /^\s*Me/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('tr[data-error] .assignee').waitFor();
    const assigned = async () => (await listed(world(), 'search=error+13.'))[0]?.assignee?.username;
    assert.equal(await assigned(), 'dora');
    await page.keyboard.press('z');
    await eventually(assigned, (name) => name === undefined);
    await page.locator('tr[data-error] .assignee').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('menuitem', { name: 'Delete…' }).count(), 0, 'needs a Maintainer');
    const forReview = async () => (await listed(world(), 'search=error+13.&for_review=true')).length;
    assert.equal(await forReview(), 1);
    await page.keyboard.press('r');
    await page.getByText('1 error marked as reviewed', { exact: true }).first().waitFor();
    await eventually(forReview, (count) => count === 0);
    // The rows are read again after the message; a list that is opened now has them as they are.
    await openList(world(), page, '?search=error+13.');
    await page.locator('tr[data-error]').getByRole('checkbox').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByText('The error needs no review.').waitFor();
  });

  it('are undone except for what another person changed meanwhile, and say so', async () => {
    const now = Date.now() / 1000;
    const words = ['amber', 'beryl', 'coral'];
    const search = 'quarry';
    await sendEvents(
      world().target,
      words.map((word) => ({ timestamp: now, message: `${search} ${word}.`, fingerprint: [word] })),
    );
    await becomes(world(), `search=${search}&status=unresolved`, words.length);
    const idOf = async (word: string) => (await listed(world(), `search=${word}&status=all`))[0]?.id ?? '';
    const page = await world().page({ as: 'dora', expected: /404/ });
    await openList(world(), page, `?search=${search}`);
    await page.getByLabel('Select all on this page').click();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    // Keeps the message on display.
    await undo.focus();
    await becomes(world(), `search=${search}&status=resolved`, words.length);
    await world().api('PUT', `${ERRORS}/${await idOf('amber')}`, { status: 'ignored' });
    await world().api('DELETE', `${ERRORS}/${await idOf('beryl')}`);
    await undo.press('Enter');
    const left = '1 was changed meanwhile and stays as it is. 1 is gone: it was deleted meanwhile.';
    await page.getByText(left).first().waitFor();
    await shoot(page, 'list-undo-left');
    await page.setViewportSize({ width: 390, height: 800 });
    await shoot(page, 'list-undo-left-390');
    await page.setViewportSize({ width: 1440, height: 900 });
    await becomes(world(), `search=${search}&status=unresolved`, 1);
    await becomes(world(), `search=${search}&status=ignored`, 1);
    await page.locator('tr[data-error]').filter({ hasText: 'coral' }).waitFor();
    await page.locator('tr[data-error]').filter({ hasText: 'amber' }).waitFor({ state: 'detached' });

    // The same from the page of an error, with a condition.
    await page.locator('tr[data-error]').filter({ hasText: 'coral' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await undo.focus();
    await becomes(world(), `search=${search}&status=resolved`, 1);
    const details = { status: 'resolved', status_details: { inRelease: 'shop@1.0' } };
    await world().api('PUT', `${ERRORS}/${await idOf('coral')}`, details);
    await undo.press('Enter');
    await page.getByText('The error was changed meanwhile and stays as it is.').first().waitFor();
    await becomes(world(), `search=${search}&status=resolved`, 1);
    for (const word of ['amber', 'coral']) await world().api('DELETE', `${ERRORS}/${await idOf(word)}`);
    await becomes(world(), 'status=all', COUNT);
  });
});
