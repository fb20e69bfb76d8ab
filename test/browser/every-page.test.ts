import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { seedProject } from '../support/browser-seed.ts';
import { describeWithOwnService, follow, type Look, LOOKS, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { eventually } from '../support/service-process.ts';

/** Everything that can be opened by an address, but for one error and for signing in. */
const PAGES = {
  start: '/',
  list: '/demo/shop/-/error_tracking',
  setup: '/demo/shop/-/error_tracking/setup',
  releases: '/demo/shop/-/error_tracking/releases',
  uploads: '/demo/shop/-/error_tracking/uploads',
  'user-reports': '/demo/shop/-/error_tracking/user_reports',
  outcomes: '/demo/shop/-/error_tracking/outcomes',
  settings: '/demo/shop/-/settings/operations',
  alerts: '/demo/shop/-/settings/alerts',
  members: '/demo/shop/-/project_members',
  audit: '/demo/shop/-/audit_events',
  groups: '/-/groups',
  group: '/-/groups/demo',
  'group-audit': '/-/groups/demo/-/audit_events',
  profile: '/-/profile',
  'admin-users': '/admin/users',
  'admin-projects': '/admin/projects',
  'admin-outcomes': '/admin/outcomes',
  'admin-audit': '/admin/audit_events',
  'admin-health': '/admin/health',
  missing: '/no/such/page/at/all',
} as const;

async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
}

/** Opens a page of another component. The address changes before the page before is gone. */
async function open(page: Page, path: string): Promise<void> {
  await page.evaluate("window.__left = document.querySelector('h1')");
  await follow(page, path);
  await page.waitForURL(`**${path}`);
  await eventually(
    () => page.evaluate('window.__left.isConnected'),
    (isThere) => isThere === false,
  );
}

async function looksWell(page: Page, name: string, { suffix }: Look): Promise<void> {
  await loaded(page);
  await shoot(page, `every-page/${name}${suffix}`, true);
  await assertAccessible(page, true);
  await assertFits(page, name);
}

describeWithOwnService('every page', (world) => {
  before(async () => {
    await seedProject(world().target);
    await eventually(
      () => world().api('GET', '/projects/demo%2Fshop/error_tracking/errors?status=unresolved') as Promise<unknown[]>,
      (errors) => errors.length >= 10,
    );
  });

  for (const variant of LOOKS) {
    const { dark, phone } = variant;
    it(`works, fits the screen and passes the accessibility check: ${dark ? 'dark' : 'light'}, ${phone ? 'phone' : 'desktop'}`, async () => {
      const page = await world().page({ dark, phone, expected: /no\/such\/page/ });
      await page.goto(PAGES.start);
      for (const [name, path] of Object.entries(PAGES)) {
        if (name !== 'start') await open(page, path);
        await looksWell(page, name, variant);
      }
      await follow(page, `${PAGES.list}?search=PaymentError`);
      await page
        .getByRole('link', { name: /PaymentError/ })
        .first()
        .click();
      await page.locator('[aria-label^="Stack trace"] .function').first().waitFor();
      await looksWell(page, 'details', variant);
      const stranger = await world().page({ dark, phone, stranger: true });
      await stranger.goto('/users/sign_in');
      await looksWell(stranger, 'sign-in', variant);
    }).timeout(400_000);
  }
});
