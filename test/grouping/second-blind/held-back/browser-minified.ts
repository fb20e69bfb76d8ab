import { at, bundle, onerror, next } from '../shapes/browser-minified.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const browserMinifiedPairs = [
  // One Next.js page after another build: hashes, build id and React chunk differ.
  same(
    'a Next.js page of another build',
    bundle([
      {
        type: 'TypeError',
        value: 'e.dates.map is not a function',
        mechanism: onerror,
        frames: [
          at(`${next}/framework-2c79e2a64abdb08b.js`, 'rE', 9, 60817),
          at(`${next}/framework-2c79e2a64abdb08b.js`, 'ud', 9, 81021),
          at(`${next}/pages/hotel/%5Bslug%5D-8d1f9b3f0c7a2e51.js`, 'AvailabilityGrid', 1, 4410),
        ],
      },
    ]),
    bundle(
      [
        {
          type: 'TypeError',
          value: 't.dates.map is not a function',
          mechanism: onerror,
          frames: [
            at(`${next}/framework-64ad27b21261a9ce.js`, 'lk', 9, 60902),
            at(`${next}/framework-64ad27b21261a9ce.js`, 'i', 9, 119414),
            at(`${next}/framework-64ad27b21261a9ce.js`, 'oO', 9, 99114),
            at(`${next}/pages/hotel/%5Bslug%5D-0e6bb14d97c3f8aa.js`, 'AvailabilityGrid', 1, 4688),
          ],
        },
      ],
      '8.41.0',
    ),
  ),
  // A lazily loaded chunk of another build; Safari's message quotes the minifier's letter.
  same(
    'a numbered chunk of another hash',
    ...both(
      { chunk: '417.9e0d7b62.chunk.js', letters: ['e', 'r'] as const, shift: 0 },
      { chunk: '417.c41a83f0.chunk.js', letters: ['t', 'i'] as const, shift: 96 },
      ({ chunk, letters, shift }) =>
        bundle([
          {
            type: 'TypeError',
            value: `undefined is not an object (evaluating '${letters[0]}.viewport.width')`,
            mechanism: onerror,
            frames: [
              at(`https://maps.tripnest.com/static/js/${chunk}`, `${letters[1]}.onResize`, 1, 22110 + shift),
              at(`https://maps.tripnest.com/static/js/${chunk}`, `${letters[1]}.projectMarkers`, 1, 21344 + shift),
            ],
          },
        ]),
    ),
  ),
  // One file of one build: two anonymous places far apart are two places in the code.
  different(
    'two anonymous places in one bundle of one release',
    ...both([18233, 17990], [644021, 643880], ([inner, outer]) =>
      bundle(
        [
          {
            type: 'TypeError',
            value: "Cannot read properties of undefined (reading 'length')",
            mechanism: onerror,
            frames: [
              at('https://static.voltdesk.com/app.77d0c1e4.js', '?', 1, outer ?? 0),
              at('https://static.voltdesk.com/app.77d0c1e4.js', '?', 1, inner ?? 0),
            ],
          },
        ],
        '8.33.1',
        { release: 'voltdesk@2024.46' },
      ),
    ),
  ),
  // The vendor chunk throws for both; the callers are two methods of the app.
  different(
    'one vendor function, called from two methods',
    ...both(
      { name: 't.renderUsageChart', colno: 51220 },
      { name: 't.exportLedger', colno: 120914 },
      ({ name, colno }) =>
        bundle([
          {
            type: 'RangeError',
            value: 'Invalid time value',
            mechanism: onerror,
            frames: [
              at('https://static.voltdesk.com/app.77d0c1e4.js', name, 1, colno),
              at('https://static.voltdesk.com/vendors.0aa91d3f.js', 'format', 1, 8841),
              at('https://static.voltdesk.com/vendors.0aa91d3f.js', 'Date.toISOString', 1, 1204),
            ],
          },
        ]),
    ),
  ),
];
