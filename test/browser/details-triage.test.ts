import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, LOOKS, pass, sees, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly status_details: Readonly<Record<string, unknown>>;
  readonly assignee: { readonly username: string } | null;
}

describeInBrowser('triage on the page of an error', (world) => {
  const read = async (id: string) => (await world().api('GET', `${ERRORS}/${id}`)) as Listed;

  async function given(type: string, changes = {}): Promise<string> {
    const exception = { values: [{ type, value: 'x' }] };
    await sendEvent(world().target, richEvent(Date.now() / 1000, { exception, fingerprint: [type], ...changes }));
    const found = async () =>
      ((await world().api('GET', `${ERRORS}?status=all&search=${type}`)) as readonly Listed[])[0]?.id;
    return (await eventually(found, Boolean)) ?? assert.fail();
  }

  async function open(id: string, options: Parameters<ReturnType<typeof world>['page']>[0] = {}): Promise<Page> {
    const page = await world().page(options);
    await page.goto(`${world().list}/${id}/details`);
    await sees(page, 'Stack trace');
    return page;
  }

  before(() => Promise.all([world().person('dora', 30), world().person('rolf', 20)]));

  it('assigns, notes with mentions, and says who did what, by mouse and by keys', async () => {
    const id = await given('TriagedError');
    const page = await open(id, { as: 'dora' });
    const picker = page.getByLabel('Assignee');
    await picker.locator('option', { hasText: 'rolf' }).waitFor({ state: 'attached' });
    await picker.selectOption({ label: 'rolf' });
    await sees(page, 'dora assigned it to rolf');
    await page.locator('h1').click();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Assign 1 error' });
    await page.locator('button:focus', { hasText: /^\s*Me/ }).waitFor();
    assert.equal((await read(id)).assignee?.username, 'rolf', 'a key alone takes nothing over');
    await shoot(page, 'details-assign');
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await sees(page, 'dora took it on');
    assert.equal((await read(id)).assignee?.username, 'dora');
    await sees(page, '1 error assigned to');
    await page.keyboard.press('z');
    await eventually(
      async () => (await read(id)).assignee?.username,
      (name) => name === 'rolf',
    );
    await page.getByLabel('Assignee').locator('option:checked', { hasText: 'rolf' }).waitFor({ state: 'attached' });
    const field = page.getByLabel('Write a note');
    await field.pressSequentially('Ask @rol');
    await page.getByRole('option', { name: /@rolf/ }).waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await field.inputValue(), 'Ask @rolf ');
    await sees(page, 'A mention marks the name. No mail is sent.');
    await field.pressSequentially('and @nobody, <b>soon</b>');
    await assertAccessible(page);
    await page.keyboard.press('Control+Enter');
    const notes = page.getByRole('list', { name: 'Notes and activity, newest first' });
    await notes.getByText('and @nobody, <b>soon</b>').waitFor();
    assert.deepEqual(await notes.locator('.mention').allInnerTexts(), ['@rolf']);
    await notes.getByRole('button', { name: 'Delete this note' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this note?' });
    await question.getByText('Ask @rolf and @nobody').waitFor();
    await shoot(page, 'details-delete-note');
    await assertAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await notes.getByText('and @nobody, <b>soon</b>').waitFor();
    await notes.getByRole('button', { name: 'Delete this note' }).click();
    await question.getByRole('button', { name: 'Delete note' }).click();
    await sees(page, 'dora deleted a note');
    await page.getByRole('button', { name: 'Resolve in…' }).press('Enter');
    await page.getByRole('menuitem', { name: /^In shop@4\.2\.1 \(newest release\)/ }).waitFor();
    await page.getByRole('menuitem', { name: /^In the next release \(after shop@4\.2\.1\)/ }).press('Enter');
    await page
      .getByRole('list', { name: 'Labels' })
      .getByText('resolved in the next release after shop@4.2.1')
      .waitFor();
    await sees(page, /dora resolved it in the next release/);
    assert.equal((await read(id)).status_details['inNextRelease'], true);
    await page.getByRole('button', { name: 'Resolve in…' }).press('Enter');
    await page.getByRole('menuitem', { name: /^In a commit…/ }).press('Enter');
    const asked = page.getByRole('dialog', { name: 'Resolve in a commit' });
    await page.locator('#resolving-commit:focus').waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
    await page.locator('button[aria-label="Resolve in…"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: /^In a commit…/ }).press('Enter');
    await asked.getByLabel('Commit', { exact: true }).fill('f00dbabe0123456789');
    await asked.getByLabel('Repository (optional)').fill('group/shop');
    await shoot(page, 'details-resolve-commit');
    await assertAccessible(page);
    await asked.getByLabel('Repository (optional)').press('Enter');
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Labels' }).getByText('resolved by f00dbabe012… of group/shop').waitFor();
    await sees(page, /dora resolved it by f00dbabe012… of group\/shop/);
    const reader = await open(id, { as: 'rolf' });
    await reader.getByRole('list', { name: 'Notes and activity, newest first' }).waitFor();
    assert.equal(await reader.getByLabel('Write a note').count(), 0);
    assert.equal(await reader.getByLabel('Assignee').count(), 0);
    await assertAccessible(reader);
  });

  it('takes the keys of the list: next release, review, delete, and resolve with a step on', async () => {
    for (const type of ['FirstOfStream', 'SecondOfStream']) await given(type);
    const page = await world().page();
    await page.goto(`${world().list}?search=OfStream&sort=first_seen`);
    await page.locator('tr[data-error]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: /SecondOfStream/, level: 1 }).waitFor();
    await sees(page, 'Stack trace');
    await page.getByRole('group', { name: 'Errors of the list' }).locator('[aria-disabled="false"]').waitFor();
    // It is known that the status can wait.
    await page.getByRole('button', { name: 'Resolve in…' }).waitFor();
    await page.keyboard.press('n');
    await page
      .getByRole('list', { name: 'Labels' })
      .getByText('Resolved in the next release after shop@4.2.1')
      .waitFor();
    await page.keyboard.press('z');
    await page.getByRole('list', { name: 'Labels' }).getByText('Resolved').waitFor({ state: 'detached' });
    await page.keyboard.press('d');
    await page.getByRole('dialog', { name: 'Delete this error?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('E');
    await page.getByRole('heading', { name: /FirstOfStream/, level: 1 }).waitFor();
    await page.keyboard.press('I');
    await sees(page, 'This is the last error of the list.');
    const states = async () =>
      ((await world().api('GET', `${ERRORS}?status=all&search=OfStream&sort=first_seen`)) as readonly Listed[]).map(
        ({ status }) => status,
      );
    await eventually(states, ([second, first]) => second === 'resolved' && first === 'ignored');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const does of ['Mark as reviewed', 'Undo last action', 'open the next error', 'Delete…']) {
      await help.getByText(does).waitFor();
    }
    await shoot(page, 'details-shortcuts');
    await assertAccessible(page);
  });

  for (const { suffix, dark, phone } of LOOKS) {
    itInFullRun(`keeps title, actions and events in the window: ${suffix}`, async () => {
      const id = await given(`LongError${phone ? 'OfPhone' : ''}${dark ? 'InTheDark' : ''}`);
      const page = await open(id, { dark, phone });
      const { height } = page.viewportSize() ?? assert.fail();
      await page.evaluate('scrollTo(0, 1200)');
      await page.locator('.error-bar.stuck .title').waitFor();
      for (const name of ['Resolve', 'Older']) {
        const box = (await page.getByRole('button', { name, exact: true }).boundingBox()) ?? assert.fail(name);
        assert.ok(box.y >= 0 && box.y + box.height <= height, `${name} is at ${box.y}`);
        if (phone && name === 'Resolve') assert.ok(box.y > height / 2, 'it is within reach of the thumb');
      }
      await shoot(page, `details-stuck${suffix}`);
      if (phone) {
        await page.getByRole('button', { name: 'Jump to a section' }).click();
        await page.getByRole('menuitem', { name: 'Breadcrumbs' }).click();
        const { y } = (await page.getByRole('heading', { name: 'Breadcrumbs' }).boundingBox()) ?? assert.fail();
        assert.ok(y > 0 && y < height / 2);
      }
      await page.evaluate('scrollTo(0, 0)');
      await page.setViewportSize({ width: 320, height: 700 });
      await assertFits(page);
      await assertAccessible(page, true);
      await page.getByRole('button', { name: 'Resolve', exact: true }).click();
      await page.getByRole('button', { name: 'Unresolve', exact: true }).waitFor();
      const more = (await page.getByRole('button', { name: 'More actions' }).boundingBox()) ?? assert.fail();
      assert.ok(more.x + more.width <= 320, `the last action ends at ${more.x + more.width}`);
    });
  }

  it('asks before a note that is not added is lost', async () => {
    await given('OtherError');
    const id = await given('NotedError');
    const page = await world().page({ as: 'dora' });
    await page.goto(world().list);
    await page.getByRole('link', { name: /NotedError/ }).click();
    const field = page.getByLabel('Write a note');
    await field.fill('Half of a');
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.locator('h1').click();
    const ways = [
      () => page.keyboard.press('j'),
      () => page.getByRole('link', { name: 'All events' }).click(),
      () => page.getByRole('link', { name: 'Releases', exact: true }).click(),
      () => page.goBack(),
    ];
    for (const leave of ways) {
      await leave();
      await dialog.getByText('Your note is not added yet.').waitFor();
      await shoot(page, 'details-unsaved-note');
      await assertAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await field.inputValue(), 'Half of a');
      assert.match(page.url(), new RegExp(`/${id}/details$`));
    }
    await page.keyboard.press('j');
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: /OtherError/, level: 1 }).waitFor();
    assert.equal(await field.inputValue(), '');
    await field.fill('A whole note');
    await field.press('Control+Enter');
    await page
      .getByRole('list', { name: /^Notes/ })
      .getByText('A whole note')
      .waitFor();
    await page.getByRole('link', { name: 'All events' }).click();
    await page.waitForURL('**view=events');
  });

  it('deletes an error after a question, and leads back to the list', async () => {
    const id = await given('UnwantedError');
    const page = await open(id);
    await page.getByLabel('Write a note').fill('Half of a');
    await page.getByRole('button', { name: 'More actions' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete this error?' });
    await dialog.getByText('Its 1 event, its notes and its activity are removed.').waitFor();
    await dialog.getByText('Settings list it under “Dropped errors”').waitFor();
    assert.equal(await dialog.getByText('cannot be undone').count(), 0, 'dropping can be ended');
    await dialog.getByLabel('Drop its events in future').check();
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Delete error' }).click();
    await sees(page, 'The error was deleted.');
    await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    const left = (await world().api('GET', `${ERRORS}?status=all&search=UnwantedError`)) as readonly Listed[];
    assert.equal(left.length, 0);
    const dora = await open(await given('KeptError'), { as: 'dora' });
    await dora.getByRole('button', { name: 'More actions' }).click();
    await dora.getByRole('menuitem').first().waitFor();
    assert.equal(await dora.getByRole('menuitem', { name: 'Delete…' }).count(), 0);
  });

  it('offers similar errors first when merging, and says why', async () => {
    const culprit = { transaction: 'POST /similar' };
    await given('AlikeOther', culprit);
    const id = await given('AlikeError', culprit);
    const page = await open(id);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Merge…/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge into this error' });
    await dialog.getByText('Similar errors first. Search for others.').waitFor();
    const first = dialog.locator('label', { hasText: 'AlikeOther' });
    await first.getByText(/^Same culprit/).waitFor();
    await first.getByText('Level error').waitFor();
    assert.equal(await dialog.locator('label', { hasText: 'Level unknown' }).count(), 0);
    assert.match(
      await dialog
        .locator('label')
        .filter({ has: page.locator('input[type=checkbox]') })
        .first()
        .innerText(),
      /Same/,
    );
    await assertAccessible(page);
  });

  it('takes an error off the list of reviews once a Developer has looked at it', async () => {
    const id = await given('FreshError');
    const asked = async () =>
      ((await world().api('GET', `${ERRORS}/${id}`)) as { marks: { for_review: boolean } }).marks.for_review;
    assert.equal(await asked(), true);
    const reader = await open(id, { as: 'rolf' });
    await sees(reader, 'New');
    const page = await open(id, { as: 'dora' });
    await page.getByRole('list', { name: 'Labels' }).getByText('New', { exact: true }).waitFor();
    await eventually(asked, (now) => !now);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Mark for review/ }).click();
    await eventually(asked, (now) => now);
  });

  it('leaves an error that was marked for review on the list while its page stays open', async () => {
    const id = await given('MarkedError');
    const page = await world().page({ as: 'dora', clock: true });
    let changes = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/review')) changes += 1;
    });
    await page.goto(`${world().list}/${id}/details`);
    await page.getByRole('list', { name: 'Labels' }).getByText('New', { exact: true }).waitFor();
    await pass(page, 2000);
    await eventually(
      async () => changes,
      (count) => count === 1,
    );
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: /^Mark for review/ }).click();
    await sees(page, 'Marked for review');
    await pass(page, 4000);
    // A request of the page itself comes after those of its timers.
    await Promise.all([page.waitForResponse(/\/version$/), page.evaluate(`fetch('/api/v4/version')`)]);
    assert.equal(changes, 2, 'reviewed by looking, then marked for review');
  });
});
