import { different, same, type RawEvent } from '../pair.ts';
import { browser } from '../shapes/javascript.ts';

const frames =
  'a (https://a.example/static/main.8f21ca07.js:1:2345)\nb (https://a.example/static/main.8f21ca07.js:1:99)';
const chunk = (value: string, stack = frames, type = 'ChunkLoadError') => browser({ type, value, stack });
const imported = (value: string, stack = 'load (https://a.example/assets/index-BzX3kq9P.js:2:11)') =>
  browser({ type: 'TypeError', value, stack });
const failed = chunk('Loading chunk 17 failed.\n(error: https://a.example/static/17.8f21ca07.js)');

const hidden = (members: RawEvent): RawEvent => ({ platform: 'javascript', level: 'error', ...members });
const typed = hidden({ exception: { values: [{ type: 'Error', value: 'Script error.' }] } });

/** E1 and E3: errors that browsers report in many forms. */
export const commonPairs = [
  same(
    'a chunk that is missing',
    failed,
    chunk('Loading chunk 4 failed.\n(missing: https://a.example/static/4.77aa1b2c.js)'),
  ),
  same(
    'a chunk that timed out',
    failed,
    chunk('Loading chunk 9 failed.\n(timeout: https://a.example/static/9.77aa1b2c.js)'),
  ),
  same(
    'a chunk with a name',
    failed,
    chunk('Loading chunk vendors-node_modules_lodash failed.\n(error: https://a.example/v.js)'),
  ),
  same('a style sheet', failed, chunk('Loading CSS chunk 9 failed.\n(/static/9.1122aabb.css)')),
  same(
    'another place that asks for it',
    failed,
    chunk('Loading chunk 3 failed.', 'openCart (https://a.example/static/cart.js:1:7)'),
  ),
  same(
    'without a stack',
    failed,
    hidden({ exception: { values: [{ type: 'ChunkLoadError', value: 'Loading chunk 5 failed.' }] } }),
  ),
  same('under the type Error', failed, chunk('Loading chunk 5 failed.', frames, 'Error')),
  same('rejected, and not handled', failed, chunk('Non-Error promise rejection captured with value: ChunkLoadError: Loading chunk 5 failed.', frames, 'UnhandledRejection')), // prettier-ignore
  same('rejected, in a zone of Angular', failed, chunk('Uncaught (in promise): ChunkLoadError: Loading chunk 5 failed.\n(error: https://a.example/5.js)\nError: x', frames, 'Error')), // prettier-ignore
  same('rejected, as a browser prints it', failed, hidden({ message: 'Uncaught (in promise) ChunkLoadError: Loading chunk 5 failed.' })), // prettier-ignore
  same('rejected outside a zone', failed, hidden({ message: 'Unhandled Promise rejection: Loading chunk 5 failed. ; Zone: <root>' })), // prettier-ignore
  same('as a message', failed, hidden({ message: 'Loading chunk 12 failed. (error: https://a.example/12.js)' })),
  same('of Turbopack', failed, chunk('Failed to load chunk /_next/static/chunks/1f2a.js from module 4711')),
  same(
    'an import in Chromium',
    failed,
    imported('Failed to fetch dynamically imported module: https://a.example/assets/Cart-BzX3kq9P.js'),
  ),
  same(
    'an import in Firefox',
    failed,
    imported('error loading dynamically imported module: https://a.example/assets/Cart-BzX3kq9P.js'),
  ),
  same('an import in Safari', failed, imported('Importing a module script failed.')),
  same('a page in place of a module in Safari', failed, imported("'text/html' is not a valid JavaScript MIME type.")),
  same(
    'a style sheet of Vite',
    failed,
    browser({ type: 'Error', value: 'Unable to preload CSS for /assets/Cart-3f2a1b9c.css', stack: frames }),
  ),
  different('a request that failed', failed, imported('Failed to fetch')),
  different('a chunk of an upload', failed, chunk('Loading chunk 5 of the upload failed', frames, 'Error')),
  different(
    'another error of the loader',
    failed,
    chunk('Cannot read properties of undefined (reading "call")', frames, 'TypeError'),
  ),
  different('a module that Node does not find', failed, {
    ...imported("Cannot find module './cart'"),
    platform: 'node',
  }),
  different('the words in another language', failed, {
    ...chunk('Loading chunk 5 failed.', '', 'IOError'),
    platform: 'python',
  }),
  same('a hidden error as a message', typed, hidden({ message: 'Script error.' })),
  same(
    'a hidden error without a type',
    typed,
    hidden({ exception: { values: [{ type: null, value: 'Script error.' }] } }),
  ),
  same(
    'a hidden error with a frame of the page',
    typed,
    browser({ type: 'Error', value: 'Script error.', stack: '? (https://a.example/cart:0:0)' }),
  ),
  same('a hidden error without the full stop', typed, hidden({ message: 'Script error' })),
  same('a hidden error in the words of an old browser', typed, hidden({ message: 'Uncaught Error: Script error.' })),
  different('an error of a script', typed, hidden({ message: 'Script error in cart.js' })),
  different(
    'the words with a stack',
    typed,
    browser({ type: 'Error', value: 'Script error.', stack: 'run (https://a.example/cart.js:1:7)' }),
  ),
  different('the words of a server', typed, { platform: 'python', message: 'Script error.' }),
];
