import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

describeInBrowser('the filters of a list', (world) => {
  /** Ids of the events in staging, newest first. */
  const staging: string[] = [];

  before(async () => {
    const now = Date.now() / 1000;
    for (let index = 0; index < 5; index += 1) {
      const environment = index === 1 || index === 3 ? 'staging' : 'production';
      const exception = { values: [{ type: 'AlongError', value: 'x' }] };
      const tags = { browser: `Firefox ${140 + index}` };
      const event = { exception, environment, tags, fingerprint: ['AlongError'] };
      const id = await sendEvent(world().target, richEvent(now - index * 60, event));
      if (environment === 'staging') staging.push(id);
    }
    for (const type of ['OtherError', 'LastError']) {
      const event = { exception: { values: [{ type, value: 'x' }] }, environment: 'staging', fingerprint: [type] };
      await sendEvent(world().target, richEvent(now - 1000, event));
    }
    await eventually(
      async () => (await world().api('GET', `${ERRORS}?environment=staging`)) as readonly unknown[],
      (errors) => errors.length === 3,
    );
  });

  const at = (page: Page, id: string | undefined) =>
    eventually(
      () => page.locator('[data-event]').getAttribute('data-event'),
      (shown) => shown === id,
    );
  const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  it('go along to its errors: events, chart and neighbours follow, and the way back leads to the same list', async () => {
    const page = await world().page();
    const list = `${world().list}?environment=staging&level=error&range=14d`;
    await page.goto(list);
    await page.getByText('Counts, charts and times ignore the environment').waitFor();
    await page.getByRole('link', { name: /^AlongError/ }).click();
    await page.getByText('Event 2 of 2 with environment: staging').waitFor();
    await at(page, staging[0]);
    assert.deepEqual(query(page), { environment: 'staging', level: 'error', range: '14d' });
    const spans = page.getByRole('group', { name: 'Span of the chart' });
    await spans.locator('button[aria-pressed=true]', { hasText: '14 d' }).waitFor();
    await page.getByText('All events', { exact: true }).first().waitFor();
    await page.keyboard.press(',');
    await at(page, staging[1]);
    assert.deepEqual(query(page), { event: staging[1], environment: 'staging', level: 'error', range: '14d' });
    await page.reload();
    await page.getByText('Event 1 of 2 with environment: staging').waitFor();
    await page.getByRole('button', { name: 'Latest event' }).click();
    await at(page, staging[0]);
    await spans.getByRole('button', { name: '7 d' }).click();
    await page.waitForURL(/range=7d/);
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: /OtherError|LastError/, level: 1 }).waitFor();
    await page.getByText('Event 1 of 1 with environment: staging').waitFor();
    assert.deepEqual(query(page), { environment: 'staging', level: 'error', range: '7d' });
    await page.getByRole('link', { name: 'All events' }).click();
    await sees(page, '1 event of 1 searched');
    assert.equal(query(page)['range'], '7d');
    await page.locator('a.back').click();
    await page.getByRole('link', { name: /^AlongError/ }).waitFor();
    assert.deepEqual(query(page), { environment: 'staging', level: 'error', range: '14d' });
  });

  it('leave numbers that say which events they count', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?environment=staging&range=14d`);
    await page.getByRole('link', { name: /^AlongError/ }).waitFor();
    await assertLooks(page, 'filters-along-list');
    await page.getByRole('link', { name: /^AlongError/ }).click();
    await page.getByText('Event 2 of 2 with environment: staging').waitFor();
    for (const name of ['Events', 'Users']) {
      await page.locator('.facts dl > div', { hasText: name }).getByText('all time').waitFor();
    }
    await assertLooks(page, 'filters-along-error');
  });
});
