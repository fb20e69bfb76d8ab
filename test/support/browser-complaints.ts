import type { BrowserContext } from 'playwright-core';

/** Chromium's own message for each unsuccessful response; tests check the reaction of the page instead. */
const STATUS_NOISE = /^console: Failed to load resource: the server responded with a status of 4\d\d/;

/** Collects problems in the pages of a test: policy violations, exceptions, and requests to other hosts. */
export class Complaints {
  readonly found: string[] = [];

  /**
   * Watches a context. `url`: address of the service with its sub-path; `expected`: problems that the test causes.
   */
  watch(context: BrowserContext, url: string, expected: RegExp | undefined): void {
    const home = url.replace(/\/*$/, '/');
    const add = (text: string) => {
      if (expected?.test(text) !== true && !STATUS_NOISE.test(text)) this.found.push(text);
    };
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') add(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => add(`exception: ${error.error().message}`));
    context.on('request', (request) => {
      const address = request.url();
      if (!/^(data|blob):/.test(address) && !address.startsWith(home)) add(`foreign request: ${address}`);
    });
  }
}
