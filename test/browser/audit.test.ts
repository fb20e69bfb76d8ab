import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, sees } from '../support/browser.ts';

const listed = (page: Page) => page.locator('main tbody').getByText('Project changed').first().waitFor();

describeInBrowser('the audit log', (world) => {
  const address = () => `/${world().service.first.project_path}/-/audit_events`;

  it('looks well, and is filtered with the keyboard alone', async () => {
    const path = `/projects/${world().service.first.project_id}`;
    await world().api('PUT', path, { name: 'A shop with a long name that fills more than one line of a small phone' });
    await world().api('PUT', path, { visibility: 'public' });
    const page = await world().page();
    await page.goto(address());
    await listed(page);
    await assertLooks(page, 'audit/list');
    await page.getByLabel('Event').focus();
    await page.keyboard.type('Project del');
    await page.waitForURL(/\?event=project_deleted$/);
    await sees(page, 'No matching events');
    await assertLooks(page, 'audit/none');
    await page.getByRole('button', { name: 'All events' }).focus();
    await page.keyboard.press('Enter');
    await listed(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /audit-events\.csv$/);
    await page.goto('/admin/audit_events');
    await listed(page);
    await assertLooks(page, 'audit/instance');
  });
});
