import assert from 'node:assert/strict';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

describeInDom('the filters of a list', (world) => {
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

  const query = (page: DomPage) => Object.fromEntries(new URL(page.url()).searchParams);

  it('are those of the address in another tab, and one leaves them there', async () => {
    const [found] = (await world().api('GET', `${ERRORS}?search=AlongError`)) as readonly { id: string }[];
    const page = await world().page();
    await page.goto(`${world().list}/${found?.id}/details?environment=staging&range=24h`);
    await page.getByText('Event 2 of 2 with environment: staging').waitFor();
    await page.getByRole('link', { name: 'Leave the filter' }).click();
    await page.getByText('Event 5 of 5', { exact: true }).waitFor();
    assert.deepEqual(query(page), { range: '24h' });
    await page.goto(`${world().list}/${found?.id}/details?environment=nowhere`);
    await sees(page, 'No stored event with environment: nowhere');
    await page.getByText('Stack trace').first().waitFor();
    await page.goto(`${world().list}/${found?.id}/details?environment=staging`);
    await page.locator('a.back').click();
    await page.getByRole('link', { name: /^OtherError/ }).waitFor();
    assert.deepEqual(query(page), { environment: 'staging' });
  });

  it('name a tag by its words, of every version', async () => {
    const page = await world().page();
    await page.goto(`${world().list}?search=browser:Firefox`);
    await page.getByRole('link', { name: /^AlongError/ }).click();
    await page.getByText('Event 5 of 5 with browser: Firefox').waitFor();
    assert.deepEqual(query(page), { tag: 'browser:Firefox' });
  });
});
