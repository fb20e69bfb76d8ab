import assert from 'node:assert/strict';
import { describeInDom } from '../support/dom.ts';
import { startFakeTracker, type FakeTracker } from '../support/fake-tracker/fake-tracker.ts';

const TOKEN = 'b1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const SWITCH = 'Report new and regressed errors of the tracker';

describeInDom('alerts of a project with an external tracker', (world) => {
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

  it('keep the switch as it was when the change is refused', async () => {
    const page = await world().page();
    await page.route('**/error_tracking/alerts', (route) =>
      route.request.method === 'PUT' ? route.fulfill({ status: 400, json: { message: 'not now' } }) : route.fetch(),
    );
    await page.goto(address());
    await page.getByRole('checkbox', { name: SWITCH }).click();
    await page.getByRole('region', { name: 'External tracker' }).getByRole('alert').getByText('not now').waitFor();
    assert.equal(await page.getByRole('checkbox', { name: SWITCH }).isChecked(), false);
  });

  it('cannot be muted until a condition where the tracker knows none', async () => {
    const simple = await startFakeTracker('GlitchTip 5.2');
    try {
      await link(simple);
      const page = await world().page();
      await page.goto(world().list);
      await page.getByRole('link', { name: 'It broke over there' }).click();
      await page.getByRole('button', { name: 'Ignore', exact: true }).waitFor();
      await page.keyboard.press('m');
      assert.equal(await page.getByRole('button', { name: 'Ignore until…' }).count(), 0);
      assert.equal(await page.getByRole('dialog').count(), 0);
      await page.getByRole('region', { name: 'Alerts', exact: true }).waitFor();
    } finally {
      await simple.close();
    }
  });
});
