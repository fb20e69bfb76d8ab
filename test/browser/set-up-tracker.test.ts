import assert from 'node:assert/strict';
import { describeInBrowser, sees } from '../support/browser.ts';
import { startFakeTracker, type FakeTracker } from '../support/fake-tracker/fake-tracker.ts';
import { faults } from '../support/fake-tracker/faults.ts';
import type { PersonalityName } from '../support/fake-tracker/personality.ts';

const TOKEN = 'f'.repeat(64);

describeInBrowser('the set-up page of a project with an external tracker', (world) => {
  let tracker: FakeTracker;
  afterEach(() => tracker.close());

  async function link(name: PersonalityName): Promise<void> {
    tracker = await startFakeTracker(name, { lessons: 20 });
    tracker.world.addProject('acme-inc', 'web-shop', '2');
    tracker.world.addToken(TOKEN);
    await world().api('PUT', '/projects/demo%2Fshop/error_tracking/settings/thirdparty', {
      active: true,
      api_host: tracker.origin,
      token: TOKEN,
      organization_slug: 'acme-inc',
      project_slug: 'web-shop',
      thirdparty_project_id: '2',
    });
  }

  async function open(expected?: RegExp) {
    const page = await world().page(expected === undefined ? {} : { expected });
    await page.goto(`${world().list}/setup`);
    await sees(page, 'This project uses an external tracker');
    return page.getByRole('link', { name: 'Open the tracker' });
  }

  // A GlitchTip has no page at the path of its API.
  for (const [name, path] of [
    ['GlitchTip 5.2', '/acme-inc/issues?project=2'],
    ['Urgentry', '/issues/'],
    ['Sentry 26', '/acme-inc/web-shop/'],
  ] as const) {
    it(`opens a ${name} at its page of the project`, async () => {
      await link(name);
      const opener = await open();
      assert.equal(await opener.getAttribute('href'), tracker.origin + path);
      assert.match((await opener.getAttribute('rel')) ?? '', /noreferrer/);
    });
  }

  it('stays usable without the link while the tracker fails', async () => {
    await link('GlitchTip 5.2');
    tracker.fail(faults.reset());
    const opener = await open(/502|503|504/);
    assert.equal(await opener.count(), 0);
  });
});
