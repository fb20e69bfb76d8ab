import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { FOCUSED, tabTo, type Focused } from '../support/browser-focus.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, PASSWORD } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

describeInBrowser('every step with the keyboard alone', (world) => {
  it('goes from sign-in to the list, an error, its resolution, and the settings', async () => {
    await sendEvent(world().target, richEvent(Date.now() / 1000));
    const status = async () =>
      ((await world().api('GET', `${ERRORS}?status=all`)) as readonly { readonly status: string }[])[0]?.status;
    await eventually(status, (is) => is === 'unresolved');
    const page = await world().page({ stranger: true, clock: true });
    const enter = () => page.keyboard.press('Enter');

    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await eventually(
      () => page.evaluate<Focused>(FOCUSED),
      ({ name }) => name === 'input Username',
    );
    await page.keyboard.type(world().service.first.username);
    await tabTo(page, /^input Password$/);
    await page.keyboard.type(PASSWORD);
    await enter();

    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.getByRole('link', { name: /shop/i }).first().waitFor();
    await tabTo(page, /^a .*shop/i);
    await enter();
    await page.getByRole('link', { name: /PaymentError/ }).waitFor();
    await tabTo(page, /^a .*PaymentError/);
    await enter();

    await page.getByRole('heading', { name: /PaymentError/, level: 1 }).waitFor();
    // The reading place went along: the first stop is within the new page, not the navigation before it.
    await page.keyboard.press('Tab');
    assert.match((await page.evaluate<Focused>(FOCUSED)).name, /^a Error Tracking$/);
    await tabTo(page, /^button Resolve$/);
    // However slow the machine is: the message stays until the focus is in it.
    await page.clock.pauseAt(Date.now() + 60_000);
    await enter();
    await eventually(status, (is) => is === 'resolved');
    await tabTo(page, /^button Undo$/);
    await page.clock.resume();
    await enter();
    await eventually(status, (is) => is === 'unresolved');
    await page.keyboard.press('e');
    await eventually(status, (is) => is === 'resolved');
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'No unresolved errors' }).waitFor();

    await page.reload();
    await page.getByRole('heading', { name: 'No unresolved errors' }).waitFor();
    await tabTo(page, /^a Skip to content$/);
    await enter();
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    await page.reload();
    await page.getByRole('heading', { name: 'No unresolved errors' }).waitFor();
    await tabTo(page, /^a Settings$/);
    await enter();
    await page.getByRole('heading', { name: 'Scrubbing and limits' }).waitFor();
    await tabTo(page, /^input Active/);
    await page.keyboard.press('Space');
    await tabTo(page, /^button Save changes$/);
    await enter();
    await page.getByText('Your changes have been saved').waitFor();
    const settings = (await world().api('GET', '/projects/demo%2Fshop/error_tracking/settings')) as {
      readonly active: boolean;
    };
    assert.equal(settings.active, false);
    // The button was disabled while it saved.
    assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Save changes');
    await assertAccessible(page);
  });
});
