import { addFile, makeFolder, programText } from '../sdks/made-folder.ts';
import type { Missing } from '../sdks/sdk-client.ts';

export type Bundler = 'vite' | 'webpack' | 'rollup' | 'esbuild';

/** Tools that are installed together, in exact versions. */
export interface ToolKit {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Versions of packages that the tools upload with. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** Version of a command line, with a bundler for the program whose maps it uploads. */
const commandLine = (tool: string, version: string): ToolKit => ({
  name: `tools-${tool.replaceAll('@', '').replaceAll('/', '-')}-${version}`,
  packages: { [tool]: version, esbuild: '0.28.2' },
});

function plugins(
  name: string,
  versions: Readonly<Record<Bundler, string>>,
  vite: string,
  overrides: Readonly<Record<string, string>>,
): { readonly versions: Readonly<Record<Bundler, string>>; readonly kit: ToolKit } {
  const its = Object.entries(versions).map(([bundler, version]) => [`@sentry/${bundler}-plugin`, version] as const);
  const packages = {
    ...{ vite, webpack: '5.112.2', rollup: '4.68.5', esbuild: '0.28.2' },
    ...{ '@rollup/plugin-node-resolve': '16.0.3', '@rollup/plugin-terser': '1.0.2' },
    ...Object.fromEntries(its),
  };
  return { versions, kit: { name: `tools-plugins-${name}`, packages, overrides } };
}

/** Versions of `sentry-cli`, newest first. */
export const SENTRY_CLI = ['3.8.0', '3.0.1', '2.58.6', '2.39.1'].map((version) => ({
  version,
  kit: commandLine('@sentry/cli', version),
}));

/** Versions of `sentry`, newest first. */
export const SENTRY = ['0.49.0'].map((version) => ({ version, kit: commandLine('sentry', version) }));

/** Generations of plugins, newest first, each with a vite of its time. */
export const PLUGINS = [
  plugins('newest', { vite: '11.9.0', webpack: '11.8.0', rollup: '5.4.0', esbuild: '5.4.0' }, '8.3.8', {
    '@sentry/cli': '2.58.6',
  }),
  plugins('5.1.1', { vite: '5.1.1', webpack: '5.1.1', rollup: '5.1.1', esbuild: '5.1.1' }, '7.3.8', {
    '@sentry/cli': '2.58.6',
  }),
  plugins('2.23.1', { vite: '2.23.1', webpack: '2.23.1', rollup: '2.23.1', esbuild: '2.23.1' }, '5.4.21', {}),
];

/** Kit that is installed. */
export interface InstalledKit {
  /** Path of the script that builds the shop. */
  readonly build: string;
  /** Folder of its programs. */
  readonly programs: string;
}

/** Installs a kit unless an earlier run did, with packages of the npm registry alone. */
export async function installKit({ name, packages, overrides = {} }: ToolKit): Promise<InstalledKit | Missing> {
  const missing = await makeFolder({
    name,
    toolchain: ['npm', '--version'],
    advice: 'install npm',
    files: { 'package.json': JSON.stringify({ private: true, dependencies: packages, overrides }) },
    // Install scripts of the tools would fetch programs from elsewhere; npm has those of each platform too.
    steps: [{ command: ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'], fetches: true }],
  });
  if (missing !== null) return missing;
  const build = addFile(name, 'build.mjs', programText('shop/build.mjs'));
  return { build, programs: build.replace(/build\.mjs$/, 'node_modules/.bin') };
}
