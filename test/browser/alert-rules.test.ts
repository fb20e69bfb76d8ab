import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { shiftOf, watchShifts } from '../support/layout-shift.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

interface Rule {
  readonly id: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly when: { readonly kinds: readonly string[]; readonly threshold: unknown };
  readonly only: { readonly environments: readonly string[]; readonly tags: readonly unknown[] };
  readonly to: { readonly members: boolean };
  readonly how: { readonly mode: string; readonly quiet: unknown; readonly zone: string };
}

const DEFAULT_SENTENCE =
  /^New, regressed, escalated and unmuted errors of level error and up, except in development, dev, local and test, are /;

describeInBrowser('the rules of the Alerts page', (world) => {
  const path = () => `/projects/${world().service.first.project_id}/error_tracking/alerts`;
  const stored = async () => ((await world().api('GET', path())) as { readonly rules: readonly Rule[] }).rules;
  const cardOf = (page: Page): Locator => page.getByRole('region', { name: 'Rules' });

  async function open(page: Page): Promise<Locator> {
    await page.goto(`/${world().service.first.project_path}/-/settings/alerts`);
    await cardOf(page).waitFor();
    return cardOf(page);
  }

  /** A rule that reaches nobody, so that a project has more than the default. */
  const ruleOf = (name: string) => ({ name, when: { kinds: ['new'] } });

  it('are reached from the menu, and say what is reported and what mail needs', async () => {
    const page = await world().page();
    await page.goto(world().list);
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
    await sees(page, 'Nothing is reported: there is nobody to send it to.');
    await sees(page, 'Mail is not set up on this instance');
    await cardOf(page).getByText(DEFAULT_SENTENCE).waitFor();
    await cardOf(page).getByText('This rule applies to every project until you change it here.').waitFor();
    await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
    await assertLooks(page, 'alerts-empty', { fullPage: true });
    await cardOf(page).getByRole('button', { name: 'Edit Important changes' }).click();
    await cardOf(page).getByLabel('Name of the rule').waitFor();
    await cardOf(page).getByRole('checkbox', { name: 'An error happens often' }).check();
    await cardOf(page).getByRole('checkbox', { name: 'Quiet hours' }).check();
    await assertLooks(page, 'alerts-rule', { fullPage: true });
  });

  itInFullRun('move little while they load, and fit a tablet and a wide screen', async () => {
    for (const width of [768, 1920]) {
      const page = await world().page();
      await page.setViewportSize({ width, height: 900 });
      await watchShifts(page);
      await open(page);
      await page.getByText('No message in the last 30 days.').waitFor();
      await shoot(page, `alerts-${width}`, true);
      const shift = await shiftOf(page);
      assert.ok(shift <= 0.05, `layout shift ${shift} at ${width}`);
      await page.getByRole('button', { name: 'Edit Important changes' }).click();
      await shoot(page, `alerts-rule-${width}`, true);
      await assertFits(page);
    }
  });

  it('work with the keyboard alone, and the focus comes back', async () => {
    await world().api('PUT', path(), { rules: [ruleOf('Only one')] });
    const page = await world().page();
    const card = await open(page);
    const edit = card.getByRole('button', { name: 'Edit Only one' });
    const hasFocus = (element: Locator) =>
      eventually(
        () => element.and(page.locator(':focus')).count(),
        (count) => count === 1,
      );
    await edit.focus();
    await page.keyboard.press('Enter');
    await hasFocus(card.getByLabel('Name of the rule'));
    await page.keyboard.press('End');
    await page.keyboard.type(' left');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await sees(page, 'Rule saved');
    await hasFocus(card.getByRole('button', { name: 'Edit Only one left' }));
    assert.deepEqual((await stored())[0]?.when.kinds, ['new', 'regressed']);
    await card.getByRole('button', { name: 'Add rule' }).focus();
    await page.keyboard.press('Enter');
    await hasFocus(card.getByLabel('Name of the rule'));
    await card.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await hasFocus(card.getByRole('button', { name: 'Add rule' }));
  });
});
