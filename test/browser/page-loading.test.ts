import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../support/browser-axe.ts';
import { describeWithOwnService, pass, sees, shoot } from '../support/browser.ts';

/** What Chromium says to requests that nobody answers and to code that is not there, and axe to style sheets. */
const UNANSWERED =
  /ERR_CONNECTION|ERR_SOCKET_NOT_CONNECTED|ERR_FAILED|ERR_EMPTY_RESPONSE|Failed to fetch dynamically|Couldn't load preload/;
/** Milliseconds after which a page looks again whether the service is back. */
const LOOK_MS = 2000;
const RELEASES = /assets\/ReleasesPage-[^/]*\.js$/;

const toReleases = (page: Page) => page.getByRole('link', { name: 'Releases' }).click();
const releases = (page: Page) => page.getByRole('heading', { name: 'Releases', level: 1 }).waitFor();

describeWithOwnService('pages whose files do not load', (world) => {
  it('open after an upgrade: the new version is loaded', async () => {
    const page = await world().page({ expected: UNANSWERED });
    await page.goto(world().list);
    await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    let upgraded = false;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) upgraded = true;
    });
    await page.route(/\/assets\//, (route) => (upgraded ? route.continue() : route.fulfill({ status: 404 })));
    await toReleases(page);
    await releases(page);
    assert.equal(upgraded, true);
    assert.equal(new URL(page.url()).pathname, `${world().list}/releases`);
  });

  it('are reloaded only once, and then show a message', async () => {
    const page = await world().page({ expected: UNANSWERED });
    await page.goto(world().list);
    await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.route(RELEASES, (route) => route.fulfill({ status: 404 }));
    await toReleases(page);
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    assert.equal(loads, 1);
    await assertAccessible(page);
    await shoot(page, 'page-not-loaded');
    await page.unroute(RELEASES);
    await page.getByRole('button', { name: 'Try again' }).click();
    await releases(page);
  });

  it('open without action of the user once the server is back', async () => {
    const page = await world().page({ clock: true, expected: UNANSWERED });
    await page.goto(world().list);
    await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    const start = await world().stop();
    await toReleases(page);
    await sees(page, 'The page opens when the server is back.');
    await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    await assertAccessible(page);
    await start();
    await pass(page, LOOK_MS);
    await releases(page);
    assert.equal(new URL(page.url()).pathname, `${world().list}/releases`);
  });

  it('show the menu of the project and a placeholder from the first frame', async () => {
    const page = await world().page();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/api\/v4\//, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(world().list, { waitUntil: 'commit' });
    const menu = page.getByRole('navigation', { name: 'Project' });
    await menu.waitFor();
    await page.locator('main .skeleton').waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Error Tracking' }).getAttribute('aria-current'), 'page');
    assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0);
    await shoot(page, 'first-frame');
    answer();
    await page.getByRole('heading', { name: 'Error Tracking', level: 1 }).waitFor();
    await menu.waitFor();
  });
});
