import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { richEvent, sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';
import { itInFullRun } from '../support/full-run.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';

describeInBrowser('the first screen of an error', (world) => {
  let address = '';

  before(async () => {
    await sendEvent(world().target, richEvent(Date.now() / 1000));
    const read = () => world().api('GET', `${ERRORS}?search=PaymentError`) as Promise<readonly { id: string }[]>;
    const [found] = await eventually(read, (all) => all.length === 1);
    address = `${world().list}/${found?.id ?? ''}/details`;
  });

  itInFullRun('has what it is, whom it hits and the first frame on a phone, above the actions', async () => {
    const page = await world().page({ phone: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address);
    const frame = page.locator('.stack .frame .head').first();
    await frame.waitFor();
    await page.getByRole('region', { name: 'Tags', exact: true }).waitFor();
    const [shown, actions] = await Promise.all([frame.boundingBox(), page.locator('.acts').boundingBox()]);
    const [end, limit] = [(shown?.y ?? 0) + (shown?.height ?? 0), actions?.y ?? 0];
    assert.ok(end <= limit, `the first frame ends at ${end}, the actions begin at ${limit}`);
    for (const name of ['Whom it hits', 'Event']) await page.getByRole('region', { name, exact: true }).waitFor();
    await page.getByRole('list', { name: 'Who and where' }).getByText('https://shop.example.com/checkout').waitFor();
    await assertAccessible(page);
  });

  for (const width of [1440, 1024, 768, 390]) {
    itInFullRun(`keeps the status and the number of the event in its bar: ${width}`, async () => {
      const page = await world().page();
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address);
      const bar = page.locator('.error-bar');
      const shows = async () => {
        for (const text of ['Unresolved', 'Event 1 of 1']) {
          const line = bar.getByText(text, { exact: true });
          await line.waitFor();
          assert.ok(await line.evaluateAll((all) => all.every((one) => one.scrollWidth <= one.clientWidth)), text);
        }
      };
      await shows();
      await page.locator('.stack .frame').first().waitFor();
      await page.evaluate('scrollTo(0, 700)');
      await page.locator('.error-bar.stuck .title').waitFor();
      await shows();
      await assertFits(page);
      await assertAccessible(page);
    });
  }

  itInFullRun(
    'keeps long words of a status within the page, and the actions in one line beside the steps',
    async () => {
      const page = await world().page();
      const id = /(\d+)\/details$/.exec(address)?.[1] ?? '';
      const change = (body: object) => world().api('PUT', `${ERRORS}/${id}`, body);
      await change({
        status: 'resolved',
        status_details: { inRelease: `com.example.shop.storefront-${'1'.repeat(40)}` },
      });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(address);
      const badge = await page.locator('.badges .status').boundingBox();
      assert.ok(badge !== null && badge.x + badge.width <= 390, JSON.stringify(badge));
      await change({ status: 'ignored' });
      for (const width of [721, 768, 1000]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(address);
        await page.getByRole('button', { name: 'Undo ignore' }).waitFor();
        await page.getByRole('link', { name: 'All events' }).waitFor();
        const middles = await page
          .locator('.error-bar')
          .locator('.acts, .events')
          .evaluateAll((parts) =>
            parts.map((part) => part.getBoundingClientRect()).map(({ y, height }) => y + height / 2),
          );
        assert.equal(new Set(middles.map(Math.round)).size, 1, `${width}: ${middles.join(', ')}`);
      }
    },
  );
});
