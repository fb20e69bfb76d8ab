import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { FakeTarget } from '../support/fake-target.ts';
import { eventually } from '../support/service-process.ts';

const DSN_LABEL = 'DSN of the other tracker';

const hasFocus = async (page: Page, element: Locator): Promise<boolean> =>
  (await element.and(page.locator(':focus')).count()) === 1;

/** Presses Tab until an element has the focus; a date field has several places for it. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let step = 0; step < 12; step += 1) {
    if (await hasFocus(page, element)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('the element cannot be reached by Tab');
}

describeInBrowser('forwarding on the settings page', (world) => {
  let target: FakeTarget;
  before(async () => {
    target = await FakeTarget.start();
  });
  after(() => target.close());
  afterEach(async () => {
    target.reply = () => ({});
    await world()
      .api('DELETE', path())
      .catch(() => undefined);
  });

  const path = () => `/projects/${world().service.first.project_id}/error_tracking/forwarding`;
  const stored = () => world().api('GET', path()) as Promise<Record<string, unknown>>;
  const cardOf = (page: Page): Locator => page.getByRole('region', { name: 'Forwarding' });

  async function open(page: Page): Promise<Locator> {
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    const card = cardOf(page);
    await card.getByLabel(DSN_LABEL).waitFor();
    return card;
  }

  it('shows the backlog and the last refusal of a target that is away', async () => {
    target.reply = () => ({ status: 503 });
    await world().api('PUT', path(), { dsn: target.dsn });
    const failed = async () => {
      await sendEvent(world().target, { message: 'waits' });
      return (await stored())['last_failure'];
    };
    const failure = await eventually(failed, (text) => text !== null);
    await eventually(stored, ({ waiting_bytes: bytes }) => Number(bytes) > 0);
    const page = await world().page();
    const card = await open(page);
    await card.getByText(String(failure)).waitFor();
    await card.getByText(/ B, the oldest received|KiB, the oldest received/).waitFor();
    await card.getByRole('button', { name: 'Stop forwarding…' }).scrollIntoViewIfNeeded();
    await assertLooks(page, 'settings-forwarding');
  });

  it('works with the keyboard alone', async () => {
    const page = await world().page();
    const card = await open(page);
    const stop = card.getByRole('button', { name: 'Stop forwarding…' });
    await card.getByLabel(DSN_LABEL).focus();
    await page.keyboard.type(target.dsn);
    await page.keyboard.press('Enter');
    await sees(page, 'Forwarding has begun');
    await stop.waitFor();
    await card.getByLabel(DSN_LABEL).focus();
    await tabTo(page, stop);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Stop forwarding?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await eventually(
      () => hasFocus(page, stop),
      (isBack) => isBack,
    );
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    const confirm = dialog.getByRole('button', { name: 'Stop forwarding' });
    await tabTo(page, confirm);
    await page.keyboard.press('Enter');
    await sees(page, 'Nothing is forwarded any more');
  });
});
