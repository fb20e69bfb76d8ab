import { at, browser, onerror, rejection, handler, host, priceOf, chrome, firefox } from '../shapes/browser.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const browserPairs = [
  // One property of one missing item; Chrome and Firefox merely word it differently.
  same(
    'one fault in the words of Chrome and of Firefox',
    priceOf(
      "Cannot read properties of undefined (reading 'price')",
      ['onChange', 'sumOf', 'priceOf'],
      '8.35.0',
      chrome,
    ),
    priceOf('can\'t access property "price", item is undefined', ['onChange', 'sumOf', 'priceOf'], '8.35.0', firefox),
  ),
  // Staging and production serve the same source under another host and cache-busting query.
  same(
    'another host and query string',
    ...both(
      { base: 'https://staging.fernshop.io/js', query: '?v=1730461' },
      { base: 'https://www.fernshop.io/js', query: '?v=1731990' },
      ({ base, query }) =>
        browser([
          {
            type: 'TypeError',
            value: "Failed to execute 'observe' on 'IntersectionObserver': parameter 1 is not of type 'Element'.",
            mechanism: onerror,
            frames: [
              at(`${base}/gallery.js${query}`, 'HTMLDocument.<anonymous>', 88, 3),
              at(`${base}/gallery.js${query}`, 'Gallery.mount', 41, 10),
              at(`${base}/lazy.js${query}`, 'watch', 12, 18),
            ],
          },
        ]),
    ),
  ),
  // The same endless recursion between two functions, overflowing in the one or in the other.
  same(
    'stack overflow that ends in the other function of the cycle',
    ...both({ depth: 20, last: 'visit' }, { depth: 24, last: 'resolve' }, ({ depth, last }) =>
      browser([
        {
          type: 'RangeError',
          value: 'Maximum call stack size exceeded',
          mechanism: onerror,
          frames: [
            ...Array.from({ length: depth }, () => [
              at(`${host}/src/editor/links.ts`, 'visit', 30, 12),
              at(`${host}/src/editor/links.ts`, 'resolve', 44, 16),
            ]).flat(),
            ...(last === 'visit' ? [at(`${host}/src/editor/links.ts`, 'visit', 30, 12)] : []),
          ],
        },
      ]),
    ),
  ),
  // Event handler of a dialog, before and after it became an async arrow function.
  same(
    'the handler became async',
    browser([
      {
        type: 'TypeError',
        value: "Cannot read properties of null (reading 'getContext')",
        mechanism: handler,
        frames: [
          at(`${host}/src/avatar/CropDialog.tsx`, 'save', 70, 7),
          at(`${host}/src/avatar/crop.ts`, 'cropToSquare', 19, 28),
        ],
      },
    ]),
    browser([
      {
        type: 'TypeError',
        value: "Cannot read properties of null (reading 'getContext')",
        mechanism: rejection,
        frames: [
          at(`${host}/src/avatar/CropDialog.tsx`, 'async save', 74, 13),
          at(`${host}/src/avatar/crop.ts`, 'cropToSquare', 19, 28),
        ],
      },
    ]),
  ),
  // Vue calls every handler the same way; the two components lost two different refs.
  different(
    'one framework wrapper, two components',
    ...both(
      at('https://admin.fernshop.io/src/components/SearchBox.vue', 'onShortcut', 31, 20),
      at('https://admin.fernshop.io/src/components/RenameModal.vue', 'onOpened', 18, 15),
      (component) =>
        browser(
          [
            {
              type: 'TypeError',
              value: "Cannot read properties of null (reading 'focus')",
              mechanism: { type: 'vue', handled: false },
              frames: [
                at(
                  'https://admin.fernshop.io/node_modules/.vite/deps/chunk-U3LI7FBV.js',
                  'callWithAsyncErrorHandling',
                  2272,
                  17,
                ),
                at(
                  'https://admin.fernshop.io/node_modules/.vite/deps/chunk-U3LI7FBV.js',
                  'callWithErrorHandling',
                  2265,
                  19,
                ),
                component,
              ],
            },
          ],
          'vue@8.40.0',
        ),
    ),
  ),
  // Nothing but the keys tells: a payment failure and an aborted upload were rejected.
  different(
    'rejected plain objects with other keys',
    browser([
      {
        type: 'UnhandledRejection',
        value: 'Object captured as promise rejection with keys: declineCode, paymentIntent, type',
        mechanism: rejection,
      },
    ]),
    browser([
      {
        type: 'UnhandledRejection',
        value: 'Object captured as promise rejection with keys: file, loaded, total',
        mechanism: rejection,
      },
    ]),
  ),
];
