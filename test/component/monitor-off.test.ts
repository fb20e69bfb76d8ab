import assert from 'node:assert/strict';
import { assertAccessible } from '../support/dom-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInDom } from '../support/dom.ts';
import { eventually } from '../support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const TITLE = 'Errors are hidden in this project';

describeInDom('a project whose Monitor is off', (world) => {
  let details = '';

  before(async () => {
    await sendEvent(world().target, { message: 'hidden later', level: 'error' });
    const [error] = await eventually(
      () => world().api('GET', `${ERRORS}?status=all`) as Promise<readonly { readonly id: string }[]>,
      (errors) => errors.length === 1,
    );
    details = `${world().list}/${error?.id ?? ''}/details`;
    await world().person('mona', 40);
    await world().person('rolf', 20);
    await world().api('PUT', '/projects/demo%2Fshop', { monitor_access_level: 'disabled' });
  });

  it('says so to maintainers on each page, with a link to the settings', async () => {
    const page = await world().page({ as: 'mona' });
    for (const path of [world().list, details, `${world().list}/releases`]) {
      await page.goto(path);
      await page.getByRole('heading', { name: TITLE }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Open settings' }).waitFor();
      assert.equal(await page.getByText('not found').count(), 0, path);
      await assertAccessible(page);
    }
    await page.getByRole('main').getByRole('link', { name: 'Open settings' }).click();
    await page.getByRole('heading', { name: 'Scrubbing and limits' }).waitFor();
  });

  it('says so to other members, and which roles can change it', async () => {
    const page = await world().page({ as: 'rolf' });
    for (const path of [world().list, details, `${world().list}/releases`]) {
      await page.goto(path);
      await page.getByRole('heading', { name: TITLE }).waitFor();
      await page.getByText('Ask a maintainer to show the errors again.').waitFor();
      assert.equal(await page.getByRole('link', { name: 'Open settings' }).count(), 0, path);
    }
  });

  it('shows its errors once Monitor is on again', async () => {
    const page = await world().page({ as: 'rolf' });
    await page.goto(world().list);
    await page.getByRole('heading', { name: TITLE }).waitFor();
    await world().api('PUT', '/projects/demo%2Fshop', { monitor_access_level: 'enabled' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'hidden later' }).waitFor();
    await page.goto('/demo/nowhere/-/error_tracking');
    await page.getByRole('heading', { name: 'Project not found' }).waitFor();
  });
});
