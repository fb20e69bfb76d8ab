import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertLooks } from '../support/browser-looks.ts';
import { faults } from '../support/fake-tracker/faults.ts';
import { eventually } from '../support/service-process.ts';
import { startFakeTracker, type FakeTracker } from '../support/fake-tracker/fake-tracker.ts';
import { assertAccessible } from '../support/browser-axe.ts';
import { sendEvent } from '../support/browser-seed.ts';
import {
  CONNECT_FAILED as FAILED,
  CONNECTED,
  connectButton as connect,
  fillInTracker,
  saveButton as save,
} from '../support/browser-tracker-form.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { itInFullRun } from '../support/full-run.ts';

const TOKEN = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';

interface Key {
  readonly id: number;
  readonly active: boolean;
  readonly public_key: string;
  readonly thirdparty_dsn: string;
}

describeInBrowser('the settings page', (world) => {
  let tracker: FakeTracker;

  before(async () => {
    tracker = await startFakeTracker('Sentry 26', { lessons: 20 });
    const shop = tracker.world.addProject('acme', 'shop');
    tracker.world.addProject('acme', 'billing');
    tracker.world.addProject('globex', 'portal');
    tracker.world.addToken(TOKEN);
    tracker.world.addIssue(shop, { title: 'ValueError: it broke over there', events: [{ at: Date.now() - 60_000 }] });
  });
  afterEach(() => tracker.assertClean());
  after(() => tracker.close());

  const api = () => `/projects/${world().service.first.project_id}/error_tracking`;
  const keys = async () => (await world().api('GET', `${api()}/client_keys`)) as Key[];
  const settings = async () => (await world().api('GET', `${api()}/settings`)) as Record<string, unknown>;
  const address = () => `/${world().service.first.project_path}/-/settings/operations`;

  const fillIn = (page: Page, token = TOKEN): Promise<void> => fillInTracker(page, tracker.origin, token);

  it('sets the integrated backend up by the known steps: Active, backend, Save changes, copy the DSN', async () => {
    await world().api('PUT', `${api()}/settings`, { active: false, integrated: true });
    const page = await world().page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(world().list);
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await sees(page, 'Events are refused, and errors are hidden. Nothing is deleted.');
    await page.getByRole('group', { name: 'Enable error tracking' }).getByLabel('Active', { exact: true }).check();
    const backend = page.getByRole('group', { name: 'Error tracking backend' });
    await backend.getByLabel('Third-party', { exact: true }).check();
    await backend.getByLabel('Integrated', { exact: true }).check();
    await save(page).click();
    await sees(page, 'Your changes have been saved');
    await page.getByRole('button', { name: 'Copy the DSN', exact: true }).click();
    const [key] = (await keys()).filter(({ active }) => active);
    const copied = await eventually(
      () => page.evaluate<string>('navigator.clipboard.readText()'),
      (text) => text === key?.thirdparty_dsn,
    );
    await sees(page, 'Paste this Data Source Name (DSN) into your SDK.');
    assert.deepEqual(
      [await settings()].map(({ active, integrated }) => [active, integrated]),
      [[true, true]],
    );
    await sendEvent({ url: world().url, dsn: copied }, { message: 'sent with the DSN that was copied' });
    await page.goto(world().list);
    await sees(page, 'sent with the DSN that was copied');
  });

  itInFullRun('fits both themes and a phone, and passes the accessibility check', async () => {
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'Scrubbing and limits');
    await sees(page, 'Sensitive data');
    await page.locator('dt', { hasText: 'Rate limits' }).locator('+ dd', { hasText: 'None' }).waitFor();
    assert.equal(await page.getByText('Sessions of a key').count(), 0, 'only what is set');
    assert.equal(await page.getByText('The integrated backend is turned off').count(), 0);
    await assertLooks(page, 'settings');
    await page.getByRole('radio', { name: 'Third-party' }).check();
    await page.getByLabel('API URL').waitFor();
    await assertLooks(page, 'settings-thirdparty');
  });

  it('creates, disables, enables and deletes keys', async () => {
    const page = await world().page();
    const before = await keys();
    await page.goto(address());
    await page.getByRole('button', { name: 'Create key' }).click();
    await sees(page, 'A new key was created');
    const fresh = (await keys()).find(({ id }) => before.every((key) => key.id !== id));
    assert.ok(fresh !== undefined);
    const name = `${fresh.public_key.slice(0, 13)}…`;
    await page.getByRole('button', { name: `Disable ${name}` }).click();
    await page.getByRole('button', { name: `Enable ${name}` }).click();
    await page.getByRole('button', { name: `Disable ${name}` }).waitFor();
    assert.equal((await keys()).find(({ id }) => id === fresh.id)?.active, true);

    await page.getByRole('button', { name: `Delete ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this key?' });
    await dialog.getByText('Never used.').waitFor();
    await shoot(page, 'settings-delete-key');
    await assertAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.ok((await keys()).some(({ id }) => id === fresh.id));
    await page.getByRole('button', { name: `Delete ${name}` }).click();
    await dialog.getByRole('button', { name: 'Delete key' }).click();
    await sees(page, 'The key was deleted');
    assert.deepEqual(
      (await keys()).map(({ id }) => id),
      before.map(({ id }) => id),
    );
  });

  it('with Monitor off: Connect answers 404 and says what is known; with Monitor on: it connects', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('button', { name: 'Hide errors' }).click();
    await sees(page, 'Errors are hidden');
    await sees(page, /Errors are hidden because the Monitor feature of this project is off/);
    await fillIn(page);
    const asked = page.waitForResponse((response) => response.url().includes('/-/error_tracking/projects'));
    await connect(page).click();
    const answer = await asked;
    assert.equal(answer.status(), 404);
    assert.equal(answer.request().method(), 'GET');
    const alert = page.getByRole('alert').filter({ hasText: FAILED });
    assert.equal(await alert.locator('strong').textContent(), FAILED);
    await sees(page, 'The Monitor feature of this project is off.');
    await shoot(page, 'settings-connection-failed');
    await assertAccessible(page);

    await page.getByRole('button', { name: 'Show errors' }).click();
    await sees(page, 'Errors are shown');
    await connect(page).click();
    await sees(page, CONNECTED);
    assert.equal(await page.getByText(FAILED).count(), 0);
  });

  it('shows each problem at its field, and the documented message for the token', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByRole('radio', { name: 'Third-party' }).check();
    await sees(page, 'To enable project selection, enter a valid Auth Token');
    await connect(page).click();
    await sees(page, 'Enter the URL of the tracker, such as https://tracker.example.com.');
    await fillIn(page, `${TOKEN.slice(0, -1)}1`);
    await connect(page).click();
    await page.getByRole('alert').filter({ hasText: FAILED }).waitFor();
    await sees(page, /The tracker does not accept the token/);
    tracker.fail(faults.reset());
    await connect(page).click();
    await sees(page, /The connection to 127\.0\.0\.1:\d+ broke|the connection to 127\.0\.0\.1:\d+ broke/);
    assert.equal(await page.getByText(FAILED).count(), 0);
    tracker.heal();
    await page.getByLabel('Active').check();
    await save(page).click();
    await sees(page, /There was an error saving your changes\. .*required field/);
  });

  it('links an external tracker by the known steps, and never shows its token', async () => {
    const page = await world().page();
    await page.goto(address());
    await page.getByLabel('Active').check();
    await fillIn(page);
    await connect(page).click();
    await sees(page, CONNECTED);
    await page.getByRole('button', { name: /Project Select project/ }).click();
    const search = page.getByRole('combobox', { name: 'Search projects' });
    await shoot(page, 'settings-projects');
    await assertAccessible(page);
    await search.fill('nothing like it');
    await sees(page, 'No matching projects');
    await search.fill('shop');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Project The acme \| shop/ }).waitFor();
    await save(page).click();
    await sees(page, 'Your changes have been saved');
    assert.deepEqual(
      [await settings()].map(({ active, integrated, api_url }) => [active, integrated, api_url]),
      [[true, false, `${tracker.origin}/api/0/projects/acme/shop/`]],
    );
    await page.reload();
    await sees(
      page,
      "Click 'Connect' to re-establish the connection to the third-party tracker and activate the dropdown.",
    );
    assert.match(await page.getByLabel('Auth token').inputValue(), /^\*+$/);
    assert.equal((await page.content()).includes(TOKEN), false);
    await connect(page).click();
    await sees(page, CONNECTED);
    await page.goto(world().list);
    await sees(page, 'it broke over there');

    await page.goto(`${world().list}/setup`);
    await sees(page, 'This project uses an external tracker');
    await page.goto(address());
    await page.getByLabel('API URL').fill('https://elsewhere.example');
    assert.equal(await page.getByLabel('Auth token').inputValue(), '', 'a stored token goes to no other address');
    await page.getByLabel('API URL').fill(`${tracker.origin}/`);
    assert.match(await page.getByLabel('Auth token').inputValue(), /^\*+$/);
  });

  it('says when the linked project no longer exists', async () => {
    const [shop] = tracker.world.projects;
    assert.ok(shop !== undefined);
    shop.slug = 'renamed';
    const page = await world().page();
    await page.goto(address());
    await connect(page).click();
    await sees(page, /Project ".*" is no longer available\. Select another project to continue\./);
    shop.slug = 'shop';
    await world().api('PATCH', `${api()}/settings`, { active: true, integrated: true });
  });

  it('is for maintainers only; no other page or answer shows a DSN to other roles', async () => {
    await world().person('dora', 30);
    const page = await world().page({ as: 'dora' });
    const bodies: string[] = [];
    page.on('response', (response) => {
      void response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      );
    });
    await page.goto(address());
    await sees(page, 'You need the Maintainer role to see and change the settings');
    await shoot(page, 'settings-forbidden');
    await assertAccessible(page);
    await page.goto(`${world().list}/setup`);
    await sees(page, 'DSN from a maintainer');
    await assertAccessible(page);
    assert.equal(await page.getByRole('button', { name: 'Send a test event' }).count(), 0);
    await page.getByRole('link', { name: 'Members' }).click();
    await sees(page, 'Developer');
    assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
    const seen = `${bodies.join('\n')}${await page.content()}`;
    for (const key of await keys()) assert.equal(seen.includes(key.public_key), false);
  });

  it('asks to sign in again where the session has ended meanwhile, and comes back', async () => {
    const page = await world().page();
    await page.goto(address());
    await sees(page, 'Scrubbing and limits');
    await page.context().clearCookies();
    await save(page).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.match(new URL(page.url()).search, /return_to=.*settings/);
  });
});

describeInBrowser(
  'the settings page without the integrated backend',
  (world) => {
    it('says that errors are no longer stored, and what to do', async () => {
      const page = await world().page();
      await page.goto(`/${world().service.first.project_path}/-/settings/operations`);
      await sees(page, 'The integrated backend is turned off');
      assert.equal(await page.getByRole('radio', { name: 'Integrated' }).isDisabled(), true);
      await page.getByLabel('API URL').waitFor();
      await shoot(page, 'settings-turned-off');
      await assertAccessible(page);
    });
  },
  { env: { ERRGATE_INTEGRATED_ENABLED: 'false' } },
);
