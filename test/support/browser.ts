import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { Complaints } from './browser-complaints.ts';
import { BrowserPages } from './browser-pages.ts';
import type { Session } from './browser-people.ts';
import { atRunEnd } from './run-end.ts';
import { openService, type ServiceWorld, type SuiteOptions } from './service-world.ts';

export { PASSWORD } from './browser-people.ts';

/** Paths of Chromium in common distributions. */
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Features disabled by Playwright. Chromium applies only the last such list, so ours has to include them. */
const FEATURES_OF_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Toolbars that are pages: each window would start processes for them, even when headless. */
const TOOLBAR_PAGES = ['InitialWebUI', 'PreloadTopChromeWebUI', 'WebUIReloadButton', 'WebUIToolbar'];

/** Without the compilers for code that runs for long: pages of tests do not, and these took more time than they saved. */
const JS_FLAGS = ['--no-opt', '--no-maglev'];

/** Disables requests of the browser itself, so that all requests come from pages. */
export const ARGUMENTS = [
  `--js-flags=${JS_FLAGS.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...FEATURES_OF_PLAYWRIGHT, ...TOOLBAR_PAGES].join(',')}`,
];

/** Milliseconds that a test waits for a change of a page. Long, because other programs share the processors. */
const PATIENCE_MS = 30_000;

const SHOTS = '.cache/screenshots';
/** Whether screenshots are taken. They are slow, and no test reads them. */
export const SHOOTING = (process.env.ERRGATE_TEST_SCREENSHOTS ?? '') !== '';

/** Theme and width of a page. `suffix` tells its pictures apart. */
export interface Look {
  readonly dark: boolean;
  readonly phone: boolean;
  readonly suffix: string;
}

const look = (dark: boolean, phone: boolean): Look => ({
  dark,
  phone,
  suffix: `-${dark ? 'dark' : 'light'}${phone ? '-phone' : ''}`,
});

/** Whether every pair of theme and width is checked, in every check: with pictures, and in `npm run test:full`. */
export const EVERY_LOOK = SHOOTING || process.env.ERRGATE_TEST_LOOKS === 'all';

/** Looks in which pages are checked: each theme and each width once, because colours do not depend on the width. */
export const LOOKS: readonly Look[] = EVERY_LOOK
  ? [look(false, false), look(true, false), look(false, true), look(true, true)]
  : [look(false, false), look(true, true)];

export function chromiumPath(): string | null {
  const given = process.env.ERRGATE_TEST_CHROMIUM ?? '';
  if (given !== '') return given;
  return USUAL_PLACES.find((path) => existsSync(path)) ?? null;
}

export interface PageOptions {
  readonly dark?: boolean;
  readonly phone?: boolean;
  /** True: opens the page without signing in. */
  readonly stranger?: boolean;
  /** Signs in as a user created by `person`; default: the administrator. */
  readonly as?: string;
  /** True: `pass` can advance the clock of the page, which also runs in real time. */
  readonly clock?: boolean;
  /** Failures that the test causes; matching ones are ignored. */
  readonly expected?: RegExp;
}

/** Service and browser of a suite. */
export interface BrowserWorld extends ServiceWorld {
  page(options?: PageOptions): Promise<Page>;
}

/** Adds the cookie of a signed-in user to the context. */
export async function signInAs(
  context: BrowserContext,
  url: string,
  username: string,
  password: string,
): Promise<void> {
  const answer = await context.request.post(`${url}/-/session`, {
    data: { username, password },
    headers: { Origin: new URL(url).origin },
  });
  assert.equal(answer.status(), 200, await answer.text());
}

let launched: Promise<Browser> | undefined;
let pages: BrowserPages | undefined;

/** Pages of the browser that all suites of this process share. */
async function sharedPages(): Promise<BrowserPages> {
  if (launched === undefined) {
    const executablePath = chromiumPath() ?? assert.fail('no browser: name one by ERRGATE_TEST_CHROMIUM');
    launched = chromium.launch({ executablePath, args: ARGUMENTS });
    // If this process ends early, Playwright ends the browser.
    atRunEnd(async () => (await launched)?.close());
  }
  const browser = await launched;
  return (pages ??= new BrowserPages(browser));
}

/** Gives a context the cookie of a session. */
async function addSession(context: BrowserContext, url: string, { id, path }: Session): Promise<void> {
  const { hostname } = new URL(url);
  await context.addCookies([
    { name: 'errgate_session', value: id, domain: hostname, path, httpOnly: true, sameSite: 'Lax' },
  ]);
}

/** Starts the browser and the service unless they are running. */
export async function openWorld(options: SuiteOptions) {
  const shared = await sharedPages();
  const { service, world: served, own, end } = await openService(options);
  const { url } = served;
  let complaints = new Complaints();

  async function openPage(given: PageOptions = {}): Promise<Page> {
    const { dark = false, phone = false, clock = false } = given;
    const { context, page } = await shared.take({ url, dark, phone }, !clock);
    context.setDefaultTimeout(PATIENCE_MS);
    complaints.watch(context, url, given.expected);
    if (given.stranger !== true)
      await addSession(context, url, await service.signedIn.take(given.as ?? served.service.first.username));
    if (clock) await page.clock.install();
    return page;
  }

  return {
    // The object itself gets the function: its service changes when it is started again.
    world: Object.assign(served, { page: openPage }) satisfies BrowserWorld,
    /** Closes the pages of a test and returns their problems. */
    async endTest(): Promise<string[]> {
      const { found } = complaints;
      complaints.end();
      await shared.takeBack();
      service.signedIn.takeBack();
      complaints = new Complaints();
      return found;
    },
    async close(): Promise<void> {
      if (own) await shared.close(url);
      await end();
    },
  };
}

/**
 * Declares a suite for the built pages in a real browser, with the real service. Each test fails on a violation of
 * the Content-Security-Policy, an exception in a page, or a request to another host. Prints a notice if no browser is
 * installed, and skips the suite.
 */
export function describeInBrowser(
  title: string,
  body: (world: () => BrowserWorld) => void,
  options: SuiteOptions = {},
): void {
  if (chromiumPath() === null) {
    describe(title, () => {
      it(`SKIPPED: no Chromium; install it (apt-get install chromium-headless-shell) or name it in ERRGATE_TEST_CHROMIUM`, function () {
        console.log(`      ${title}: skipped, there is no Chromium; install it or set ERRGATE_TEST_CHROMIUM`);
        this.skip();
      });
    });
    return;
  }
  describe(title, function () {
    this.timeout(180_000);
    let opened: Awaited<ReturnType<typeof openWorld>> | null = null;

    before(async function () {
      this.timeout(180_000);
      opened = await openWorld(options);
    });
    afterEach(async () => {
      assert.deepEqual(await opened?.endTest(), []);
    });
    after(async () => {
      await opened?.close();
    });

    body(() => {
      assert.ok(opened !== null);
      return opened.world;
    });
  });
}

/** Declares a suite that stops its service, or reads data of the whole instance such as users or health. */
export function describeWithOwnService(title: string, body: (world: () => BrowserWorld) => void): void {
  describeInBrowser(title, body, { ownService: true });
}

/** Waits until the text is visible. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Navigates within the pages like a link, without a reload. */
export async function follow(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(path);
  await page.evaluate(
    `history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate', { state: null }))`,
  );
}

/** Advances the clock of a page by `milliseconds` and runs its timers. */
export async function pass(page: Page, milliseconds: number): Promise<void> {
  await page.clock.fastForward(milliseconds);
}

/**
 * Saves a screenshot of the visible part, or of the full page, if `SHOOTING`. `take`: takes it where the driver cannot.
 */
export async function shoot(
  page: Page,
  name: string,
  fullPage = false,
  take = (whole: boolean): Promise<Buffer> => page.screenshot({ fullPage: whole }),
): Promise<void> {
  if (!SHOOTING) return;
  const path = join(SHOTS, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await take(fullPage));
}
