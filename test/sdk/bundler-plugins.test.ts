import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chromiumPath } from '../support/browser.ts';
import { browserSdk } from '../support/sdks/browser-sdk.ts';
import { EVERY_VERSION } from '../support/sdks/every-version.ts';
import { folderOf } from '../support/sdks/made-folder.ts';
import type { ProgramRun } from '../support/sdks/sdk-client.ts';
import { visit } from '../support/sdks/visit-site.ts';
import { describeOnStores } from '../support/test-stores.ts';
import { describeTools, type TestedTool } from '../support/tools/describe-tool.ts';
import { installKit, PLUGINS, type Bundler, type InstalledKit } from '../support/tools/tool-kits.ts';
import type { ToolProject, ToolWorld } from '../support/tools/tool-world.ts';
import type { ShopBuild } from '../support/tools/shop-program.ts';

const BROWSER_SDK = '11.12.0';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.map': 'text/plain',
};

/** Warning about a module that the plugin itself adds. */
const OF_ESBUILD = /Import "default" will always be undefined/;

/** Plugins from this version on carry the new tool, which accepts an address below a path. */
const runsSentryCli = (version: string) => Number(version.split('.')[0]) < 11;

/** Options that people enter for the plugin. */
function optionsFor({ url, rootUrl }: ToolWorld, project: ToolProject, { release }: ShopBuild, version: string) {
  return {
    ...{ org: project.organization, project: project.name, authToken: project.token, telemetry: false },
    url: runsSentryCli(version) ? rootUrl : url,
    release: { name: release, setCommits: { auto: true }, deploy: { env: 'production' } },
  };
}

function plugin(
  { kit, versions }: (typeof PLUGINS)[number],
  bundler: Bundler,
  { expected }: Pick<TestedTool, 'expected'> = {},
): TestedTool {
  let installed: InstalledKit;
  return {
    // The name is in the upload. With `plugin of webpack 2.23.1` the last bytes of its request were on their own, and
    // sentry-cli 2.39.1 never sends them, to no server.
    name: `${bundler} plugin ${versions[bundler]}`,
    announces: [1, 2],
    ...(expected === undefined ? {} : { expected }),
    async prepare() {
      const made = await installKit(kit);
      if ('missing' in made) return made;
      installed = made;
      const client = await browserSdk(BROWSER_SDK).prepare();
      return typeof client === 'function' ? { sdk: join(folderOf(`browser-${BROWSER_SDK}`), 'node_modules') } : client;
    },
    async build(world, project, shop) {
      const options = JSON.stringify(optionsFor(world, project, shop, versions[bundler]));
      return [await world.sandbox.run([process.execPath, installed.build, bundler, options], shop.folder)];
    },
    start: ({ folder }, { dsn }) => openPage(join(folder, 'dist'), dsn),
  };
}

/** Opens the built page, which reports its error, in Chromium. */
function openPage(dist: string, dsn: string): Promise<ProgramRun> {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) in TYPES);
  const files = names.map((name) => [
    `/${name}`,
    [TYPES[extname(name)] ?? '', readFileSync(join(dist, name), 'utf8')] as const,
  ]);
  return visit(chromiumPath() ?? '', Object.fromEntries(files), async (page, origin) => {
    await page.goto(`${origin}/index.html?dsn=${encodeURIComponent(dsn)}`);
    return page.evaluate(() => (globalThis as unknown as { sent: Promise<boolean> }).sent);
  });
}

describeOnStores('plugins of bundlers that upload source maps', (kind) => {
  const generations = EVERY_VERSION ? PLUGINS : PLUGINS.slice(0, 1);
  // The plugins of one version share the code that uploads, so `npm test` takes the most used one.
  const tools = generations.flatMap((generation) => [
    plugin(generation, 'vite'),
    ...(EVERY_VERSION
      ? [
          plugin(generation, 'webpack'),
          plugin(generation, 'rollup'),
          plugin(generation, 'esbuild', { expected: OF_ESBUILD }),
        ]
      : []),
  ]);
  describeTools(kind, tools, true);
});
