import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ARGUMENTS, chromiumPath } from '../browser.ts';
import { folderOf, makeFolder, programText } from './made-folder.ts';
import type { ProgramRun, SdkClient } from './sdk-client.ts';

/** Milliseconds for starting the browser and for everything that the page does. */
const PATIENCE_MS = 60_000;
const BUNDLE = 'dist/sentry.js';
const VITE = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js');
const VITE_CONFIG = `export default {
  logLevel: 'error',
  build: { minify: false, lib: { entry: 'entry.js', formats: ['iife'], name: 'Sentry', fileName: () => 'sentry.js' } },
};
`;

export function browserSdk(version: string): SdkClient {
  const name = `browser-${version}`;
  return {
    name: '@sentry/browser',
    version,
    story: {
      exception: {
        title: 'RangeError: checkout failed',
        culprit: 'checkout(/app.js)',
        cause: 'TypeError',
        functions: ['?', 'checkout'],
      },
      message: 'hello from a browser',
      sessions: { total: 1, errored: 1, users: 1 },
    },
    complaints: /^(?:warning|error|pageerror|failed):/m,
    async prepare() {
      const browser = chromiumPath();
      if (browser === null) return { missing: 'there is no Chromium: install it or set ERRGATE_TEST_CHROMIUM' };
      const missing = await makeFolder({
        name,
        toolchain: ['npm', '--version'],
        advice: 'install npm',
        files: {
          'app.js': programText('browser/app.js'),
          'entry.js': "export * from '@sentry/browser';\n",
          'vite.config.mjs': VITE_CONFIG,
          'package.json': JSON.stringify({ private: true, dependencies: { '@sentry/browser': version } }),
        },
        steps: [
          { command: ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'], fetches: true },
          { command: [process.execPath, VITE, 'build'] },
        ],
      });
      return missing ?? ((dsn) => visit(browser, folderOf(name), dsn));
    },
  };
}

/** Opens the page on an origin of its own, so that errgate is asked across origins; the log is the console's. */
async function visit(executablePath: string, folder: string, dsn: string): Promise<ProgramRun> {
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/': [
      'text/html',
      '<!doctype html><title>Shop</title><script src="/sentry.js"></script><script src="/app.js"></script>',
    ],
    '/sentry.js': ['text/javascript', readFileSync(join(folder, BUNDLE), 'utf8')],
    '/app.js': ['text/javascript', readFileSync(join(folder, 'app.js'), 'utf8')],
    '/favicon.ico': ['image/x-icon', ''],
  };
  const site = createServer((request, response) => {
    const [type, body] = files[(request.url ?? '/').split('?')[0] ?? '/'] ?? ['text/plain', 'no such page'];
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: [...ARGUMENTS], timeout: PATIENCE_MS });
  try {
    let log = '';
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('console', (line) => (log += `${line.type()}: ${line.text()}\n`));
    page.on('pageerror', (error) => (log += `pageerror: ${error.message}\n`));
    page.on('requestfailed', (request) => (log += `failed: ${request.url()} ${request.failure()?.errorText}\n`));
    page.on('response', (answer) => {
      if (answer.status() !== 200) log += `failed: ${answer.url()} ${answer.status()}\n`;
    });
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?dsn=${encodeURIComponent(dsn)}`);
    const sent = await page.evaluate(() => (globalThis as unknown as { sent: Promise<boolean> }).sent);
    return { status: sent ? 0 : 3, log };
  } finally {
    await browser.close();
    site.close();
  }
}
