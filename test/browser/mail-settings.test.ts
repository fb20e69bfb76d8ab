import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

interface Settings {
  readonly mail: string;
  readonly projects: readonly { readonly project_id: number; readonly mail: string }[];
  readonly quiet: { readonly from: string; readonly to: string } | null;
  readonly zone: string;
  readonly heartbeat: boolean;
  readonly email: string | null;
}

const CARD = 'E-mail and alerts';

// Nothing listens at that server: these tests only need mail to be configured.
describeInBrowser(
  'alerts by mail on the profile page',
  (world) => {
    before(() => world().person('mila', 30));

    const cardOf = (page: Page): Locator => page.getByRole('region', { name: CARD });

    async function open(page: Page): Promise<Locator> {
      await page.goto('/-/profile');
      const card = cardOf(page);
      await card.getByLabel('E-mail address').waitFor();
      return card;
    }

    /** Settings as the page of the user reads them. */
    const stored = (page: Page): Promise<Settings> =>
      page.evaluate<Settings>(`fetch('/api/v4/user/alert_settings').then((answer) => answer.json())`);

    it('ask for an address, and keep what is wanted', async () => {
      const page = await world().page({ as: 'mila' });
      const card = await open(page);
      await card.getByText('Enter your e-mail address: without it you get no alerts.').waitFor();
      await card.getByLabel('E-mail address').fill('mila@example.com');
      await card.getByRole('button', { name: 'Save address' }).click();
      await sees(page, 'E-mail address saved');
      await card.getByText('Enter your e-mail address').waitFor({ state: 'detached' });

      await card.getByRole('radio', { name: 'Only mine' }).check();
      await card.getByLabel('Add a project').selectOption({ label: world().service.first.project_path });
      await card.getByLabel(`Mail of ${world().service.first.project_path}`).selectOption({ label: 'All alerts' });
      await card.getByRole('checkbox', { name: 'Quiet hours' }).check();
      await card.getByLabel('From').fill('21:30');
      const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
      assert.equal(await card.getByLabel('Time zone').inputValue(), zone);
      await card.getByLabel('Time zone').fill('Europe/Berlin');
      await card.getByRole('checkbox', { name: 'Daily “all is well”' }).check();
      await card.getByRole('button', { name: 'Save mail settings' }).click();
      await sees(page, 'Mail settings saved');
      assert.deepEqual(await stored(page), {
        mail: 'mine',
        projects: [{ project_id: world().service.first.project_id, mail: 'all' }],
        quiet: { from: '21:30', to: '07:00' },
        zone: 'Europe/Berlin',
        heartbeat: true,
        email: 'mila@example.com',
        mail_configured: true,
      });

      await page.reload();
      await card.getByLabel('Time zone').waitFor();
      assert.equal(await card.getByLabel('Time zone').inputValue(), 'Europe/Berlin');
      await card.getByLabel('Time zone').fill('Nowhere');
      await card.getByRole('button', { name: 'Save mail settings' }).click();
      await card.getByRole('alert').getByText(/zone/i).waitFor();
      await card.getByRole('button', { name: /^Remove the setting/ }).click();
      await card.getByLabel('Time zone').fill('UTC');
      await card.getByRole('button', { name: 'Save mail settings' }).click();
      await eventually(
        () => stored(page),
        ({ projects }) => projects.length === 0,
      );
    });

    itInFullRun('work with the keyboard alone, and fit every screen', async () => {
      const page = await world().page({ as: 'mila' });
      const card = await open(page);
      const quiet = card.getByRole('checkbox', { name: 'Quiet hours' });
      if (!(await quiet.isChecked())) await quiet.check();
      await assertLooks(page, 'profile-mail', { fullPage: true });
      await card.getByRole('radio', { checked: true }).focus();
      await page.keyboard.press('ArrowDown');
      const chosen = await card.getByRole('radio', { checked: true }).inputValue();
      await page.keyboard.press('Enter');
      await sees(page, 'Mail settings saved');
      assert.equal((await stored(page)).mail, chosen);
    });

    it('tell administrators of projects that they are not a member of', async () => {
      const { id } = (await world().api('POST', '/projects', { path: 'demo/others' })) as { readonly id: number };
      await world()
        .api('DELETE', `/projects/${id}/members/1`)
        .catch(() => undefined);
      const page = await world().page();
      const card = await open(page);
      await card.getByLabel('Add a project').selectOption({ label: 'demo/others' });
      await card.getByText('You are not a member of demo/others, so you get no mail of it.').waitFor();
      await assertAccessible(page);
    });
  },
  { env: { ERRGATE_MAIL_URL: 'smtp://127.0.0.1:9' } },
);
