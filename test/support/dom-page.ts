import assert from 'node:assert/strict';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { Window } from 'happy-dom';
import { inspect } from 'node:util';
import { Script } from 'node:vm';
import { runProgram } from './dom-program.ts';
import {
  DomLocator,
  pressKey,
  type LocatorPage,
  type MatchOptions,
  type RoleOptions,
  type TextMatch,
} from './dom-locator.ts';
import { DomRequests, type Pattern, type RouteHandler } from './dom-requests.ts';
import { addMissingParts, type PageGlobals } from './dom-window.ts';

/** Milliseconds that a test waits for a change of a page. Long, because other programs share the processors. */
const PATIENCE_MS = 30_000;
/** Milliseconds between two looks at a page that does not change. */
const REST_MS = 50;

const DOCUMENT =
  '<!doctype html><html lang="en"><head><base href="/" /></head><body><div id="app"></div></body></html>';

interface OpenWindow {
  readonly window: PageGlobals;
  readonly user: UserEvent;
  readonly close: () => Promise<void>;
}

export interface DomPageOptions {
  /** Address of the service. */
  readonly url: string;
  readonly complain: (text: string) => void;
}

/**
 * Page of the service in a simulated document: the program of the pages, real answers, no layout and no styles. Has the
 * part of Playwright's `Page` that component tests need. Each load starts the program again.
 */
export class DomPage implements LocatorPage {
  readonly requests: DomRequests;
  readonly #options: DomPageOptions;
  readonly #stored = new Map<string, string>();
  #open: OpenWindow | null = null;

  constructor(options: DomPageOptions) {
    this.#options = options;
    this.requests = new DomRequests(options.url, options.complain);
  }

  get window(): PageGlobals {
    return (this.#open ?? assert.fail('no page was opened')).window;
  }

  get user(): UserEvent {
    return (this.#open ?? assert.fail('no page was opened')).user;
  }

  get root(): Element {
    return this.window.document.documentElement as unknown as Element;
  }

  /** Loads the program at a path. */
  async goto(path: string): Promise<void> {
    await this.close();
    const { complain, url } = this.#options;
    // Further parts are components and traces.
    const tell = (text: unknown) => complain(`console: ${typeof text === 'string' ? text : inspect(text)}`);
    const window = new Window({
      url: new URL(path, url).href,
      width: 1360,
      height: 850,
      console: Object.assign(Object.create(console) as Console, { warn: tell, error: tell }),
      settings: {
        enableJavaScriptEvaluation: true,
        suppressInsecureJavaScriptEnvironmentWarning: true,
        navigation: {
          disableMainFrameNavigation: true,
          disableChildFrameNavigation: true,
          disableChildPageNavigation: true,
        },
      },
    }) as PageGlobals;
    const release = addMissingParts(window, this.requests.send);
    window.document.write(DOCUMENT);
    for (const [name, value] of this.#stored) window.localStorage.setItem(name, value);
    const user = userEvent.setup({
      document: window.document as unknown as Document,
      delay: null,
      pointerEventsCheck: 0,
    });
    this.requests.beginPage();
    const unmount = await runProgram(window);
    this.#open = {
      window,
      user,
      close: async () => {
        for (let index = 0; index < window.localStorage.length; index += 1) {
          const name = window.localStorage.key(index) ?? '';
          this.#stored.set(name, window.localStorage.getItem(name) ?? '');
        }
        this.requests.endPage();
        unmount();
        release();
        await window.happyDOM.close();
      },
    };
  }

  async reload(): Promise<void> {
    await this.goto(this.url());
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.close();
  }

  /** Runs a script in the page and returns its value. */
  async evaluate<T>(script: string): Promise<T> {
    // Values of the page have other classes than those of the test.
    return structuredClone((await new Script(script).runInContext(this.window)) as T);
  }

  clearCookies(): void {
    this.requests.cookies.clear();
  }

  url(): string {
    return this.window.location.href;
  }

  /** Markup of the page. */
  async content(): Promise<string> {
    return this.root.outerHTML;
  }

  title(): string {
    return this.window.document.title;
  }

  async until<T>(what: string, attempt: () => T | null): Promise<T> {
    const end = Date.now() + PATIENCE_MS;
    let failure: unknown;
    for (;;) {
      try {
        const result = attempt();
        if (result !== null) return result;
        failure = undefined;
      } catch (error) {
        failure = error;
      }
      if (Date.now() > end) {
        const shown = this.root.textContent.replaceAll(/\s+/g, ' ').slice(0, 1500);
        throw new Error(`not within ${PATIENCE_MS} ms:${what}; the page at ${this.url()} shows: ${shown}`, {
          cause: failure,
        });
      }
      await this.#change();
    }
  }

  /** Waits for a change of the document, or a short time. */
  async #change(): Promise<void> {
    const window = this.window;
    await new Promise<void>((resolve) => {
      const end = () => {
        observer.disconnect();
        clearTimeout(timer);
        // A turn of the loop gathers further changes.
        setImmediate(resolve);
      };
      const observer = new window.MutationObserver(end);
      const timer = setTimeout(end, REST_MS);
      observer.observe(window.document, { childList: true, subtree: true, attributes: true, characterData: true });
    });
  }

  async waitForURL(wanted: RegExp | string | ((url: URL) => boolean)): Promise<void> {
    const fits = (href: string): boolean => {
      if (typeof wanted === 'function') return wanted(new URL(href));
      return (typeof wanted === 'string' ? this.requests.patternOf(wanted) : wanted).test(href);
    };
    await this.until(` at ${String(wanted)}`, () => (fits(this.url()) ? true : null));
  }

  /** Answers requests of the page instead of the service. The last matching handler counts. */
  async route(pattern: Pattern, handler: RouteHandler): Promise<void> {
    this.requests.route(pattern, handler);
  }

  async unroute(pattern: Pattern): Promise<void> {
    this.requests.unroute(pattern);
  }

  readonly keyboard = {
    press: (key: string): Promise<void> => pressKey(this.user, key),
    type: (text: string): Promise<void> => this.user.keyboard(text.replaceAll(/[[{]/g, '$&$&')),
  };

  get #all(): DomLocator {
    return new DomLocator(this, '', () => [this.root]);
  }

  getByRole(role: string, options?: RoleOptions): DomLocator {
    return this.#all.getByRole(role, options);
  }

  getByText(text: TextMatch, options?: MatchOptions): DomLocator {
    return this.#all.getByText(text, options);
  }

  getByLabel(text: TextMatch, options?: MatchOptions): DomLocator {
    return this.#all.getByLabel(text, options);
  }

  getByPlaceholder(text: TextMatch, options?: MatchOptions): DomLocator {
    return this.#all.getByPlaceholder(text, options);
  }

  getByTitle(title: string): DomLocator {
    return this.#all.locator(`[title*=${JSON.stringify(title)} i]`);
  }

  locator(selector: string, options?: { readonly hasText?: TextMatch }): DomLocator {
    return this.#all.locator(selector, options);
  }
}
