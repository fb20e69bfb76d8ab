import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { HOSTILE_TEXTS, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot, type BrowserWorld } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

interface ListedError {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** From the least number to the greatest. */
const WORDS = ['card declined', 'card was declined', 'bank away', 'bank too slow', 'mail bounced'] as const;
const HOSTILE = HOSTILE_TEXTS[0] ?? '';

const errorsOf = async (world: BrowserWorld) =>
  (await world.api('GET', `${ERRORS}?status=all&per_page=100`)) as readonly ListedError[];
const addressOf = (world: BrowserWorld, id: string) => `${world.list}/${id}/details`;
const box = (page: Page, title: string) => page.getByRole('checkbox', { name: title });
const counts = async (world: BrowserWorld) => (await errorsOf(world)).map(({ count }) => count).sort();

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: /^Merge…/ }).press('Enter');
  await page.getByRole('dialog', { name: 'Merge into this error' }).waitFor();
}

describeInBrowser('merging from the details of an error', (world) => {
  const ids: string[] = [];
  const idOf = (at: number) => ids[at] ?? assert.fail(`there is no ${at}`);
  const alone = () =>
    eventually(
      () => counts(world()),
      (all) => all.length === WORDS.length + 1,
    );

  before(async () => {
    for (const [at, message] of [...WORDS, HOSTILE].entries()) {
      await sendEvent(world().target, { message, level: at === 2 ? 'warning' : 'error', transaction: 'POST /pay' });
      const errors = await eventually(
        () => errorsOf(world()),
        (all) => all.length === at + 1,
      );
      ids.push(errors.map(({ id }) => id).find((id) => !ids.includes(id)) ?? '');
    }
  });

  it('finds other errors, merges the chosen ones by keyboard, and undoes it', async () => {
    const page = await world().page();
    await page.goto(addressOf(world(), idOf(0)));
    await openDialog(page);
    const search = page.getByLabel('Search errors');
    await search.and(page.locator(':focus')).waitFor();
    await box(page, 'mail bounced').waitFor();
    assert.equal(await page.getByRole('dialog').getByRole('checkbox').count(), WORDS.length);
    assert.equal(await page.getByRole('dialog').locator('script, img').count(), 0);
    await assertAccessible(page);
    await shoot(page, 'merge-light');

    await page.keyboard.type('declined');
    await sees(page, '1 error found.');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await search.fill('bank');
    await sees(page, '2 errors found.');
    assert.equal(await box(page, 'card was declined').isChecked(), true, 'what was chosen stays');
    for (const key of ['ArrowDown', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    await sees(page, '2 errors chosen');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await sees(page, 'Merged 3 errors into one');
    await sees(page, 'Merged into this error');
    assert.equal(new URL(page.url()).pathname, addressOf(world(), idOf(0)));
    assert.equal((await counts(world())).join(), '1,1,1,3');
    await shoot(page, 'merge-done');
    await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter');
    await page.getByText('Merged into this error').waitFor({ state: 'detached' });
    await alone();
  });

  it('asks for confirmation on the list, names the error that stays, and lets it be changed', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await page.getByLabel('Select all on this page').click();
    await page.getByRole('button', { name: 'Merge…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge errors' });
    await dialog.getByText(`${WORDS.length + 1} errors become one: ${WORDS[0]}`).waitFor();
    assert.equal((await counts(world())).length, WORDS.length + 1, 'nothing is merged yet');
    await assertAccessible(page);
    await shoot(page, 'merge-selected');
    await dialog.getByRole('checkbox', { name: 'card declined' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'mail bounced' }).uncheck();
    await dialog.getByText(`${WORDS.length - 1} errors become one: ${WORDS[1]}`).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await alone();
    await page.getByRole('button', { name: 'Merge…' }).click();
    await dialog.getByRole('button', { name: `Merge ${WORDS.length + 1} errors` }).click();
    await sees(page, `Merged ${WORDS.length + 1} errors into one`);
    assert.equal((await counts(world())).join(), String(WORDS.length + 1));

    await page.locator(`tr[data-error="${idOf(0)}"] a`).click();
    await page.getByRole('button', { name: 'Unmerge all' }).click();
    await page.getByText('Merged into this error').waitFor({ state: 'detached' });
    await alone();
    await page.getByRole('button', { name: /^Undo( last)?$/ }).click();
    await sees(page, 'Merged into this error');
    assert.equal((await counts(world())).join(), String(WORDS.length + 1));
    await page.getByRole('button', { name: 'Unmerge all' }).click();
    await alone();
  });

  it('says why a merge failed, and when a search finds nothing', async () => {
    const page = await world().page({ dark: true, phone: true, expected: /400/ });
    await page.goto(addressOf(world(), idOf(4)));
    await openDialog(page);
    await box(page, 'bank away').check();
    await page.route('**/merge', (route) => route.fulfill({ status: 400, json: { message: 'merge fewer of them' } }));
    await page.getByRole('button', { name: 'Merge into this error' }).click();
    await page.getByRole('alert').getByText('Something went wrong. merge fewer of them').waitFor();
    await assertFits(page);
    await shoot(page, 'merge-dark-phone');
    await assertAccessible(page);
    await page.getByLabel('Search errors').fill('nothing is like this');
    await sees(page, 'No matching errors.');
    await page.keyboard.press('Escape');
    await box(page, 'bank too slow').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await alone();
  });
});
