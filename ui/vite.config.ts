import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';

/** What the server does in production: says where the pages live. */
function basePath(): Plugin {
  return {
    name: 'base-path',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace('__BASE__', '/'),
  };
}

/** Smaller files would not get smaller. */
const LEAST_COMPRESSED = 1024;
const COMPRESSIBLE = /\.(js|css|svg)$/;

/** Lays a smaller copy beside every file, once at build and as small as it gets: the server only picks one. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const [fileName, output] of Object.entries(bundle)) {
        const source = Buffer.from(output.type === 'chunk' ? output.code : output.source);
        if (!COMPRESSIBLE.test(fileName) || source.length < LEAST_COMPRESSED) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: source.length };
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source, { params }) });
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
      }
    },
  };
}

/**
 * For `npm run dev` and `npm run ui:dev`: the service that answers. With a token every request is made in its owner's name, without
 * one people sign in.
 */
const { ERRGATE_DEV_URL: target = 'http://127.0.0.1:8080', ERRGATE_DEV_TOKEN: token = '' } = process.env;
const proxied = {
  target,
  ...(token === '' ? {} : { headers: { 'PRIVATE-TOKEN': token } }),
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [vue(), basePath(), compressed()],
  server: { proxy: { '/api/': proxied, '^/-/session': proxied, '\\.json$': proxied } },
  build: {
    target: 'es2022',
    outDir: '../dist/ui',
    emptyOutDir: true,
    // Everything is a file of its own: the Content-Security-Policy knows no other place for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
