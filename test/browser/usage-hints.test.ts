import { sendEvent } from '../support/browser-seed.ts';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeInBrowser, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

describeInBrowser('invalid values of events', (world) => {
  before(async () => {
    await sendEvent(world().target, { message: 'with a slash', release: 'shop/1.4', environment: 'a/b' });
    await eventually(
      async () => (await world().api('GET', '/projects/demo%2Fshop/error_tracking/errors')) as unknown[],
      (errors) => errors.length > 0,
    );
  });

  it('are explained on the page Usage and named on the event', async () => {
    const page = await world().page();
    await page.goto(`${world().list}/outcomes`);
    const hint = page.getByRole('region', { name: 'Invalid values' });
    await hint.getByText('1 event came with an invalid release and was stored without it.').waitFor();
    await hint.getByText('1 event came with an invalid environment and was stored without it.').waitFor();
    await page.getByText('Invalid release: its event was stored without it').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await assertFits(page);
        await shoot(page, `usage-invalid-${colorScheme}-${width}`);
      }
    }
    await assertAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(world().list);
    await page
      .getByRole('link', { name: /with a slash/ })
      .first()
      .click();
    await page.getByText('dropped: release is invalid (has a slash)').waitFor();
    await page.getByText('dropped: environment is invalid (has a slash)').waitFor();
  });
});
