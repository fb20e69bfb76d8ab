import assert from 'node:assert/strict';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, sees } from '../support/browser.ts';
import { startFakeTracker, type FakeTracker } from '../support/fake-tracker/fake-tracker.ts';

const TOKEN = 'b1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const SWITCH = 'Report new and regressed errors of the tracker';

describeInBrowser('alerts of a project with an external tracker', (world) => {
  let tracker: FakeTracker;

  /** Adds a project with one issue to a tracker, and links it. */
  const link = async ({ world: there, origin }: FakeTracker) => {
    const shop = there.addProject('acme', 'shop');
    there.addToken(TOKEN);
    there.addIssue(shop, { title: 'It broke over there', events: [{ at: Date.now() - 60_000 }] });
    await world().api('PUT', '/projects/demo%2Fshop/error_tracking/settings/thirdparty', {
      active: true,
      api_host: origin,
      token: TOKEN,
      organization_slug: 'acme',
      project_slug: 'shop',
    });
  };

  before(async () => {
    tracker = await startFakeTracker('Sentry 26', { lessons: 20 });
    await link(tracker);
  });
  after(() => tracker.close());

  const address = () => `/${world().service.first.project_path}/-/settings/alerts`;
  const polls = async () => {
    const { poll } = (await world().api('GET', '/projects/demo%2Fshop/error_tracking/alerts')) as { poll: boolean };
    return poll;
  };

  it('are switched on and off by mouse and keyboard, and keep the rules', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('checkbox', { name: SWITCH }).waitFor();
    await page.getByRole('checkbox', { name: SWITCH }).scrollIntoViewIfNeeded();
    await assertLooks(page, 'alerts-tracker');
    assert.equal(await polls(), false);
    const box = page.getByRole('checkbox', { name: SWITCH });
    await box.check();
    await sees(page, 'Errors of the tracker are reported');
    assert.equal(await polls(), true);
    await page.getByRole('region', { name: 'Rules' }).getByText('Important changes').waitFor();
    await box.focus();
    await page.keyboard.press('Space');
    await sees(page, 'Errors of the tracker are no longer reported');
    assert.deepEqual([await polls(), await box.isChecked()], [false, false]);
  });
});
