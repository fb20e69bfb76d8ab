import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeInBrowser, pass, sees, shoot } from '../support/browser.ts';
import { startFakeTracker, type FakeTracker } from '../support/fake-tracker/fake-tracker.ts';
import { faults } from '../support/fake-tracker/faults.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

const TOKEN = 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const TITLE = 'ValueError: it broke over there';
/** Milliseconds after which both pages have asked again. */
const POLL_MS = 6000;
const STALE = /The external tracker does not respond\. Data as of (just now|\d+ (s|min) ago)/;

describeInBrowser(
  'a project with an external tracker',
  (world) => {
    let tracker: FakeTracker;

    before(async () => {
      tracker = await startFakeTracker('Sentry 26', { lessons: 20 });
      const shop = tracker.world.addProject('acme', 'shop');
      tracker.world.addToken(TOKEN);
      const at = Date.now() - 60_000;
      tracker.world.addIssue(shop, {
        title: TITLE,
        type: 'ValueError',
        culprit: 'checkout.pay in charge',
        events: [{ at: at - 3_600_000, user: 'ada', environment: 'over there' }, { at }],
      });
      const another = tracker.world.addIssue(shop, { title: 'Another one', events: [{ at: at - 7_200_000 }] });
      another.substatus = 'regressed';
      await world().api('PUT', '/projects/demo%2Fshop/error_tracking/settings/thirdparty', {
        active: true,
        api_host: tracker.origin,
        token: TOKEN,
        organization_slug: 'acme',
        project_slug: 'shop',
      });
    });
    afterEach(() => {
      tracker.heal();
      tracker.assertClean();
    });
    after(() => tracker.close());

    /** Waits until the issue has a status in the tracker. */
    const becomes = (status: string) =>
      eventually(
        async () => tracker.world.issues.find(({ title }) => title === TITLE)?.status,
        (now) => now === status,
      );

    const openDetails = async (page: Page) => {
      await page.goto(world().list);
      await page.getByRole('link', { name: TITLE }).click();
      await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
    };

    it('offers what the tracker takes: releases, conditions and all events', async () => {
      const page = await world().page();
      await page.goto(world().list);
      const row = page.getByRole('row', { name: /ValueError/ });
      await row.waitFor();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.getByText('Select the page, then nothing').waitFor();
      await help.getByText('Ignore until…').waitFor();
      assert.equal(await help.getByText('Assign…').count(), 0);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'hidden' });
      await row.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Resolve in a release' }).click();
      await page.getByRole('menuitem', { name: /^In the next release/ }).waitFor();
      await page.keyboard.press('Escape');

      await openDetails(page);
      await page.getByRole('button', { name: 'Resolve in…' }).click();
      await page.getByRole('menuitem', { name: /^In the newest release/ }).waitFor();
      await page.getByRole('menuitem', { name: /^In a commit/ }).click();
      await page.getByText('The tracker has to know the repository and the commit.').waitFor();
      await shoot(page, 'tracker-commit');
      await assertAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'All events' }).click();
      await page.getByRole('region', { name: 'Events' }).getByRole('row').nth(2).waitFor();
      assert.equal(await page.getByRole('search', { name: 'Filter events' }).count(), 0);
      await shoot(page, 'tracker-events');
      await assertAccessible(page);
      await page.goBack();
      await page.getByRole('button', { name: 'Ignore until…' }).click();
      await page.getByRole('button', { name: /^For a week/ }).click();
      await sees(page, /Ignored until/);
      const undo = page.getByRole('button', { name: 'Undo', exact: true });
      // Keeps the message on display.
      await undo.hover();
      await becomes('ignored');
      await undo.click();
      await page.getByRole('button', { name: 'Ignore', exact: true }).waitFor();
      await becomes('unresolved');
    });

    it('says that the tracker does the search, and suggests the environments of the shown errors', async () => {
      const page = await world().page();
      await page.goto(world().list);
      await page.getByRole('link', { name: TITLE }).waitFor();
      await page.getByPlaceholder('Search in the tracker…').waitFor();
      await page.getByLabel('Environment', { exact: true }).focus();
      await page.locator('#known-environments option[value="over there"]').waitFor({ state: 'attached' });
    });

    it('offers no merging, which the tracker does itself', async () => {
      const page = await world().page();
      await page.goto(world().list);
      await page.getByRole('link', { name: TITLE }).waitFor();
      const answered = page.waitForResponse((response) => response.url().endsWith('/capabilities'));
      await page.getByRole('link', { name: TITLE }).click();
      await (await answered).finished();
      await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'More actions' }).count(), 0);
    });

    it('has no releases page, and says so at its address', async () => {
      const page = await world().page();
      const answered = page.waitForResponse((response) => response.url().endsWith('/capabilities'));
      await page.goto(`${world().list}/releases`);
      await page.getByRole('heading', { name: 'Not supported by the external tracker' }).waitFor();
      await (await answered).finished();
      const menu = page.getByRole('navigation', { name: 'Project' });
      assert.equal(await menu.getByRole('link', { name: 'Releases' }).isDisabled(), true);
      await shoot(page, 'tracker-releases');
      await assertAccessible(page);
      // Applications with a DSN of before are counted, for they are turned away.
      await menu.getByRole('link', { name: 'Usage' }).click();
      await page.getByRole('heading', { name: 'Nothing was sent' }).waitFor();
      await shoot(page, 'tracker-outcomes');
      await world().api('POST', '/projects', { path: 'acme/stored-here' });
      await world().api('PUT', '/projects/acme%2Fstored-here/error_tracking/settings', {
        active: true,
        integrated: true,
      });
      await page.goto('/acme/stored-here/-/error_tracking');
      await menu.getByRole('link', { name: 'Releases' }).click();
      await page.getByRole('heading', { name: 'No releases yet' }).waitFor();
    });

    it('shows its list and details, links to the tracker, and resolves errors there', async () => {
      for (const [suffix, options] of [
        ['', {}],
        ['-dark-phone', { dark: true, phone: true }],
      ] as const) {
        const page = await world().page(options);
        await page.goto(world().list);
        await sees(page, 'Another one');
        const mark = page.locator('.mark', { hasText: 'Regressed' });
        assert.equal(await mark.getAttribute('title'), 'It came back. The external tracker does not say since when');
        await shoot(page, `tracker-list${suffix}`);
        await assertAccessible(page);
        await openDetails(page);
        await sees(page, 'Stack trace');
        const link = page.getByRole('link', { name: 'Open in the tracker' });
        assert.ok((await link.getAttribute('href'))?.startsWith(`${tracker.origin}/organizations/acme/issues/`));
        assert.match((await link.getAttribute('rel')) ?? '', /noreferrer/);
        await shoot(page, `tracker-details${suffix}`);
        await assertAccessible(page);
        await assertFits(page);
      }
      const page = await world().page();
      await openDetails(page);
      await page.getByRole('button', { name: 'Resolve', exact: true }).click();
      await becomes('resolved');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await becomes('unresolved');
    });

    it('shows its copy with its age while the tracker is down, and recovers when it is back', async () => {
      // The change is refused while the tracker is down.
      const list = await world().page({ clock: true });
      const details = await world().page({ clock: true, expected: /502/ });
      /** Lets the pages ask until what is awaited is there; the service holds what the tracker said for a second. */
      const asking = async (there: (page: Page) => Promise<boolean>) => {
        for (const page of [list, details]) {
          await eventually(
            async () => {
              await pass(page, POLL_MS);
              return there(page);
            },
            (is) => is,
          );
        }
      };
      await list.goto(world().list);
      await sees(list, TITLE);
      await openDetails(details);
      await sees(details, 'Stack trace');
      tracker.fail(faults.reset());
      await asking((page) => page.getByText(STALE).first().isVisible());
      await sees(list, 'Another one');
      await details.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
      await shoot(list, 'tracker-list-stale');
      await shoot(details, 'tracker-details-stale');
      for (const page of [list, details]) await assertAccessible(page);
      await details.getByRole('button', { name: 'Resolve', exact: true }).click();
      await sees(details, 'Failed to update the status.');
      tracker.heal();
      await asking(async (page) => (await page.getByText(STALE).count()) === 0);
    });

    it('says that the tracker is down where there is no copy', async () => {
      const page = await world().page({ expected: /502|503|504/ });
      tracker.fail(faults.reset());
      await page.goto(`${world().list}?search=never+asked+before`);
      await sees(page, 'The external tracker does not respond');
      await shoot(page, 'tracker-down');
      await assertAccessible(page);
      tracker.heal();
      const again = page.getByRole('button', { name: 'Try again' });
      await eventually(
        async () => {
          if (await again.isVisible()) await again.click({ timeout: 2000 }).catch(() => undefined);
          return page.getByText('No unresolved errors match').isVisible();
        },
        (is) => is,
      );
    });
  },
  { env: { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' }, config: { thirdparty: { freshSeconds: 1 } } },
);
