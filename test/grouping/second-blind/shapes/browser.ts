import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const at = (filename: string, name: string, lineno: number, colno: number): Frame => ({
  filename,
  function: name,
  lineno,
  colno,
  in_app: true,
});

export const browser = (failures: readonly Failure[], sdk = 'react@8.35.0', more: Fields = {}): RawEvent => {
  const [name = '', version = ''] = sdk.split('@');
  return failing('javascript', [`sentry.javascript.${name}`, version], failures, more);
};

export const onerror = { type: 'onerror', handled: false };

export const rejection = { type: 'onunhandledrejection', handled: false };

export const handler = {
  type: 'instrument',
  handled: false,
  data: { function: 'addEventListener', handler: '<anonymous>', target: 'EventTarget' },
};

export const host = 'https://app.fernshop.io';

export const react18 = [
  at(`${host}/node_modules/react-dom/cjs/react-dom.development.js`, 'HTMLUnknownElement.callCallback', 4164, 14),
  at(`${host}/node_modules/react-dom/cjs/react-dom.development.js`, 'renderWithHooks', 15486, 18),
];

export const react19 = [
  at(
    `${host}/node_modules/react-dom/cjs/react-dom-client.development.js`,
    'Object.react-stack-bottom-frame',
    23863,
    20,
  ),
  at(`${host}/node_modules/react-dom/cjs/react-dom-client.development.js`, 'renderWithHooks', 5529, 22),
  at(`${host}/node_modules/react-dom/cjs/react-dom-client.development.js`, 'beginWork', 10516, 18),
];

export const priceOf = (value: string, names: readonly [string, string, string], sdkVersion: string, agent: string) =>
  browser(
    [
      {
        type: 'TypeError',
        value,
        mechanism: onerror,
        frames: [
          at(`${host}/src/cart/Cart.tsx`, names[0], 48, 21),
          at(`${host}/src/cart/totals.ts`, names[1], 17, 33),
          at(`${host}/src/cart/totals.ts`, names[2], 9, 20),
        ],
      },
    ],
    `react@${sdkVersion}`,
    { request: { url: `${host}/cart`, headers: { 'User-Agent': agent } } },
  );

export const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
