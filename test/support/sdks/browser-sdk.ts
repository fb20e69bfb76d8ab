import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath } from '../browser.ts';
import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { ProgramRun, SdkClient } from './sdk-client.ts';
import { visit } from './visit-site.ts';

const BUNDLE = 'dist/sentry.js';
const VITE = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js');
const VITE_CONFIG = `export default {
  logLevel: 'error',
  build: { minify: false, lib: { entry: 'entry.js', formats: ['iife'], name: 'Sentry', fileName: () => 'sentry.js' } },
};
`;

const SNIPPET_CONFIG = `export default {
  logLevel: 'error',
  build: { minify: false, lib: { entry: 'app.js', formats: ['iife'], name: 'app', fileName: () => 'app.js' } },
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
      return missing ?? ((dsn) => visitShop(browser, folderOf(name), dsn));
    },
    async runText(text) {
      const browser = chromiumPath();
      if (browser === null) return { status: 127, log: 'there is no Chromium' };
      addFile(name, 'snippet/app.js', text);
      addFile(name, 'snippet/vite.config.mjs', SNIPPET_CONFIG);
      const built = await runProgram(process.execPath, [VITE, 'build', 'snippet'], { cwd: folderOf(name) });
      return built.status === 0 ? visitSnippet(browser, join(folderOf(name), 'snippet/dist/app.js')) : built;
    },
  };
}

const pageWith = (...scripts: string[]): readonly [string, string] => [
  'text/html',
  `<!doctype html><title>Shop</title>${scripts.map((path) => `<script src="${path}"></script>`).join('')}`,
];

function visitShop(executablePath: string, folder: string, dsn: string): Promise<ProgramRun> {
  const site = {
    '/': pageWith('/sentry.js', '/app.js'),
    '/sentry.js': ['text/javascript', readFileSync(join(folder, BUNDLE), 'utf8')],
    '/app.js': ['text/javascript', readFileSync(join(folder, 'app.js'), 'utf8')],
  } as const;
  return visit(executablePath, site, async (tab, origin) => {
    await tab.goto(`${origin}/?dsn=${encodeURIComponent(dsn)}`);
    return tab.evaluate(() => (globalThis as unknown as { sent: Promise<boolean> }).sent);
  });
}

function visitSnippet(executablePath: string, bundle: string): Promise<ProgramRun> {
  const site = { '/': pageWith('/app.js'), '/app.js': ['text/javascript', readFileSync(bundle, 'utf8')] } as const;
  return visit(executablePath, site, async (tab, origin) => {
    const sent = tab.waitForResponse((answer) => answer.request().postData()?.includes('"type":"event"') === true);
    await tab.goto(`${origin}/`);
    // A page that sends more than one event says by itself when it is done.
    return (await sent).ok() && tab.evaluate(() => (globalThis as unknown as { sent?: Promise<boolean> }).sent ?? true);
  });
}
