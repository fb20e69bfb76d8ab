import { join } from 'node:path';
import { nodeSdk } from '../support/sdks/node-sdk.ts';
import { folderOf } from '../support/sdks/made-folder.ts';
import { runProgram } from '../support/sdks/run-program.ts';
import { EVERY_VERSION } from '../support/sdks/every-version.ts';
import { describeTools, type TestedTool } from '../support/tools/describe-tool.ts';
import { installKit, SENTRY, SENTRY_CLI, type InstalledKit, type ToolKit } from '../support/tools/tool-kits.ts';
import type { ToolProject, ToolWorld } from '../support/tools/tool-world.ts';
import { describeOnStores } from '../support/test-stores.ts';

const NODE_SDK = '11.12.0';

/** Commands of a build: first those that announce it, then those for its maps, then those that end it. */
type Commands = (release: string, project: ToolProject) => Readonly<Record<'begin' | 'maps' | 'end', string[][]>>;

const sentryCli: Commands = (release) => ({
  begin: [['info'], ['releases', 'new', release], ['releases', 'set-commits', release, '--auto']],
  maps: [
    ['sourcemaps', 'inject', 'dist'],
    ['sourcemaps', 'upload', '--release', release, 'dist'],
  ],
  end: [
    ['releases', 'finalize', release],
    ['deploys', 'new', '--release', release, '-e', 'production'],
  ],
});

const sentry: Commands = (release, { organization, name }) => {
  const it = `${organization}/${release}`;
  return {
    begin: [
      ['auth', 'status'],
      ['release', 'create', it, '--project', name],
      ['release', 'set-commits', it, '--auto'],
    ],
    maps: [
      ['sourcemap', 'inject', 'dist'],
      ['sourcemap', 'upload', '--release', release, 'dist'],
    ],
    end: [
      ['release', 'finalize', it],
      ['release', 'deploy', it, 'production'],
    ],
  };
};

/** Tool whose commands run one after another in the folder of a Node.js program. */
function commandLine(program: string, version: string, kit: ToolKit, commands: Commands): TestedTool {
  let installed: InstalledKit;
  return {
    name: `${program} ${version}`,
    announces: [1],
    async prepare() {
      const made = await installKit(kit);
      if ('missing' in made) return made;
      installed = made;
      const client = await nodeSdk(NODE_SDK, '').prepare();
      return typeof client === 'function' ? { sdk: join(folderOf(`node-${NODE_SDK}`), 'node_modules') } : client;
    },
    async build(world, project, shop) {
      const runs = [await runProgram(process.execPath, [installed.build, 'server', '{}'], { cwd: shop.folder })];
      const { begin, maps, end } = commands(shop.release, project);
      // Uploads alone announce the second build.
      for (const args of shop.build === 1 ? [...begin, ...maps, ...end] : maps) {
        const run = await world.sandbox.run(
          [join(installed.programs, program), ...args],
          shop.folder,
          envOf(world, project),
        );
        runs.push({ ...run, log: `$ ${program} ${args.join(' ')}\n${run.log}` });
      }
      return runs;
    },
    start: ({ folder, release }, { dsn }) =>
      runProgram(process.execPath, ['dist/main.mjs', dsn], { cwd: folder, env: { SENTRY_RELEASE: release } }),
  };
}

const envOf = ({ url }: ToolWorld, { organization, name, token }: ToolProject) => ({
  SENTRY_URL: url,
  SENTRY_AUTH_TOKEN: token,
  SENTRY_ORG: organization,
  SENTRY_PROJECT: name,
});

describeOnStores('command lines that upload source maps', (kind) => {
  const newest = <T>(versions: readonly T[]) => (EVERY_VERSION ? versions : versions.slice(0, 1));
  describeTools(kind, [
    ...newest(SENTRY_CLI).map(({ version, kit }) => commandLine('sentry-cli', version, kit, sentryCli)),
    // What the plugins of bundlers carry, too.
    ...(EVERY_VERSION ? SENTRY : []).map(({ version, kit }) => commandLine('sentry', version, kit, sentry)),
  ]);
});
