import type { BrowserContext } from 'playwright-core';

/** Chromium reports every unsuccessful response itself; tests check the reaction of the page. */
const STATUS_NOISE = /^console: Failed to load resource: the server responded with a status of 4\d\d/;

/** What was wrong in any page of a test: violations of the policy, exceptions, requests elsewhere. */
export class Complaints {
  readonly found: string[] = [];

  /** `url`: address of the service, with its sub-path where it has one; `expected` is what the test brings about. */
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
