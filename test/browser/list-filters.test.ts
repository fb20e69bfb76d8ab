import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, type BrowserWorld } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = 60;

/** Errors of which the first stands on the last page. */
async function seed(world: BrowserWorld): Promise<void> {
  const now = Date.now() / 1000;
  for (let index = 0; index < ERRORS; index += 1) {
    const old = index === 0 ? { environment: 'archive', release: 'shop@0.1' } : { environment: 'production' };
    const message = `error number ${index}`;
    await sendEvent(world.target, { timestamp: now - ERRORS + index, message, fingerprint: [message], ...old });
  }
  await eventually(
    async () => (await world.api('GET', '/projects/1/error_tracking/errors?per_page=100')) as unknown[],
    (errors) => errors.length === ERRORS,
  );
}

/** The list, loaded. */
async function openList(world: BrowserWorld, page: Page, query = ''): Promise<void> {
  await page.goto(world.list + query);
  await page.locator('tr[data-error]').first().waitFor();
}

describeInBrowser('the filters of the list', (world) => {
  before(() => seed(world()));

  it('suggest environments and releases of the whole project', async () => {
    const page = await world().page();
    await openList(world(), page);
    await page.getByLabel('Environment').focus();
    for (const name of ['archive', 'production']) {
      await page.locator(`#known-environments option[value="${name}"]`).waitFor({ state: 'attached' });
    }
    await page.locator('#known-releases option[value="shop@0.1"]').waitFor({ state: 'attached' });
    await sendEvent(world().target, {
      message: 'error number 1',
      fingerprint: ['error number 1'],
      release: 'shop@<b>',
    });
    const releases = page.locator('#known-releases option');
    await eventually(
      async () => {
        await page.getByLabel('Release').focus();
        await page.getByLabel('Environment').focus();
        return releases.evaluateAll((options) => options.map((one) => one.getAttribute('value')));
      },
      (values) => values.join() === 'shop@<b>,shop@0.1',
    );
    assert.equal(await page.locator('datalist b').count(), 0);
  });
});
