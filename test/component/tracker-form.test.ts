import assert from 'node:assert/strict';
import { startFakeTracker, type FakeTracker } from '../support/fake-tracker/fake-tracker.ts';
import { assertAccessible } from '../support/dom-axe.ts';
import {
  CONNECT_FAILED as FAILED,
  CONNECTED,
  connectButton as connect,
  fillInTracker,
  saveButton as save,
} from '../support/browser-tracker-form.ts';
import { describeInDom, sees, type DomPage } from '../support/dom.ts';

const TOKEN = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';

describeInDom('the message on the form of an external tracker', (world) => {
  let tracker: FakeTracker;

  before(async () => {
    tracker = await startFakeTracker('Sentry 26', { lessons: 20 });
    tracker.world.addProject('acme', 'shop');
    tracker.world.addProject('acme', 'billing');
    tracker.world.addToken(TOKEN);
  });
  afterEach(() => tracker.assertClean());
  after(() => tracker.close());

  const gone = (page: DomPage, text: string | RegExp) => page.getByText(text).waitFor({ state: 'detached' });
  const monitor = (on: boolean) =>
    world().api('PUT', '/projects/demo%2Fshop', { monitor_access_level: on ? 'enabled' : 'disabled' });

  async function filledIn(token = TOKEN): Promise<DomPage> {
    const page = await world().page();
    await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
    await fillInTracker(page, tracker.origin, token);
    return page;
  }

  it('disappears after a failed Connect with the next edit, and with another backend', async () => {
    const page = await filledIn('0'.repeat(64));
    const edits: readonly (() => Promise<void>)[] = [
      () => page.getByLabel('Auth token').fill(TOKEN.replace('a', 'b')),
      () => page.getByLabel('API URL').fill(`${tracker.origin}/`),
      () => page.getByRole('radio', { name: 'Integrated' }).check(),
    ];
    for (const edit of edits) {
      await connect(page).click();
      await sees(page, FAILED);
      await edit();
      await gone(page, FAILED);
    }
    await page.getByRole('radio', { name: 'Third-party' }).check();
    assert.equal(await page.getByText(FAILED).count(), 0);
    assert.equal(await page.getByLabel('API URL').inputValue(), `${tracker.origin}/`);
  });

  it('disappears when the Monitor feature is switched on', async () => {
    await monitor(false);
    const page = await filledIn();
    await connect(page).click();
    await sees(page, FAILED);
    await page.getByRole('button', { name: 'Show errors' }).click();
    await gone(page, FAILED);
  });

  it('says that there is no token, and not that it is wrong', async () => {
    const page = await filledIn('');
    await connect(page).click();
    await sees(page, /^Enter the auth token\./);
    assert.equal(await page.getByText(FAILED).count(), 0);
    assert.equal(await page.getByLabel('Auth token').getAttribute('aria-invalid'), 'true');
    await assertAccessible(page);
  });

  it('stands once at the field of a wrong address, and does not blame the token', async () => {
    const page = await filledIn();
    const reason = 'The URL must start with https:// or http://.';
    for (const wrong of ['nonsense', 'ftp://tracker.example']) {
      await page.getByLabel('API URL').fill(wrong);
      await page.getByLabel('Auth token').fill(TOKEN);
      await connect(page).click();
      await sees(page, reason);
      assert.equal(await page.getByText(reason).count(), 1);
      assert.equal(await page.getByText(FAILED).count(), 0);
      assert.equal(await page.getByLabel('API URL').getAttribute('aria-invalid'), 'true');
      assert.equal(await page.getByLabel('Auth token').getAttribute('aria-invalid'), 'false');
    }
    await assertAccessible(page);
  });

  it('names the corrected address, which the field then holds', async () => {
    const page = await filledIn();
    const dsn = `${tracker.origin.replace('//', `//${'ab'.repeat(16)}@`)}/42`;
    await page.getByLabel('API URL').fill(dsn);
    await page.getByLabel('Auth token').fill(TOKEN);
    await connect(page).click();
    await sees(page, CONNECTED);
    await sees(page, `Changed to ${tracker.origin}, the address of the tracker.`);
    assert.equal(await page.getByLabel('API URL').inputValue(), tracker.origin);
    await assertAccessible(page);
  });

  it('disappears after a failed save with the next edit', async () => {
    const page = await filledIn();
    await page.getByLabel('Active').check();
    await page.getByLabel('API URL').fill('');
    await page.getByLabel('Auth token').fill(TOKEN);
    await save(page).click();
    await sees(page, 'There was an error saving your changes.');
    await page.getByLabel('API URL').fill(tracker.origin);
    await gone(page, 'There was an error saving your changes.');
  });
});
