/** Scheme under which a bundler names its sources, with the name of the program. */
const BUNDLER_SCHEME = /^(?:webpack|webpack-internal|turbopack|ng|rsc|metro|vite):\/\/(?:\[?[^/]*\]?\/)?/;
const ADDRESS = /^(?:https?|file|app):\/\/[^/]*(\/[^?#]*)/;
/** Name of the program that webpack puts first, and folders above the one of the map, and the folder itself. */
const ABOVE = /^(?:(?:@[^/]+\/)?[^/]+\/(?=\.{1,2}\/))?(?:\.{1,2}\/|\/(?=\.{1,2}\/))*/;
/** Code that bundlers add: loaders of modules and helpers. */
const BUNDLER_CODE = /^(?:\0|\(webpack\)\/|vite\/|\(?rollup|commonjsHelpers)/;
/** Code that webpack adds, which has no files. */
const WEBPACK_CODE =
  /^(?:(?:@[^/]+\/)?[^/]+\/)?webpack\/(?:bootstrap(?: [0-9a-f]+)?|(?:before-|after-)?startup|universalModuleDefinition|runtime\/[^./]+)$/;

/** Path of an original file for people and for grouping. */
export interface OriginalFile {
  readonly filename: string | null;
  readonly absPath: string | null;
  /** True: the build added the code. */
  readonly isBundlerCode: boolean;
}

/** Returns the path of a source without what only the bundler knows: `webpack://shop/./src/cart.js` is `src/cart.js`. */
export function originalFile(name: string): OriginalFile {
  const plain = name.replace(BUNDLER_SCHEME, '');
  const address = ADDRESS.exec(plain);
  const path = (address?.[1] ?? plain.replace(/\?[^/]*$/, '')).replace(ABOVE, '');
  const filename = path === '' ? null : path;
  return {
    filename,
    absPath: address === null ? filename : plain,
    isBundlerCode: BUNDLER_CODE.test(path) || WEBPACK_CODE.test(path),
  };
}
