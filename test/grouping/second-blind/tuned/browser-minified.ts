import { at, bundle, onerror, rejection, next } from '../shapes/browser-minified.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const browserMinifiedPairs = [
  // A rebuild: another hash, other one-letter names and columns; methods and message stay.
  same(
    'a rebuild renames letters and the bundle',
    bundle(
      [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'nights')",
          mechanism: onerror,
          frames: [
            at('https://static.tripnest.com/assets/main.4f81c0aa.js', 'HTMLButtonElement.<anonymous>', 2, 190233),
            at('https://static.tripnest.com/assets/main.4f81c0aa.js', 't.submitBooking', 2, 84120),
            at('https://static.tripnest.com/assets/main.4f81c0aa.js', 't.quoteFor', 2, 83411),
          ],
        },
      ],
      '8.33.1',
      { release: '4f81c0aa' },
    ),
    bundle(
      [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'nights')",
          mechanism: onerror,
          frames: [
            at('https://static.tripnest.com/assets/main.b2207de9.js', 'HTMLButtonElement.<anonymous>', 2, 191877),
            at('https://static.tripnest.com/assets/main.b2207de9.js', 'n.submitBooking', 2, 84966),
            at('https://static.tripnest.com/assets/main.b2207de9.js', 'n.quoteFor', 2, 84257),
          ],
        },
      ],
      '8.33.1',
      { release: 'b2207de9' },
    ),
  ),
  // Vite's hash has letters of both cases; the build and the CDN host changed, the fault did not.
  same(
    'a Vite bundle of another hash on another CDN host',
    ...both(
      { file: 'https://cdn1.lumenotes.app/assets/index-B3xk9aQ1.js', colno: 40211, outer: 'Yt' },
      { file: 'https://cdn2.lumenotes.app/assets/index-Dk2_0pLz.js', colno: 40377, outer: 'Zt' },
      ({ file, colno, outer }) =>
        bundle([
          {
            type: 'InvalidStateError',
            value: "Failed to execute 'transaction' on 'IDBDatabase': The database connection is closing.",
            mechanism: rejection,
            frames: [
              at(file, outer, 17, colno - 3100),
              at(file, 'async OfflineStore.flush', 17, colno - 240),
              at(file, 'OfflineStore.open', 17, colno),
            ],
          },
        ]),
    ),
  ),
  // One build, served by another region: nothing but the host differs.
  same(
    'the same release from two CDN regions',
    ...both('https://eu.assets.voltdesk.com', 'https://us.assets.voltdesk.com', (base) =>
      bundle(
        [
          {
            type: 'Error',
            value:
              'Minified React error #185; visit https://reactjs.org/docs/error-decoder.html?invariant=185 for the full message or use the non-minified dev environment for full errors and additional helpful warnings.',
            mechanism: onerror,
            frames: [
              at(`${base}/r/2024.46/app.77d0c1e4.js`, 'Sb', 1, 310442),
              at(`${base}/r/2024.46/app.77d0c1e4.js`, 'onFilterChange', 1, 902110),
              at(`${base}/r/2024.46/app.77d0c1e4.js`, 'bk', 1, 288410),
            ],
          },
        ],
        '8.33.1',
        { release: 'voltdesk@2024.46' },
      ),
    ),
  ),
  // Two pages of one site; letters and message are the minifier's and the engine's.
  different(
    'the same letters in the chunks of two pages',
    ...both(
      `${next}/pages/wishlist-3bd0a77f1c9e2204.js`,
      `${next}/pages/account/invoices-f0147c5ed6a8b913.js`,
      (page) =>
        bundle([
          {
            type: 'TypeError',
            value: "Cannot read properties of null (reading 'items')",
            mechanism: onerror,
            frames: [
              at(`${next}/framework-64ad27b21261a9ce.js`, 'lk', 9, 60902),
              at(`${next}/framework-64ad27b21261a9ce.js`, 'oO', 9, 99114),
              at(page, 'd', 1, 2207),
            ],
          },
        ]),
    ),
  ),
  // One method of one class, one build: a missing permission is not a missing device.
  different(
    'two failures of one method',
    ...both(
      { type: 'NotAllowedError', value: 'Permission denied' },
      { type: 'NotFoundError', value: 'Requested device not found' },
      ({ type, value }) =>
        bundle([
          {
            type,
            value,
            mechanism: rejection,
            frames: [
              at('https://meet.voltdesk.com/assets/room-CkP81xYa.js', 'async r.join', 3, 10332),
              at('https://meet.voltdesk.com/assets/room-CkP81xYa.js', 'async r.openMicrophone', 3, 9120),
            ],
          },
        ]),
    ),
  ),
];
