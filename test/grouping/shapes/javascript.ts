import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?:(?<name>.+?) \()?(?<path>[^()\s]+):(?<line>\d+):(?<column>\d+)\)?$/;

/** `add (https://shop.example/app.js:1:2345)`; a call without a name is `?`, as the SDK writes it. */
function frameOfBrowser(line: string): RawFrame {
  const { name = '?', path = '', line: lineno, column } = partsOf(line, LINE);
  return { filename: path, function: name, lineno: Number(lineno), colno: Number(column), in_app: true };
}

export const browser = eventBuilder(frameOfBrowser, {
  platform: 'javascript',
  sdk: { name: 'sentry.javascript.browser', version: '10.22.0' },
});

const APP = '/app/';

function moduleOf(path: string, ending = /\.[cm]?[jt]s$/): string {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(ending, '');
  const folder = path.slice(0, path.lastIndexOf('/'));
  const packages = folder.lastIndexOf('/node_modules/');
  if (packages !== -1) {
    return `${folder.slice(packages + 14).replaceAll('/', '.')}:${file}`;
  }
  if (!path.startsWith(APP) || folder === '/app') {
    return file;
  }
  return `${folder.slice(APP.length).replaceAll('/', '.')}:${file}`;
}

/** `Cart.add (/app/src/cart.js:10:5)`; the program lies in `/app`. */
function frameOfNode(line: string): RawFrame {
  const { name = '?', path = '', line: lineno, column } = partsOf(line, LINE);
  return {
    filename: path,
    module: moduleOf(path),
    function: name,
    lineno: Number(lineno),
    colno: Number(column),
    in_app: !path.startsWith('node:') && !path.includes('node_modules'),
  };
}

export const node = eventBuilder(frameOfNode, {
  platform: 'node',
  sdk: { name: 'sentry.javascript.node', version: '10.22.0' },
});

/** As version 7 sent it: of the ending of a module's file it takes away `.js` alone. */
export const nodeSdk7 = eventBuilder((line) => ({ ...frameOfNode(line), module: moduleOf(pathOf(line), /\.js$/) }), {
  platform: 'node',
  sdk: { name: 'sentry.javascript.node', version: '7.38.0' },
});

function pathOf(line: string): string {
  return partsOf(line, LINE).path ?? '';
}
