import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvents } from '../support/browser-seed.ts';
import { describeInDom, type DomWorld, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';
import { openWholeList } from '../support/whole-list.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Errors on a page. */
const PAGE = 20;
const COUNT = PAGE + 6;

interface Listed {
  readonly id: string;
  readonly assignee: { readonly username: string } | null;
}

const listed = async (world: DomWorld, query: string) =>
  (await world.api('GET', `${ERRORS}?per_page=100&${query}`)) as readonly Listed[];

const becomes = (world: DomWorld, query: string, count: number) =>
  eventually(
    async () => (await listed(world, query)).length,
    (now) => now === count,
  );

const openList = (world: DomWorld, page: DomPage, query = ''): Promise<void> => openWholeList(page, world.list + query);

describeInDom('actions on everything that matches', (world) => {
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

  it('count what matches just before the question', async () => {
    const page = await world().page();
    let isOld = true;
    await page.route('**/errors/counts?*', async (route) => {
      const response = await route.fetch();
      const now = (await response.json()) as Record<string, unknown>;
      return route.fulfill({ response, json: isOld ? { ...now, unresolved: 22, matching: 22 } : now });
    });
    await openList(world(), page);
    await page.keyboard.press('A');
    await page.getByRole('button', { name: 'Select all 22 that match' }).waitFor();
    await page.keyboard.press('A');
    await page.getByText('All 22 that match selected', { exact: true }).waitFor();
    isOld = false;
    await page.keyboard.press('i');
    await page.getByRole('dialog', { name: `Ignore ${COUNT} errors?` }).waitFor();
    await page.getByText(`All ${COUNT} that match selected`, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    // A search that says the status takes the place of that of the tab.
    await openList(world(), page, '?search=is:[unresolved,ignored]&status=resolved');
    await page.getByText(`1–20 of ${COUNT}`, { exact: true }).waitFor();
    await page.keyboard.press('A');
    await page.getByRole('button', { name: `Select all ${COUNT} that match` }).waitFor();
    await page.keyboard.press('A');
    await page.keyboard.press('i');
    await page.getByRole('dialog', { name: `Ignore ${COUNT} errors?` }).waitFor();
  });

  it('resolve in the next release from a menu', async () => {
    const page = await world().page();
    await openList(world(), page, '?search=error+14.');
    await page.locator('tr[data-error]').first().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Resolve in a release' }).press('Enter');
    await page.getByRole('menuitem', { name: /^In shop@1\.0 \(newest release\)/ }).waitFor();
    await page.getByRole('menuitem', { name: /^In the next release \(after shop@1\.0\)/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('Resolved in the next release: error 14.').first().waitFor();
    await becomes(world(), 'status=unresolved', COUNT - 1);
    await page.keyboard.press('z');
    await becomes(world(), 'status=unresolved', COUNT);
  });

  it('merge all that match, or say how many can be', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.keyboard.press('A');
    await page.getByRole('button', { name: `Select all ${COUNT} that match` }).waitFor();
    await page.keyboard.press('A');
    await page.getByText(`All ${COUNT} that match selected`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Merge…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge errors' });
    await dialog.getByRole('button', { name: `Merge ${COUNT} errors` }).waitFor();
    await page.keyboard.press('Escape');
    await page.route('**/errors/counts?*', (route) =>
      route.fulfill({
        json: {
          unresolved: 10_000,
          for_review: 0,
          resolved: 0,
          ignored: 0,
          matching: 10_000,
          capped_at: 10_000,
        },
      }),
    );
    await openList(world(), page);
    await page.keyboard.press('A');
    await page.getByRole('button', { name: 'Select all 10,000+ that match' }).waitFor();
    await page.keyboard.press('A');
    await page.getByText('All 10,000+ that match selected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Merge…' }).click();
    await page.getByText('At most 101 errors can be merged at once, and 10,000+ match.').waitFor();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByText('At most 10,000 errors can be changed at once, and 10,000+ match.').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('delete after a confirmation: the number is typed for more than a few', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.keyboard.press('j');
    await page.keyboard.press('d');
    const one = page.getByRole('dialog', { name: 'Delete 1 error?' });
    await one.getByText('They cannot be brought back.').waitFor();
    await assertAccessible(page);
    await one.getByRole('checkbox').check();
    await one.getByRole('button', { name: 'Delete 1 error' }).click();
    await page.getByText('1 error deleted, and dropped in future', { exact: true }).first().waitFor();
    await becomes(world(), 'status=all', COUNT - 1);
    // The next error has taken the place of the deleted one.
    await page.locator('tr[data-error]', { hasText: 'error 0.' }).waitFor({ state: 'detached' });
    await page
      .locator('tr[data-error]')
      .nth(PAGE - 1)
      .waitFor();
    await page.keyboard.press('A');
    await page.getByRole('button', { name: `Select all ${COUNT - 1} that match` }).waitFor();
    await page.keyboard.press('A');
    await page.getByText(`All ${COUNT - 1} that match selected`, { exact: true }).waitFor();
    await page.keyboard.press('d');
    const all = page.getByRole('dialog', { name: `Delete ${COUNT - 1} errors?` });
    const confirm = all.getByRole('button', { name: `Delete ${COUNT - 1} errors` });
    assert.equal(await confirm.isDisabled(), true);
    await all.getByLabel(`Type ${COUNT - 1} to confirm`).fill(String(COUNT - 1));
    await confirm.click();
    await becomes(world(), 'status=all', 0);
  });
});
