import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { richEvent, sendEvent, sendEvents } from '../support/browser-seed.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const TITLE = 'Ignore until…';

interface Stated {
  readonly id: string;
  readonly status: string;
  readonly status_details: Readonly<Record<string, unknown>>;
}

describeInBrowser('ignoring an error until a condition is met', (world) => {
  const found = async (title: string) =>
    ((await world().api('GET', `${ERRORS}?status=all&search=${title}`)) as readonly Stated[])[0];

  async function given(title: string): Promise<string> {
    const exception = { values: [{ type: title, value: 'x' }] };
    await sendEvent(world().target, richEvent(Date.now() / 1000, { exception }));
    return (await eventually(() => found(title), Boolean))?.id ?? assert.fail();
  }

  const becomes = (title: string, isIt: (state: Stated) => boolean) =>
    eventually(
      () => found(title),
      (state) => state !== undefined && isIt(state),
    );
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: TITLE });
  const rowOf = (page: Page, title: string) => page.getByRole('row', { name: new RegExp(title) });

  it('is chosen on the page of the error, said there, changed and undone', async () => {
    const id = await given('MutedError');
    const page = await world().page();
    await page.goto(`${world().list}/${id}/details`);
    await page.getByRole('button', { name: TITLE }).click();
    await dialogOf(page).getByText('MutedError').waitFor();
    await assertLooks(page, 'ignore-until');
    await dialogOf(page).getByLabel('Until it happens').fill('250');
    await dialogOf(page).getByRole('button', { name: 'Ignore for that many times' }).click();
    await sees(page, 'Ignored until 250 more events');
    await page.getByRole('list', { name: 'Labels' }).getByText('ignored until 250 more events').waitFor();
    await becomes('MutedError', ({ status_details: waits }) => waits['ignoreCount'] === 250);

    await page.getByRole('button', { name: TITLE }).click();
    await dialogOf(page)
      .getByRole('button', { name: /^For a week/ })
      .click();
    // "Undo" where the message of the first change has left already.
    const undo = page.getByRole('button', { name: /^Undo( last)?$/ });
    // Keeps the message on display.
    await undo.hover();
    const { status_details: week } =
      (await becomes('MutedError', ({ status_details: waits }) => 'ignoreUntil' in waits)) ?? assert.fail();
    assert.ok(Math.abs(Date.parse(String(week['ignoreUntil'])) - Date.now() - 7 * 86_400_000) < 86_400_000);
    await undo.click();
    await becomes('MutedError', ({ status_details: waits }) => waits['ignoreCount'] === 250);
    await page.getByRole('list', { name: 'Labels' }).getByText('ignored until 250 more events').waitFor();
  });

  it('is chosen for a row and for selected rows', async () => {
    for (const title of ['RowMuteError', 'PickMuteError', 'PickMuteOther']) await given(title);
    const page = await world().page();
    await page.goto(world().list);
    await rowOf(page, 'RowMuteError').hover();
    await rowOf(page, 'RowMuteError')
      .getByRole('button', { name: /^Ignore until…/ })
      .click();
    await dialogOf(page)
      .getByRole('button', { name: /^Until tomorrow/ })
      .click();
    await sees(page, /Ignored until \d+ \w+ \d+: RowMuteError/);
    await rowOf(page, 'RowMuteError').waitFor({ state: 'detached' });
    await becomes('RowMuteError', ({ status }) => status === 'ignored');

    for (const title of ['PickMuteError', 'PickMuteOther']) await rowOf(page, title).getByRole('checkbox').check();
    await page.getByRole('button', { name: TITLE, exact: true }).click();
    await dialogOf(page).getByText('2 errors').waitFor();
    await dialogOf(page).getByLabel('Until it affects').fill('3');
    await page.keyboard.press('Enter');
    for (const title of ['PickMuteError', 'PickMuteOther']) {
      await becomes(
        title,
        ({ status, status_details: waits }) => status === 'ignored' && waits['ignoreUserCount'] === 3,
      );
    }
    await page.goto(`${world().list}?status=ignored&search=PickMuteOther`);
    await rowOf(page, 'PickMuteOther').getByText('ignored until 3 more users').waitFor();
  });

  it('works with the keyboard alone, and Escape changes nothing', async () => {
    await given('KeyMuteError');
    const page = await world().page();
    await page.goto(`${world().list}?search=KeyMuteError`);
    // It is known that the status can wait.
    await rowOf(page, 'KeyMuteError')
      .getByRole('button', { name: /^Ignore until…/ })
      .waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('m');
    await dialogOf(page).waitFor();
    await page.keyboard.press('Escape');
    // Its content leaves after the dialog has closed.
    await page.locator('dialog .choices').waitFor({ state: 'detached' });
    assert.equal((await found('KeyMuteError'))?.status, 'unresolved');
    await page.keyboard.press('m');
    await dialogOf(page).waitFor();
    await eventually(
      () => page.evaluate<string>('document.activeElement.textContent'),
      (text) => text.includes('Until tomorrow'),
    );
    await page.keyboard.press('Enter');
    await rowOf(page, 'KeyMuteError').waitFor({ state: 'detached' });
    await becomes('KeyMuteError', ({ status_details: waits }) => 'ignoreUntil' in waits);
  });

  it('leaves the keyboard at its place in the list, for a row and for selected rows', async () => {
    const now = Date.now() / 1000;
    const words = ['amber', 'beryl', 'coral', 'drift', 'ember'];
    await sendEvents(
      world().target,
      words.map((word, at) => ({ timestamp: now - at * 60, message: `stream ${word}.`, fingerprint: [word] })),
    );
    const search = 'search=stream&status=unresolved';
    await eventually(
      async () => ((await world().api('GET', `${ERRORS}?${search}`)) as readonly Stated[]).length,
      (count) => count === words.length,
    );
    const page = await world().page();
    await page.goto(`${world().list}?search=stream`);
    await rowOf(page, 'ember')
      .getByRole('button', { name: /^Ignore until…/ })
      .waitFor();
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const chooseFirst = async () => {
      await press('m');
      await eventually(
        () => page.evaluate<string>('document.activeElement.textContent'),
        (text) => text.includes('Until tomorrow'),
      );
      await press('Enter');
    };
    const focusedRow = (title: string) =>
      eventually(
        () => page.evaluate<string>('document.activeElement.textContent.trim()'),
        (text) => text === `stream ${title}.`,
      );
    await press('j', 'j');
    await focusedRow('beryl');
    await chooseFirst();
    await focusedRow('coral');
    await press('x', 'j', 'x', 'k');
    await focusedRow('coral');
    await chooseFirst();
    await focusedRow('ember');
  });
});
