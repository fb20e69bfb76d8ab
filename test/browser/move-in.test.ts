import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { CONNECTED, connectButton, fillInTracker, saveButton } from '../support/browser-tracker-form.ts';
import { describeInBrowser, sees, shoot } from '../support/browser.ts';
import { type FakeSource, startFakeSource } from '../support/fake-source/fake-source.ts';
import type { SourceProject } from '../support/fake-source/source-records.ts';

const TOKEN = 'c0ffee00'.repeat(8);
const ERRORS = 12;
const DAY_MS = 86_400_000;

function bodyOf(index: number) {
  const name = `job_${String.fromCharCode(97 + index)}`;
  const frame = { filename: `shop/${name}.py`, module: `shop.${name}`, function: name, in_app: true, lineno: 7 };
  return {
    platform: 'python',
    level: 'error',
    transaction: `shop.${name}`,
    exception: { values: [{ type: 'ValueError', value: `broken ${name}`, stacktrace: { frames: [frame] } }] },
  };
}

describeInBrowser(
  'moving in from a linked tracker',
  (world) => {
    let source: FakeSource;
    let shop: SourceProject;
    let issueId: string;

    before(async () => {
      source = await startFakeSource('sentry');
      source.world.addToken(TOKEN);
      shop = source.world.addProject('shop', { id: '470011' });
      for (let index = 0; index < ERRORS; index += 1) {
        const issue = source.world.addIssue(shop, {
          bodies: [{ body: bodyOf(index), at: Date.now() - (index + 1) * DAY_MS }],
          count: 1000 + index,
          status: index === 3 ? 'resolved' : 'unresolved',
        });
        if (index === 0) issueId = issue.id;
      }
    });
    after(() => source.close());

    const settings = () => `/${world().service.first.project_path}/-/settings/operations`;

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

    it('leads from Connect to an integrated project with its history', async () => {
      const page = await world().page();
      await connect(page);
      const card = page.getByRole('region', { name: 'Move in' });
      await card.getByRole('button', { name: 'Import history' }).waitFor();
      await shoot(page, 'move-in-before');
      await assertAccessible(page);
      await card.getByRole('button', { name: 'Import history' }).click();
      await card.getByRole('status').getByText('Running').or(card.getByRole('status').getByText('Done')).waitFor();
      await card.getByRole('status').getByText('Done').waitFor({ timeout: 30_000 });
      await sees(page, `${ERRORS} errors were imported.`);
      await card.getByRole('rowheader', { name: 'Errors', exact: true }).waitFor();
      await sees(page, 'Your applications still send to the old tracker');
      await shoot(page, 'move-in-done');
      await assertAccessible(page);

      await card.getByRole('button', { name: 'Switch to integrated…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Switch to integrated' });
      await shoot(page, 'move-in-switch');
      await assertAccessible(page);
      await dialog.getByRole('button', { name: 'Switch', exact: true }).click();
      await sees(page, 'errgate stores the errors of this project now');
      assert.ok(await page.getByRole('radio', { name: 'Integrated' }).isChecked());
      const { integrated, api_url: apiUrl } = (await world().api(
        'GET',
        `/projects/${encodeURIComponent(world().service.first.project_path)}/error_tracking/settings`,
      )) as { integrated: boolean; api_url: string | null };
      assert.deepEqual([integrated, apiUrl], [true, null]);

      await page.goto(world().list);
      await page.getByRole('link', { name: 'ValueError: broken job_a' }).waitFor();
      await shoot(page, 'move-in-list');
      source.assertClean();
    });

    it('leads an address of the former tracker to the imported error', async () => {
      const page = await world().page();
      await page.goto(`/organizations/acme/issues/${issueId}/?project=470011`);
      await page.getByRole('heading', { level: 1, name: 'broken job_a' }).waitFor();
      const origin = page.getByRole('region', { name: 'Imported from Sentry' });
      await origin.getByText('1,000 events').waitFor();
      assert.match(await origin.innerText(), new RegExp(issueId));
      await shoot(page, 'move-in-error');
      await assertAccessible(page);
    });

    it('says that an unknown address of a former tracker was not imported', async () => {
      const page = await world().page();
      await page.goto('/organizations/acme/issues/99999999/');
      await page.getByRole('heading', { name: 'Not imported' }).waitFor();
      await shoot(page, 'move-in-unknown');
      await assertAccessible(page);
    });
  },
  { env: { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' } },
);
