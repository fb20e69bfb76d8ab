import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startFakeTracker, type FakeTracker } from '../support/fake-tracker/fake-tracker.ts';
import { assertAccessible } from '../support/browser-axe.ts';
import {
  CONNECTED,
  connectButton as connect,
  fillInTracker,
  saveButton as save,
} from '../support/browser-tracker-form.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';

const TOKEN = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const RECONNECT = /Click 'Connect' to re-establish/;

describeInBrowser('the message on the form of an external tracker', (world) => {
  let tracker: FakeTracker;

  before(async () => {
    tracker = await startFakeTracker('Sentry 26', { lessons: 20 });
    tracker.world.addProject('acme', 'shop');
    tracker.world.addProject('acme', 'billing');
    tracker.world.addToken(TOKEN);
  });
  afterEach(() => tracker.assertClean());
  after(() => tracker.close());

  const gone = (page: Page, text: string | RegExp) => page.getByText(text).waitFor({ state: 'detached' });

  async function filledIn(token = TOKEN): Promise<Page> {
    const page = await world().page();
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    await fillInTracker(page, tracker.origin, token);
    return page;
  }

  it('does not apply to an address that was typed while the tracker was asked', async () => {
    const page = await filledIn();
    let answer = (): void => undefined;
    const held = new Promise<void>((done) => (answer = done));
    await page.route('**/error_tracking/projects.json?*', async (route) => {
      await held;
      await route.continue();
    });
    await connect(page).click();
    await page.getByRole('button', { name: 'Connecting' }).waitFor();
    await page.getByLabel('API URL').fill('https://elsewhere.example');
    await connect(page).waitFor();
    const answered = page.waitForResponse('**/error_tracking/projects.json?*');
    answer();
    await (await answered).finished();
    await page.getByLabel('API URL').fill('https://elsewhere.example.org');
    assert.equal(await page.getByText(CONNECTED).count(), 0);
    assert.ok(await page.getByRole('button', { name: /^Project/ }).isDisabled());
  });

  it('follows the documented request of Connect, without the stored token', async () => {
    const page = await filledIn();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith('/projects.json')) asked.push(`${request.method()} ${pathname}${search}`);
    });
    await connect(page).click();
    await sees(page, CONNECTED);
    const path = `/${world().service.first.project_path}/-/error_tracking/projects.json`;
    const host = encodeURIComponent(tracker.origin);
    assert.deepEqual(asked, [`GET ${path}?api_host=${host}&token=${TOKEN}`]);
    await page.getByRole('button', { name: /^Project/ }).click();
    await page.getByRole('option', { name: /shop/ }).click();
    await save(page).click();
    await sees(page, RECONNECT);
    await connect(page).click();
    await sees(page, CONNECTED);
    assert.equal(asked[1], `GET ${path}?api_host=${host}`);
    await world().api('PATCH', '/projects/demo%2Fshop/error_tracking/settings', { active: true, integrated: true });
  });

  it('shows what was saved, after a save', async () => {
    const page = await filledIn();
    await page.getByLabel('Active').check();
    // The second time with the stored token: nothing of the fields changes but the project.
    for (const name of [/shop/, /billing/]) {
      await connect(page).click();
      await sees(page, CONNECTED);
      await page.getByRole('button', { name: /^Project/ }).click();
      await page.getByRole('option', { name }).click();
      await save(page).click();
      await sees(page, RECONNECT);
      await gone(page, CONNECTED);
    }
    assert.match(await page.getByLabel('Auth token').inputValue(), /^\*+$/);
    await page.getByRole('button', { name: 'Project acme | billing' }).waitFor();
    await shoot(page, 'settings-tracker-saved');
    await assertAccessible(page);
  });

  it('offers the new name with one click where the tracker has renamed the project', async () => {
    const billing = tracker.world.projects.find(({ slug }) => slug === 'billing') ?? assert.fail();
    billing.formerSlugs.push('billing');
    billing.slug = 'bills';
    const page = await world().page({ expected: /502/ });
    await page.goto(world().list);
    await page.getByRole('heading', { name: 'The project was renamed in the tracker' }).waitFor();
    await sees(page, /acme\/billing was renamed to acme\/bills at/);
    await shoot(page, 'tracker-project-renamed');
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Use acme/bills' }).click();
    await page.getByRole('heading', { name: 'The project was renamed in the tracker' }).waitFor({ state: 'detached' });
    const { api_url: address } = (await world().api('GET', '/projects/demo%2Fshop/error_tracking/settings')) as {
      api_url: string;
    };
    assert.equal(address, `${tracker.origin}/api/0/projects/acme/bills/`);
  });
});
