import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Page } from 'playwright-core';
import { ARGUMENTS } from '../browser.ts';
import type { ProgramRun } from './sdk-client.ts';

/** Milliseconds for starting the browser and for all actions of the page. */
const PATIENCE_MS = 60_000;

/** Files of a site by their path: type and content. */
export type Site = Readonly<Record<string, readonly [string, string]>>;

/** Opens a site on a separate origin, so that requests are cross-origin. Returns the console's log. */
export async function visit(
  executablePath: string,
  files: Site,
  look: (page: Page, origin: string) => Promise<boolean>,
): Promise<ProgramRun> {
  const site = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const nothing =
      path === '/favicon.ico' ? (['image/x-icon', ''] as const) : (['text/plain', 'no such page'] as const);
    const [type, body] = files[path] ?? nothing;
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: [...ARGUMENTS], timeout: PATIENCE_MS });
  try {
    let log = '';
    const tab = await browser.newPage();
    tab.setDefaultTimeout(PATIENCE_MS);
    tab.on('console', (line) => (log += `${line.type()}: ${line.text()}\n`));
    tab.on('pageerror', (error) => (log += `pageerror: ${error.message}\n`));
    tab.on('requestfailed', (request) => (log += `failed: ${request.url()} ${request.failure()?.errorText}\n`));
    tab.on('response', (answer) => {
      if (answer.status() !== 200) log += `failed: ${answer.url()} ${answer.status()}\n`;
    });
    const { port } = site.address() as AddressInfo;
    const sent = await look(tab, `http://127.0.0.1:${port}`);
    return { status: sent ? 0 : 3, log };
  } finally {
    await browser.close();
    site.close();
  }
}
