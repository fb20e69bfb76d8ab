import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, pass, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
/** Milliseconds after which the activity is read again, at most. */
const LOOK_MS = 10_000;

describeInBrowser('what was done with an error', (world) => {
  async function given(type: string, changes = {}): Promise<string> {
    const exception = { values: [{ type, value: 'x' }] };
    await sendEvent(world().target, richEvent(Date.now() / 1000, { exception, fingerprint: [type], ...changes }));
    const found = async () =>
      ((await world().api('GET', `${ERRORS}?status=all&search=${type}`)) as readonly { readonly id: string }[])[0]?.id;
    return (await eventually(found, Boolean)) ?? assert.fail();
  }

  async function open(id: string, options: Parameters<ReturnType<typeof world>['page']>[0] = {}): Promise<Page> {
    const page = await world().page(options);
    await page.goto(`${world().list}/${id}/details`);
    await sees(page, 'Stack trace');
    return page;
  }

  before(async () => {
    await world().person('dora', 30);
    await world().person('rolf', 20);
  });

  it('has every action and its undo in the activity at once, also those of another tab', async () => {
    const id = await given('UndoneError');
    const page = await open(id, { as: 'dora', clock: true });
    const log = page.getByRole('list', { name: 'Notes and activity, newest first' });
    const newest = (text: string) => log.locator('li').first().getByText(text).waitFor();
    // However slow the machine is: no look that comes with the time shows it.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press('e');
    await newest('dora resolved it');
    await page.keyboard.press('z');
    await newest('dora reopened it');
    await page.keyboard.press('i');
    await newest('dora ignored it');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await newest('dora reopened it');
    await page.getByLabel('Assignee').selectOption({ label: 'rolf' });
    await newest('dora assigned it to rolf');
    await page.keyboard.press('z');
    await newest('dora removed rolf as assignee');
    const other = await page.context().newPage();
    await other.goto(`${world().list}/${id}/details`);
    await sees(other, 'Stack trace');
    await other.keyboard.press('e');
    await newest('dora resolved it');
    await other.keyboard.press('z');
    await newest('dora reopened it');
    // By another user, elsewhere: with the next look.
    await world().api('PUT', `${ERRORS}/${id}`, { status: 'ignored' });
    await world().api('PUT', `${ERRORS}/${id}`, { status: 'unresolved' });
    await page.clock.resume();
    await pass(page, LOOK_MS);
    await newest('Administrator reopened it');
  });

  it('says the status once: in full below the title, and as a word in the bar that stays', async () => {
    const mechanism = { type: 'onerror', handled: false };
    const exception = { values: [{ type: 'StatedError', value: 'x', mechanism }] };
    const id = await given('StatedError', { exception });
    await world().api('PUT', `${ERRORS}/${id}`, { status: 'resolved', status_details: { inNextRelease: true } });
    const page = await open(id);
    const labels = page.getByRole('list', { name: 'Labels' });
    await labels.getByText(/^Resolved in the next release after/).waitFor();
    const bar = page.locator('.error-bar');
    assert.equal(await bar.getByText('Resolved').count(), 0);
    assert.equal(await labels.getByText('Unhandled').getAttribute('class'), 'badge');
    await page.evaluate('scrollTo(0, 900)');
    const word = bar.getByText('Resolved', { exact: true });
    await word.waitFor();
    assert.ok(await word.evaluate((one) => one.scrollWidth <= one.clientWidth));
  });
});
