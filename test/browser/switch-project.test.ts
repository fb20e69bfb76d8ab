import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { closedGate } from '../support/gate.ts';
import { describeInBrowser, LOOKS, shoot } from '../support/browser.ts';
import { assertFits } from '../support/page-width.ts';
import { itInFullRun } from '../support/full-run.ts';

/** More than are shown at once. */
const MANY = 110;
const REPORTER = 20;
const OWNER = 50;
/** What the choice is read from. */
const PROJECTS = /\/api\/v4\/error_tracking\/projects\?/;

const opener = (page: Page) => page.getByRole('button', { name: /^Switch project/ });
const choice = (page: Page) => page.getByRole('dialog', { name: 'Switch project' });
const options = (page: Page) => choice(page).getByRole('option');
const arrived = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);

describeInBrowser('the switch between projects', (world) => {
  const found = new Map<string, number>();

  before(async () => {
    for (const path of ['acme/billing', 'acme/web', 'beta/hidden']) {
      const { id } = (await world().api('POST', '/projects', { path })) as { id: number };
      found.set(path, id);
    }
    await world().person('ada', OWNER);
    const ada = (await world().api('GET', '/users?username=ada')) as { id: number }[];
    for (const [path, level] of [
      ['acme/billing', OWNER],
      ['acme/web', REPORTER],
    ] as const) {
      await world().api('POST', `/projects/${found.get(path)}/members`, { user_id: ada[0]?.id, access_level: level });
    }
  });

  it('gives the exact number of errors up to 10,000', async () => {
    const page = await world().page();
    await page.route(PROJECTS, async (route) => {
      const response = await route.fetch();
      const overviews = (await response.json()) as object[];
      return route.fulfill({ response, json: overviews.map((one) => ({ ...one, unresolved_count: 5200 })) });
    });
    await page.goto('/demo/shop/-/project_members');
    await page.getByRole('heading', { name: 'Members', exact: true }).waitFor();
    await opener(page).focus();
    await page.keyboard.press('Enter');
    await options(page).filter({ hasText: '5,200 unresolved' }).first().waitFor();
  });

  it('stays on the page, works by keyboard, and offers only accessible projects', async () => {
    const page = await world().page({ as: 'ada' });
    await page.goto('/demo/shop/-/project_members');
    await opener(page).focus();
    await page.keyboard.press('Enter');
    await options(page).first().waitFor();
    assert.deepEqual(
      (await options(page).locator('.names .muted').allTextContents()).map((text) => text.trim()),
      ['acme/billing', 'acme/web', 'demo/shop'],
    );
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await choice(page).waitFor({ state: 'detached' });
    assert.equal(await opener(page).evaluate('document.activeElement.matches(".switcher")'), true);
    await page.keyboard.press('Enter');
    await options(page).first().waitFor();
    await page.keyboard.type('bill');
    await options(page).filter({ hasText: 'acme/web' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await arrived(page, '/acme/billing/-/project_members');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    assert.match((await opener(page).textContent()) ?? '', /billing/);
  });

  it('opens the project typed before the list arrived, unless the text was changed', async () => {
    const page = await world().page({ as: 'ada' });
    await page.goto('/demo/shop/-/project_members');
    let gate = closedGate();
    await page.route(PROJECTS, async (route) => {
      await gate.passed;
      await route.continue();
    });
    const enterEarly = async (...keys: readonly string[]): Promise<void> => {
      gate = closedGate();
      await opener(page).focus();
      await page.keyboard.press('Enter');
      await choice(page).getByRole('combobox').waitFor();
      for (const key of keys) await (key === 'Enter' ? page.keyboard.press(key) : page.keyboard.type(key));
      gate.open();
    };
    await enterEarly('web', 'Enter', '\u0020');
    await options(page).filter({ hasText: 'acme/web' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/demo/shop/-/project_members');
    await page.keyboard.press('Escape');
    await choice(page).waitFor({ state: 'detached' });
    // The dialog is gone before its `close` event has run, which would close one that opens meanwhile.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
    await enterEarly('bill', 'Enter');
    await arrived(page, '/acme/billing/-/project_members');
  });

  it('leads to the list where the user may not see the same page of the other project', async () => {
    const page = await world().page({ as: 'ada' });
    await page.goto('/demo/shop/-/settings/operations');
    await opener(page).click();
    await options(page).filter({ hasText: 'acme/billing' }).click();
    await arrived(page, '/acme/billing/-/settings/operations');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await opener(page).click();
    await options(page).filter({ hasText: 'acme/web' }).click();
    await arrived(page, '/acme/web/-/error_tracking');
  });

  it('stays open on a phone where it was opened before the page loaded', async () => {
    const page = await world().page({ phone: true });
    const gate = closedGate();
    await page.route(/ErrorListPage-.*\.js$/, async (route) => {
      await gate.passed;
      await route.continue();
    });
    await page.goto(world().list, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    gate.open();
    await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    await opener(page).click();
    await options(page).filter({ hasText: 'acme/web' }).click();
    await arrived(page, '/acme/web/-/error_tracking');
    await page.getByRole('button', { name: 'Open navigation' }).waitFor();
  });

  itInFullRun('works with hundreds of projects, also on a phone', async () => {
    const paths = Array.from({ length: MANY }, (_, index) => `many/service-${String(index).padStart(3, '0')}`);
    await Promise.all(paths.map((path) => world().api('POST', '/projects', { path })));
    for (const { suffix, dark, phone } of LOOKS) {
      const page = await world().page({ dark, phone });
      await page.goto(world().list);
      if (phone) await page.getByRole('button', { name: 'Open navigation' }).click();
      await opener(page).click();
      await choice(page)
        .getByText(/^The first 100 of 11\d projects\. Type to search\.$/)
        .waitFor();
      assert.equal(await options(page).count(), 100);
      await shoot(page, `switch-project${suffix}`);
      await assertAccessible(page, true);
      await assertFits(page);
      await choice(page).getByRole('combobox').fill('service-109');
      await options(page).filter({ hasText: 'service-000' }).waitFor({ state: 'detached' });
      assert.equal(await options(page).count(), 1);
      await options(page).click();
      await arrived(page, '/many/service-109/-/error_tracking');
    }
  });
});
