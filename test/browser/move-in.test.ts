import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { CONNECTED, connectButton, fillInTracker, saveButton } from '../support/browser-tracker-form.ts';
import { describeInBrowser, PASSWORD, sees, shoot } from '../support/browser.ts';
import { type FakeSource, startFakeSource } from '../support/fake-source/fake-source.ts';
import type { SourceProject } from '../support/fake-source/source-records.ts';
import { faults } from '../support/fake-tracker/faults.ts';
import { eventually } from '../support/service-process.ts';

const TOKEN = 'c0ffee00'.repeat(8);
const ERRORS = 12;
const DAY_MS = 86_400_000;

const nameOf = (index: number): string => `job_${String.fromCharCode(97 + index)}`;

function bodyOf(index: number) {
  const name = nameOf(index);
  const frame = { filename: `shop/${name}.py`, module: `shop.${name}`, function: name, in_app: true, lineno: 7 };
  return {
    platform: 'python',
    level: 'error',
    transaction: `shop.${name}`,
    exception: { values: [{ type: 'ValueError', value: `broken ${name}`, stacktrace: { frames: [frame] } }] },
  };
}

describeInBrowser('moving in from a linked tracker', (world) => {
  let source: FakeSource;
  let shop: SourceProject;
  let issueId: string;

  before(async () => {
    source = await startFakeSource('sentry');
    source.world.addToken(TOKEN);
    shop = source.world.addProject('shop', { id: '470011' });
    shop.rules.push({ name: 'Many errors', condition: 'more than 100 events in an hour', action: 'mail' });
    for (let index = 0; index < ERRORS; index += 1) {
      const issue = source.world.addIssue(shop, {
        // The tracker has removed the events of the last issue.
        bodies: index === ERRORS - 1 ? [] : [{ body: bodyOf(index), at: Date.now() - (index + 1) * DAY_MS }],
        type: 'ValueError',
        value: `broken ${nameOf(index)}`,
        count: 1000 + index,
        status: index === 3 ? 'resolved' : 'unresolved',
      });
      if (index === 0) issueId = issue.id;
    }
  });
  after(() => source.close());

  const settings = () => `/${world().service.first.project_path}/-/settings/operations`;

  async function stored(): Promise<{ readonly integrated: boolean; readonly api_url: string | null }> {
    const path = encodeURIComponent(world().service.first.project_path);
    const { integrated, api_url: apiUrl } = (await world().api('GET', `/projects/${path}/error_tracking/settings`)) as {
      integrated: boolean;
      api_url: string | null;
    };
    return { integrated, api_url: apiUrl };
  }

  async function connect(page: Page): Promise<void> {
    await page.goto(settings());
    await fillInTracker(page, source.origin, TOKEN);
    await connectButton(page).click();
    await sees(page, CONNECTED);
    await page.getByRole('button', { name: /^Project/ }).click();
    await page.getByRole('option').filter({ hasText: 'shop' }).first().click();
    await saveButton(page).click();
    await sees(page, 'Your changes have been saved');
  }

  const cardOf = (page: Page) => page.getByRole('region', { name: 'Move in' });

  /** Takes pictures of the card in every look, each checked for accessibility and width. */
  async function looks(page: Page, name: string, shows: string): Promise<void> {
    await cardOf(page).getByText(shows).waitFor();
    await cardOf(page).scrollIntoViewIfNeeded();
    await assertLooks(page, `move-in-${name}`, { fullPage: true });
  }

  it('leads from Connect to an integrated project with its history', async () => {
    const page = await world().page();
    await connect(page);
    const card = cardOf(page);
    const importing = card.getByRole('button', { name: 'Import history' });
    await importing.waitFor();
    await looks(page, 'before', 'The tracker is only read.');
    await card.getByText('answers events of this project with 403').waitFor();

    // Every list of events is late, so that the import can be seen running, and stopped.
    source.fail(faults.late(8000), /events/);
    await importing.click();
    await card.getByRole('status').getByText('Running').waitFor();
    await card.getByRole('rowheader', { name: 'Errors', exact: true }).waitFor();
    await looks(page, 'running', 'nothing is counted twice');
    await card.getByRole('button', { name: 'Stop' }).click();
    await card.getByRole('status').getByText('Stopped', { exact: true }).waitFor();
    source.heal();

    // The tracker refuses the token: the card says so, and the import can be continued.
    source.world.revoke(TOKEN);
    await card.getByRole('button', { name: 'Continue' }).click();
    await card.getByRole('status').getByText('Stopped by a problem').waitFor();
    await card.getByText('The import stopped:').waitFor();
    await looks(page, 'failed', 'The import stopped:');
    source.world.addToken(TOKEN);

    // Without a mouse.
    await card.getByRole('button', { name: 'Continue' }).focus();
    await page.keyboard.press('Enter');
    await card.getByRole('status').getByText('Done').waitFor();
    await card.getByRole('rowheader', { name: 'Errors', exact: true }).waitFor();
    await looks(page, 'done', 'Your applications still send to the old tracker');
    await card.getByText(/^http:.*errortracking\/api\/v1\/projects\/\d+$/).waitFor();
    await card.getByText('What was not imported and must be set up again').click();
    await card.getByText('Set up again: shop: alert rule').waitFor();

    await card.getByRole('button', { name: 'Switch to integrated…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Switch to integrated' });
    await dialog.getByText('Your applications still send to the old tracker.').waitFor();
    await shoot(page, 'move-in-switch');
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.deepEqual((await stored()).integrated, false);
    await card.getByRole('button', { name: 'Switch to integrated…' }).click();
    await dialog.getByRole('button', { name: 'Switch', exact: true }).click();
    await sees(page, 'errgate stores the errors of this project now');
    await page.getByRole('radio', { name: 'Integrated', checked: true }).waitFor();
    await page.getByLabel('API URL').waitFor({ state: 'detached' });
    assert.deepEqual(await stored(), { integrated: true, api_url: null });
    await looks(page, 'after', 'No event has come with a key of this project yet');
    assert.equal(await card.getByText('with 403').count(), 0);
    await page.getByRole('region', { name: 'Forwarding' }).waitFor();
    await card.getByText('It may be repeated at any time').waitFor();
    assert.equal(await card.getByText('stopped and continued').count(), 0);
    // What the old tracker got meanwhile comes along after the switch too.
    await card.getByRole('button', { name: 'Import again' }).click();
    await card.getByText(`${ERRORS} were brought up to date`).waitFor();

    await page.goto(world().list);
    await page.getByRole('link', { name: 'ValueError: broken job_a' }).waitFor();
    await shoot(page, 'move-in-list');
    source.assertClean();
  }).timeout(600_000);

  it('brings the fields of the tracker back with the way back, and hides them again', async () => {
    const page = await world().page();
    await page.goto(settings());
    await page.getByRole('radio', { name: 'Third-party' }).check();
    await saveButton(page).click();
    await sees(page, 'Your changes have been saved');
    assert.match(String((await stored()).api_url), /470011|shop/);
    await eventually(
      () => page.getByLabel('API URL').inputValue(),
      (value) => value === source.origin,
    );
    await cardOf(page).getByRole('button', { name: 'Import again' }).waitFor();
    await cardOf(page).getByRole('button', { name: 'Switch to integrated…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch', exact: true }).click();
    await sees(page, 'errgate stores the errors of this project now');
    assert.deepEqual(await stored(), { integrated: true, api_url: null });
  });

  it('shows nothing of it to roles below Maintainer', async () => {
    await world().person('dora', 30);
    const page = await world().page({ as: 'dora' });
    await page.goto(settings());
    await page
      .getByText(/maintainer/i)
      .first()
      .waitFor();
    assert.equal(await cardOf(page).count(), 0);
  });

  it('leads an address of the former tracker to the imported error', async () => {
    const page = await world().page();
    for (const address of [
      `/organizations/acme/issues/${issueId}/?project=470011`,
      `/organizations/acme/issues/${issueId}`,
      `/acme/shop/issues/${issueId}/`,
      `/acme/issues/${issueId}`,
      `/issues/${issueId}`,
    ]) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: 'broken job_a' }).waitFor();
      assert.match(page.url(), /\/-\/error_tracking\/\d+\/details$/, address);
    }
    const origin = page.getByRole('region', { name: 'Imported from Sentry' });
    await origin.getByText('1,000 events').waitFor();
    assert.match(await origin.innerText(), new RegExp(issueId));
    await shoot(page, 'move-in-error');
    await assertAccessible(page);
  });

  it('says why an imported error has no event', async () => {
    const last = [...shop.issues.values()].at(-1)!;
    const page = await world().page({ expected: /events\/latest|404/ });
    await page.goto(`/organizations/acme/issues/${last.id}/`);
    await page.getByText('The former tracker had no event of this error left').waitFor();
  });

  it('leads to the named event, through the sign-in', async () => {
    const { id } = [...shop.issues.values()][0]!.events[0]!;
    const page = await world().page({ stranger: true });
    await page.goto(`/organizations/acme/issues/${issueId}/events/${id}/`);
    await page.getByLabel('Username').fill(world().service.first.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'broken job_a' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('event'), id);
  });

  it('leads to the list of the project, through the sign-in', async () => {
    // The service answers 404 to a stranger, with the page that asks for the sign-in.
    const page = await world().page({ stranger: true, expected: /404/ });
    await page.goto('/organizations/acme/issues/?project=470011&query=is%3Aunresolved');
    await page.getByLabel('Username').fill(world().service.first.username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(world().list);
    await page.getByRole('link', { name: 'ValueError: broken job_a' }).waitFor();
  });

  it('finds an error by its short id, its old id and an event of it', async () => {
    const { shortId, events } = [...shop.issues.values()][0]!;
    for (const text of [shortId, issueId, events[0]!.id]) {
      const page = await world().page();
      await page.goto(`${world().list}?search=${text}`);
      await page.getByRole('link', { name: 'ValueError: broken job_a' }).waitFor();
      assert.equal(await page.getByRole('link', { name: /ValueError: broken job_/ }).count(), 1, text);
    }
  });

  it('says that an unknown address of a former tracker was not imported', async () => {
    const page = await world().page();
    for (const address of ['/organizations/acme/issues/99999999/', '/acme/issues/99999999', '/sub/issues/99999999/']) {
      await page.goto(address);
      await page.getByRole('heading', { name: 'Not imported' }).waitFor();
      await page.getByText('or to import again').waitFor();
    }
    await shoot(page, 'move-in-unknown');
    await assertAccessible(page);
  });

  it('keeps the addresses of projects that look like those of issues', async () => {
    await world().api('POST', '/projects', { path: 'acme/issues/frontend' });
    const page = await world().page();
    await page.goto('/acme/issues/frontend');
    await page.waitForURL(/\/acme\/issues\/frontend\/-\/error_tracking$/);
  });
});
