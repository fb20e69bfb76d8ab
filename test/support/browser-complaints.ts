import type { BrowserContext, ConsoleMessage, Request, WebError } from 'playwright-core';

/** Chromium's own message for each unsuccessful response; tests check the reaction of the page instead. */
const STATUS_NOISE = /^console: Failed to load resource: the server responded with a status of 4\d\d/;

/** Collects problems in the pages of a test: policy violations, exceptions, and requests to other hosts. */
export class Complaints {
  readonly found: string[] = [];
  readonly #ends: (() => void)[] = [];

  /**
   * Watches a context. `url`: address of the service with its sub-path; `expected`: problems that the test causes.
   */
  watch(context: BrowserContext, url: string, expected: RegExp | undefined): void {
    const home = url.replace(/\/*$/, '/');
    const add = (text: string) => {
      if (expected?.test(text) !== true && !STATUS_NOISE.test(text)) this.found.push(text);
    };
    const onConsole = (message: ConsoleMessage) => {
      if (message.type() === 'error' || message.type() === 'warning') add(`console: ${message.text()}`);
    };
    const onError = (error: WebError) => add(`exception: ${error.error().message}`);
    const onRequest = (request: Request) => {
      const address = request.url();
      if (!/^(data|blob):/.test(address) && !address.startsWith(home)) add(`foreign request: ${address}`);
    };
    context.on('console', onConsole).on('weberror', onError).on('request', onRequest);
    this.#ends.push(() => context.off('console', onConsole).off('weberror', onError).off('request', onRequest));
  }

  /** Stops watching. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}
