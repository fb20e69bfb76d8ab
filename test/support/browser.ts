import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { Complaints } from './browser-complaints.ts';
import type { SeedTarget } from './browser-seed.ts';
import { PagesService, sharedService, type ServiceOptions } from './browser-service.ts';
import { atRunEnd } from './run-end.ts';
import type { StartedService } from './service-process.ts';

export { PASSWORD } from './browser-people.ts';

/** Where distributions put it. */
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** What Playwright switches off. Chromium takes the last list of switched off features only. */
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

/** Toolbars that are pages themselves: each window begins a process for them, also where nothing is shown. */
const TOOLBAR_PAGES = ['InitialWebUI', 'PreloadTopChromeWebUI', 'WebUIReloadButton', 'WebUIToolbar'];

/** Switches off requests of the browser itself: all remaining ones come from pages. */
export const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...FEATURES_OF_PLAYWRIGHT, ...TOOLBAR_PAGES].join(',')}`,
];

/** Milliseconds that a page may take for what a test waits for. */
const PATIENCE_MS = 10_000;

const SHOTS = '.cache/screenshots';
/** Whether pictures are taken: they take a good part of the time of all tests, and only people look at them. */
export const SHOOTING = (process.env.ERRGATE_TEST_SCREENSHOTS ?? '') !== '';

export function chromiumPath(): string | null {
  const given = process.env.ERRGATE_TEST_CHROMIUM ?? '';
  if (given !== '') return given;
  return USUAL_PLACES.find((path) => existsSync(path)) ?? null;
}

export interface PageOptions {
  readonly dark?: boolean;
  readonly phone?: boolean;
  /** Not signed in. */
  readonly stranger?: boolean;
  /** Signs in as a user created by `person`; default: the administrator. */
  readonly as?: string;
  /** True: `pass` can advance the clock of the page, which also runs in real time. */
  readonly clock?: boolean;
  /** Failures that the test itself brings about: those that match are no complaint. */
  readonly expected?: RegExp;
}

/** A service as an operator starts it, and a browser that looks at it. */
export interface BrowserWorld {
  readonly service: StartedService;
  readonly url: string;
  readonly target: SeedTarget;
  /** Path of the demo project's list. The path of the project is the same in every suite, its id is not. */
  readonly list: string;
  page(options?: PageOptions): Promise<Page>;
  /** Makes a person of this name with `PASSWORD`, and with a role in the demo project where one is given. */
  person(username: string, accessLevel?: number): Promise<void>;
  /** Asks the REST API in the administrator's name. */
  api(method: string, path: string, body?: object): Promise<unknown>;
  /** Stops the suite's own service; the function that it answers starts it again on the same data dir and port. */
  stop(): Promise<() => Promise<void>>;
}

/** Signs the context in. */
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

export interface SuiteOptions extends ServiceOptions {
  /**
   * True: starts a separate service for the suite; any other option implies it. Other suites of a process share one
   * service, each with a new demo project as the only project.
   */
  readonly ownService?: boolean;
}

let launched: Promise<Browser> | undefined;

/** The browser of all suites of this process. */
async function sharedBrowser(): Promise<Browser> {
  if (launched === undefined) {
    const executablePath = chromiumPath() ?? assert.fail('no browser: name one by ERRGATE_TEST_CHROMIUM');
    launched = chromium.launch({ executablePath, args: ARGUMENTS });
    // Where this process ends before, Playwright ends the browser.
    atRunEnd(async () => (await launched)?.close());
  }
  return launched;
}

async function givenService(options: SuiteOptions) {
  if (Object.keys(options).length > 0) {
    const service = await PagesService.start(options);
    return { service, first: service.process.first, own: true };
  }
  const service = await sharedService();
  return { service, first: await service.startAgain(), own: false };
}

/** Starts both where they do not run yet. */
export async function openWorld(options: SuiteOptions) {
  const browser = await sharedBrowser();
  const { service, first, own } = await givenService(options);
  const { url } = service;
  const contexts: BrowserContext[] = [];
  let complaints = new Complaints();

  const world: BrowserWorld = {
    get service() {
      return { ...service.process, first };
    },
    url,
    target: { url, dsn: first.dsn },
    list: `/${first.project_path}/-/error_tracking`,
    async page(options = {}) {
      const context = await browser.newContext({
        baseURL: url,
        colorScheme: options.dark === true ? 'dark' : 'light',
        viewport: options.phone === true ? { width: 390, height: 844 } : { width: 1360, height: 850 },
        ...(options.phone === true ? { isMobile: true, hasTouch: true } : {}),
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      const { expected } = options;
      complaints.watch(context, url, expected);
      if (options.stranger !== true) await service.signedIn.give(context, options.as ?? first.username);
      const page = await context.newPage();
      if (options.clock === true) await page.clock.install();
      return page;
    },
    async person(username, accessLevel) {
      await service.person(username);
      if (accessLevel === undefined) return;
      await service.api('POST', `/projects/${first.project_id}/members`, { username, access_level: accessLevel });
    },
    api: (method, path, body) => service.api(method, path, body),
    stop() {
      assert.ok(own, 'others need this service too: give the suite its own');
      return service.stop();
    },
  };

  return {
    world,
    /** Closes the pages of a test and answers what was wrong in them. */
    async endTest(): Promise<string[]> {
      for (const context of contexts.splice(0)) await context.close();
      service.signedIn.takeBack();
      const { found } = complaints;
      complaints = new Complaints();
      return found;
    },
    async close(): Promise<void> {
      if (own) await service.end();
    },
  };
}

/**
 * A suite that looks at the built pages in a real browser, served by the real service. Every test fails that violates
 * the Content-Security-Policy, throws in a page, or asks another host for anything. Without a browser it says loudly
 * that it was skipped.
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
    this.timeout(60_000);
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

/** A suite that stops its service, or looks at what is of the whole instance, such as people and health. */
export function describeWithOwnService(title: string, body: (world: () => BrowserWorld) => void): void {
  describeInBrowser(title, body, { ownService: true });
}

/** Waits until the text is to be seen. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Goes to another address of the pages as a link in them would, without loading them again. */
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

/** Writes what is seen of the page, or all of it, to a folder, for people to look at, where they ask for it. */
export async function shoot(page: Page, name: string, fullPage = false): Promise<void> {
  if (!SHOOTING) return;
  const path = join(SHOTS, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage });
}
