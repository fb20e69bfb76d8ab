import type { Locator, Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser } from '../support/browser.ts';
import { itInFullRun } from '../support/full-run.ts';

describeInBrowser(
  'scrubbing and limits on the settings page',
  (world) => {
    const address = () => `/${world().service.first.project_path}/-/settings/operations`;
    const path = () => `/projects/${world().service.first.project_id}/error_tracking/protection`;

    async function open(page: Page): Promise<Locator> {
      await page.goto(address());
      const card = page.getByRole('region', { name: 'Scrubbing and limits' });
      await card.getByRole('button', { name: 'Save scrubbing and limits' }).waitFor();
      return card;
    }
    const fields = (card: Locator) => card.getByLabel('Fields to hide');

    afterEach(() =>
      world().api('PUT', path(), {
        sensitive_fields: [],
        scrub_ips: false,
        key_events_per_minute: null,
        project_events_per_minute: null,
      }),
    );

    itInFullRun('fits both themes and a phone, and passes the accessibility check', async () => {
      await world().api('PUT', path(), { sensitive_fields: ['iban', 'account number'], key_events_per_minute: 300 });
      const page = await world().page();
      const card = await open(page);
      await card.getByText('Effective limits').scrollIntoViewIfNeeded();
      await fields(card).scrollIntoViewIfNeeded();
      await assertLooks(page, 'settings-protection');
    });
  },
  { config: { scrubbing: { sensitiveFields: ['pin'] }, limits: { key: { eventsPerMinute: 600 } } } },
);
