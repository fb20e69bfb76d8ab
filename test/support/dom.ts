import assert from 'node:assert/strict';
import type { DomLocator } from './dom-locator.ts';
import { DomPage } from './dom-page.ts';
import { openService, type ServiceWorld, type SuiteOptions } from './service-world.ts';

export { PASSWORD } from './browser-people.ts';
export type { DomLocator, DomPage };

export interface DomPageOptions {
  /** True: opens the page without signing in. */
  readonly stranger?: boolean;
  /** Signs in as a user created by `person`; default: the administrator. */
  readonly as?: string;
  /** Failures that the test causes; matching ones are ignored. */
  readonly expected?: RegExp;
}

/** Service and simulated pages of a suite. */
export interface DomWorld extends ServiceWorld {
  page(options?: DomPageOptions): Promise<DomPage>;
}

async function openWorld(options: SuiteOptions) {
  const { service, world, end } = await openService(options);
  const found: string[] = [];
  const pages: DomPage[] = [];

  async function page({ as, stranger = false, expected }: DomPageOptions = {}): Promise<DomPage> {
    const complain = (text: string) => {
      if (expected?.test(text) !== true && !found.includes(text)) found.push(text);
    };
    const opened = new DomPage({ url: world.url, complain });
    pages.push(opened);
    if (stranger) return opened;
    const session = await service.signedIn.take(as ?? world.service.first.username);
    opened.requests.cookies.set('errgate_session', session.id);
    return opened;
  }

  return {
    world: Object.assign(world, { page }) satisfies DomWorld,
    /** Closes the pages of a test and returns their problems. */
    async endTest(): Promise<string[]> {
      for (const one of pages.splice(0)) await one.close();
      service.signedIn.takeBack();
      return found.splice(0);
    },
    end,
  };
}

/**
 * Declares a suite for the pages in a simulated document, with the real service: what they show and send, without
 * layout, styles and the focus rules of a browser. Each test fails on a warning of Vue and on an exception in a page.
 */
export function describeInDom(title: string, body: (world: () => DomWorld) => void, options: SuiteOptions = {}): void {
  describe(title, function () {
    this.timeout(180_000);
    let opened: Awaited<ReturnType<typeof openWorld>> | null = null;

    before(async () => {
      opened = await openWorld(options);
    });
    afterEach(async () => {
      assert.deepEqual(await opened?.endTest(), []);
    });
    after(async () => {
      await opened?.end();
    });

    body(() => (opened ?? assert.fail()).world);
  });
}

/** Waits until the text is visible. */
export async function sees(page: DomPage, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}
