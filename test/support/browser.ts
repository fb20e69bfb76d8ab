import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { Complaints } from './browser-complaints.ts';
import type { SeedTarget } from './browser-seed.ts';
import { buildOnce } from './cli-process.ts';
import { startFrontProxy } from './front-proxy.ts';
import { startServiceProcess, type ServiceProcess, writeConfig } from './service-process.ts';

/** Where distributions put it. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No requests of its own: what leaves this browser was asked for by a page. */
export const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What the administrator's password is once it was changed, as it must be. */
export const PASSWORD = 'correct horse battery';

/** Milliseconds that a page may take for what a test waits for. */
const PATIENCE_MS = 10_000;

const SHOTS = '.cache/screenshots';

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
  /** Signed in as somebody whom `person` made; the administrator when left out. */
  readonly as?: string;
  /** Failures that the test itself brings about: those that match are no complaint. */
  readonly expected?: RegExp;
}

/** The service as an operator starts it, and a browser that looks at it. */
export interface BrowserWorld {
  readonly service: ServiceProcess;
  readonly url: string;
  readonly target: SeedTarget;
  /** Path of the demo project's list. */
  readonly list: string;
  page(options?: PageOptions): Promise<Page>;
  /** Makes a person of this name with `PASSWORD`, and with a role in the demo project where one is given. */
  person(username: string, accessLevel?: number): Promise<void>;
  /** Asks the REST API in the administrator's name. */
  api(method: string, path: string, body?: object): Promise<unknown>;
  /** Stops the service; the function that it answers starts it again on the same data dir and port. */
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

export interface SuiteOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Settings that have no variable, as in a file of the operator's. */
  readonly config?: object;
  /** Path that the service has behind a proxy in front of it: `/errgate`. */
  readonly subPath?: string;
  /** Whether the administrator still has the password of the first start. */
  readonly keepFirstPassword?: boolean;
}

/** Puts a password of ours in the place of the first one, which pages ask for. */
export async function changeFirstPassword(
  browser: Browser,
  url: string,
  first: { readonly username: string; readonly password: string },
): Promise<void> {
  const context = await browser.newContext();
  await signInAs(context, url, first.username, first.password);
  const { csrf_token: token } = (await (await context.request.get(`${url}/-/session`)).json()) as {
    csrf_token: string;
  };
  const answer = await context.request.put(`${url}/-/session/password`, {
    data: { current_password: first.password, password: PASSWORD },
    headers: { 'X-CSRF-Token': token, Origin: new URL(url).origin },
  });
  assert.equal(answer.status(), 200, await answer.text());
  await context.close();
}

/** Starts both; `path` is that of the browser. */
export async function openWorld(path: string, { env: given, config, keepFirstPassword, subPath }: SuiteOptions) {
  const dataDir = mkdtempSync(join(tmpdir(), 'errgate-browser-'));
  const browser = await chromium.launch({ executablePath: path, args: ARGUMENTS });
  const front = subPath === undefined ? null : await startFrontProxy(subPath);
  const env: NodeJS.ProcessEnv = { ...given, ...(front === null ? {} : { ERRGATE_EXTERNAL_URL: front.url }) };
  if (config !== undefined) {
    env.ERRGATE_CONFIG_DIR = writeConfig(dataDir, config);
  }
  let service = await startServiceProcess(dataDir, env);
  front?.to(service.url);
  const { first } = service;
  const url = first.url;
  if (keepFirstPassword !== true) await changeFirstPassword(browser, url, first);
  const contexts: BrowserContext[] = [];
  let complaints = new Complaints();

  const world: BrowserWorld = {
    get service() {
      return service;
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
      if (options.stranger !== true) await signInAs(context, url, options.as ?? first.username, PASSWORD);
      return context.newPage();
    },
    async person(username, accessLevel) {
      const password = `made for ${username}`;
      await world.api('POST', '/users', { username, password });
      await changeFirstPassword(browser, url, { username, password });
      if (accessLevel === undefined) return;
      await world.api('POST', `/projects/${first.project_id}/members`, { username, access_level: accessLevel });
    },
    async api(method, apiPath, body) {
      const answer = await fetch(`${url}/api/v4${apiPath}`, {
        method,
        headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, `${method} ${apiPath} answered ${answer.status}: ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
    async stop() {
      const { port } = new URL(service.url);
      await service.end('SIGTERM');
      return async () => {
        service = await startServiceProcess(dataDir, { ...env, ERRGATE_PORT: port });
      };
    },
  };

  return {
    world,
    /** Closes the pages of a test and answers what was wrong in them. */
    async endTest(): Promise<string[]> {
      for (const context of contexts.splice(0)) await context.close();
      const { found } = complaints;
      complaints = new Complaints();
      return found;
    },
    async close(): Promise<void> {
      await browser.close();
      await service.end('SIGTERM');
      await front?.close();
      rmSync(dataDir, { recursive: true, force: true });
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
  const path = chromiumPath();
  if (path === null) {
    describe(title, () => {
      it(`SKIPPED: no Chromium; install it (apt-get install chromium) or name it in ERRGATE_TEST_CHROMIUM`, function () {
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
      await buildOnce();
      opened = await openWorld(path, options);
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

/** Waits until the text is to be seen. */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Writes what is seen of the page, or all of it, to a folder, for people to look at. */
export async function shoot(page: Page, name: string, fullPage = false): Promise<void> {
  const path = join(SHOTS, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage });
}
