import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { cartBundle, MAIN_ID, recordedEvent } from '../support/recorded-build.ts';
import { eventually } from '../support/service-process.ts';
import { uploadBundle } from '../support/upload-bundle.ts';
import { itInFullRun } from '../support/full-run.ts';

/** Shows the stack in the middle, where no bar covers it. */
async function looksWell(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name: 'Stack trace' }).evaluate((element) => {
    element.scrollIntoView({ block: 'center' });
  });
  await shoot(page, name);
  await assertAccessible(page, true);
  await assertFits(page, name);
}

const LINKS = '/projects/demo%2Fshop/error_tracking/links';
const COMMIT = 'c0ffee0000000000000000000000000000000002';
const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const ARTIFACTS = '/projects/demo%2Fshop/error_tracking/artifacts';

describeInBrowser('frames of a build whose maps were uploaded', (world) => {
  let address = '';

  before(async () => {
    await uploadBundle(world().service, cartBundle(), { version: 'shop@1.0.0' });
    await sendEvent(world().target, recordedEvent(Date.now() / 1000));
    const [error] = await eventually(
      async () => (await world().api('GET', ERRORS)) as readonly { readonly id: string }[],
      (all) => all.length > 0,
    );
    await eventually(
      async () => (await world().api('GET', ARTIFACTS)) as readonly { readonly last_used_at: string | null }[],
      ([upload]) => upload?.last_used_at !== null,
    );
    address = `${world().list}/${error?.id ?? ''}/details`;
  });

  itInFullRun('look well at their original places, as they were sent, and where they are not mapped', async () => {
    for (const phone of [false, true]) {
      const page = await world().page({ phone, dark: phone });
      await page.goto(address);
      const stack = page.getByRole('list', { name: 'Stack trace, innermost call first' });
      await stack.getByText('readCost in src/cart.js:7:15').waitFor();
      await stack.getByText(`no map for debug id ${MAIN_ID}; release shop@1.0.0 has 1 bundle, not with it`).waitFor();
      await looksWell(page, `frames/mapped${phone ? '-phone' : ''}`);
      await stack.getByRole('button', { name: 'As sent' }).first().click();
      await stack.getByText(/^t in https?:.*cart-zUTjjcmR\.js:1:409$/).waitFor();
      await looksWell(page, `frames/as-sent${phone ? '-phone' : ''}`);
    }
  });

  it('lead to their line at the commit of the release, of which one that changed the file is named', async () => {
    const url_template = 'https://git.test/acme/shop/-/blob/{ref}/{path}#L{line}';
    await world().api('PUT', LINKS, { repository: { url_template, default_ref: 'main' }, issue_tracker: null });
    const { url, service } = world();
    const commits = [{ id: COMMIT, author_name: 'Eve Example', message: 'Cost', patch_set: [{ path: 'src/cart.js' }] }];
    const announced = await fetch(`${url}/api/0/organizations/demo/releases/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.first.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 'shop@1.0.0', projects: [String(service.first.project_id)], commits }),
    });
    assert.ok(announced.ok, await announced.text());
    const page = await world().page();
    await page.goto(address);
    const hint = page.getByRole('region', { name: 'May be caused by' });
    await hint.getByText('Eve Example').waitFor();
    await hint.getByText('src/cart.js').waitFor();
    const source = page.getByRole('link', { name: 'Open the source' }).first();
    await eventually(
      () => source.getAttribute('href'),
      (href) => href === `https://git.test/acme/shop/-/blob/${COMMIT}/src/cart.js#L7`,
    );
  });

  it('lead from the reason to the uploads that may explain it', async () => {
    const page = await world().page();
    await page.goto(address);
    await page.locator('main').getByRole('link', { name: 'Uploads' }).click();
    await page.waitForURL(`**/uploads?release=shop@1.0.0&search=${MAIN_ID}`);
    await sees(page, `No upload for the release “shop@1.0.0” has a release, dist or debug id like “${MAIN_ID}”.`);
    await page.getByRole('button', { name: 'All uploads of the release' }).click();
    await sees(page, '1 upload for the release “shop@1.0.0”, newest first.');
    assert.equal(await page.getByText('Never used').count(), 0, 'it mapped a frame');
  });
});
