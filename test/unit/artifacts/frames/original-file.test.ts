import assert from 'node:assert/strict';
import { originalFile } from '../../../../src/artifacts/frames/original-file.ts';

describe('path of an original file', () => {
  it('leaves out what only the bundler knows', () => {
    const paths: Readonly<Record<string, string>> = {
      'webpack://shop/./src/cart.js': 'src/cart.js',
      'webpack://@acme/shop/./src/cart.js': 'src/cart.js',
      // Uploads of the plugin of webpack are without the scheme.
      'shop/./src/cart.js': 'src/cart.js',
      '@acme/shop/./src/cart.js': 'src/cart.js',
      'shop/../../packages/cart.js': 'packages/cart.js',
      'webpack/./src/cart.js': 'src/cart.js',
      '../../client/cart.js': 'client/cart.js',
      './cart.js': 'cart.js',
      'src/cart.js': 'src/cart.js',
      'cart.js': 'cart.js',
      'src/Cart.vue?vue&type=script': 'src/Cart.vue',
    };
    for (const [name, path] of Object.entries(paths)) assert.equal(originalFile(name).filename, path, name);
  });

  it('tells the code that webpack adds, also below the name of the program', () => {
    const added = (name: string) => originalFile(name).isBundlerCode;
    for (const name of [
      'webpack/bootstrap',
      'webpack/bootstrap 8a0e3e1f',
      'webpack/runtime/jsonp chunk loading',
      'webpack/startup',
    ]) {
      for (const prefix of ['', 'webpack://shop/', 'shop/', '@acme/shop/'])
        assert.equal(added(prefix + name), true, name);
    }
    for (const name of ['src/webpack/bootstrap.js', 'webpack/runtime.js', 'src/webpack.js', 'shop/./src/cart.js']) {
      assert.equal(added(name), false, name);
    }
  });
});
