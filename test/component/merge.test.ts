import assert from 'node:assert/strict';
import { HOSTILE_TEXTS, sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomWorld, type DomPage } from '../support/dom.ts';
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

const errorsOf = async (world: DomWorld) =>
  (await world.api('GET', `${ERRORS}?status=all&per_page=100`)) as readonly ListedError[];
const addressOf = (world: DomWorld, id: string) => `${world.list}/${id}/details`;
const box = (page: DomPage, title: string) => page.getByRole('checkbox', { name: title });
const counts = async (world: DomWorld) => (await errorsOf(world)).map(({ count }) => count).sort();

async function openDialog(page: DomPage): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: /^Merge…/ }).press('Enter');
  await page.getByRole('dialog', { name: 'Merge into this error' }).waitFor();
}

describeInDom('merging from the details of an error', (world) => {
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

  it('moves to the address of the least number, and back; earlier merges stay', async () => {
    await world().api('POST', `${ERRORS}/${idOf(2)}/merge`, { ids: [idOf(3)] });
    const page = await world().page();
    await page.goto(addressOf(world(), idOf(2)));
    await sees(page, 'Merged into this error');
    await openDialog(page);
    await box(page, 'card was declined').waitFor();
    assert.equal(await box(page, 'bank').count(), 0, 'neither itself nor what is merged into it');
    await box(page, 'card was declined').check();
    await page.getByRole('button', { name: 'Merge into this error' }).click();
    await page.waitForURL(`**${addressOf(world(), idOf(1))}`);
    await eventually(
      () => page.getByRole('button', { name: /^Unmerge (?!all)/ }).count(),
      (count) => count === 2,
    );
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.waitForURL(`**${addressOf(world(), idOf(2))}`);
    await eventually(
      () => page.getByRole('button', { name: /^Unmerge (?!all)/ }).count(),
      (count) => count === 1,
    );
    assert.equal((await counts(world())).join(), '1,1,1,1,2');
    await world().api('POST', `${ERRORS}/${idOf(2)}/unmerge`);
    await alone();
  });

  it('is undone on the list too, and earlier merges stay', async () => {
    await world().api('POST', `${ERRORS}/${idOf(2)}/merge`, { ids: [idOf(3)] });
    const page = await world().page();
    await page.goto(world().list);
    for (const id of [idOf(0), idOf(2)]) await page.locator(`tr[data-error="${id}"]`).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Merge…' }).click();
    await page.getByRole('button', { name: 'Merge 2 errors' }).click();
    await sees(page, 'Merged 2 errors into one');
    assert.equal((await counts(world())).join(), '1,1,1,3');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.locator(`tr[data-error="${idOf(2)}"]`).waitFor();
    assert.equal((await counts(world())).join(), '1,1,1,1,2');
    await world().api('POST', `${ERRORS}/${idOf(2)}/unmerge`);
    await alone();
  });
});
