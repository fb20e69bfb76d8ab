import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin } from 'vite';

/** Leaves styles out: a simulated document has no layout. */
function noStyles(): Plugin {
  return { name: 'no-styles', enforce: 'pre', load: (id) => (/\.css$|[?&]type=style/.test(id) ? '' : null) };
}

/** Builds the pages as one script for component tests, with the warnings of Vue's development version. */
export default defineConfig({
  root: import.meta.dirname,
  mode: 'development',
  plugins: [vue(), noStyles()],
  define: { 'process.env.NODE_ENV': '"development"' },
  build: {
    target: 'es2022',
    minify: false,
    emptyOutDir: true,
    reportCompressedSize: false,
    lib: { entry: 'src/test-program.ts', name: 'program', formats: ['iife'], fileName: () => 'program.js' },
  },
});
