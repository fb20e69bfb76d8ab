// Builds a program as people do: `node build.mjs <bundler> <options of its plugin>` in the folder of the program.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [bundler, given] = process.argv.slice(2);
const plugin = JSON.parse(given);
const root = process.cwd();
const entry = join(root, 'src/browser.js');
const dist = join(root, 'dist');

/** The page of bundlers that make none. */
function writePage() {
  mkdirSync(dist, { recursive: true });
  writeFileSync(
    join(dist, 'index.html'),
    '<!doctype html><title>Shop</title><script type="module" src="main.js"></script>',
  );
}

const BUILDERS = {
  async server() {
    const { build } = await import('esbuild');
    const format = { bundle: true, minify: true, sourcemap: true, format: 'esm', platform: 'node', splitting: true };
    const entryPoints = { main: join(root, 'src/server.js') };
    await build({ ...format, entryPoints, outdir: dist, outExtension: { '.js': '.mjs' }, packages: 'external' });
  },

  async vite() {
    const { build } = await import('vite');
    const { sentryVitePlugin } = await import('@sentry/vite-plugin');
    await build({ root, base: './', build: { sourcemap: true, outDir: dist }, plugins: [sentryVitePlugin(plugin)] });
  },

  async webpack() {
    const { default: webpack } = await import('webpack');
    const { sentryWebpackPlugin } = await import('@sentry/webpack-plugin');
    writePage();
    const output = { path: dist, filename: 'main.js' };
    const config = { mode: 'production', context: root, devtool: 'source-map', performance: false };
    const compiler = webpack({ ...config, entry, output, plugins: [sentryWebpackPlugin(plugin)] });
    const stats = await promisify(compiler.run.bind(compiler))();
    console.log(stats.toString());
    if (stats.hasErrors()) process.exitCode = 1;
  },

  async rollup() {
    const { rollup } = await import('rollup');
    const { nodeResolve } = await import('@rollup/plugin-node-resolve');
    const { default: terser } = await import('@rollup/plugin-terser');
    const { sentryRollupPlugin } = await import('@sentry/rollup-plugin');
    writePage();
    const plugins = [nodeResolve({ browser: true }), terser(), sentryRollupPlugin(plugin)];
    const bundle = await rollup({ input: { main: entry }, plugins });
    await bundle.write({ dir: dist, format: 'es', sourcemap: true, entryFileNames: '[name].js' });
    await bundle.close();
  },

  async esbuild() {
    const { build } = await import('esbuild');
    const { sentryEsbuildPlugin } = await import('@sentry/esbuild-plugin');
    writePage();
    const format = { bundle: true, minify: true, sourcemap: true, format: 'esm' };
    await build({ ...format, entryPoints: { main: entry }, outdir: dist, plugins: [sentryEsbuildPlugin(plugin)] });
  },
};

await BUILDERS[bundler]();
