import { different, same } from '../pair.ts';
import { browser } from '../shapes/javascript.ts';

const undef = { type: 'TypeError', value: "Cannot read properties of undefined (reading 'price')" };

export const browserPairs = [
  same(
    'the chunk has another hash, all on one line',
    browser({
      ...undef,
      stack: `
        renderRow (https://shop.example/static/js/main.3f2a1b9c.js:1:23456)
        renderTable (https://shop.example/static/js/main.3f2a1b9c.js:1:23900)
        commitRoot (https://shop.example/static/js/vendors.7d0e11aa.chunk.js:2:99812)`,
    }),
    browser({
      ...undef,
      stack: `
        renderRow (https://shop.example/static/js/main.b81c77e0.js:1:24001)
        renderTable (https://shop.example/static/js/main.b81c77e0.js:1:24420)
        commitRoot (https://shop.example/static/js/vendors.0c9d2f3e.chunk.js:2:99954)`,
    }),
  ),
  same(
    'a bundle of vite with another base64 hash',
    browser({
      ...undef,
      stack: `
        addToCart (https://shop.example/assets/index-BxK3_9aZ.js:14:2301)
        onClick (https://shop.example/assets/Cart-Dq8s1LmP.js:1:410)`,
    }),
    browser({
      ...undef,
      stack: `
        addToCart (https://shop.example/assets/index-C0w7RtYq.js:14:2340)
        onClick (https://shop.example/assets/Cart-a9XzK_42.js:1:433)`,
    }),
  ),
  same(
    'minified names and hashed chunk, one message',
    browser({
      ...undef,
      stack: `
        a (https://cdn.shop.example/app.8d7f6e5c.min.js:1:11874)
        t.value (https://cdn.shop.example/app.8d7f6e5c.min.js:1:20110)
        ? (https://cdn.shop.example/app.8d7f6e5c.min.js:1:30112)`,
    }),
    browser({
      ...undef,
      stack: `
        l (https://cdn.shop.example/app.1f2e3d4c.min.js:1:12017)
        e.value (https://cdn.shop.example/app.1f2e3d4c.min.js:1:20304)
        ? (https://cdn.shop.example/app.1f2e3d4c.min.js:1:30555)`,
    }),
  ),
  same(
    'another host and a query string serve the script',
    browser({ ...undef, stack: 'total (https://eu.cdn.example/js/cart.js?v=20260301:10:5)' }),
    browser({ ...undef, stack: 'total (https://us.cdn.example/js/cart.js?v=20260415:12:5)' }),
  ),
  same(
    'Chrome beside Firefox',
    browser({
      ...undef,
      stack: `
        Cart.total (https://shop.example/js/cart.js:10:15)
        HTMLButtonElement.onClick (https://shop.example/js/cart.js:80:3)`,
    }),
    browser({
      ...undef,
      stack: `
        total (https://shop.example/js/cart.js:10:15)
        onClick (https://shop.example/js/cart.js:80:3)`,
    }),
  ),
  same(
    'the wrapper of the SDK around the handler',
    browser({
      ...undef,
      stack: `
        onSubmit (https://shop.example/js/form.js:10:15)
        HTMLFormElement.r (https://shop.example/js/form.js:1:2)`,
    }),
    browser({
      ...undef,
      stack: `
        onSubmit (https://shop.example/js/form.js:10:15)
        HTMLFormElement.r (https://shop.example/js/form.js:1:2)
        HTMLFormElement.sentryWrapped (https://shop.example/node_modules/@sentry/browser/build/npm/esm/helpers.js:98:17)`,
    }),
  ),
  same(
    'a failed fetch without a stack, for other ids',
    browser({
      type: 'AxiosError',
      value: 'Request to /api/orders/8f14e45f-ceea-467f-a8d7-5b1e6c1f9a01 failed with status code 500',
    }),
    browser({
      type: 'AxiosError',
      value: 'Request to /api/orders/c9f0f895-fb98-4b91-9d2e-0f7c6a5d4b32 failed with status code 500',
    }),
  ),
  different(
    'two functions of one bundle',
    browser({ ...undef, stack: 'renderRow (https://shop.example/static/js/main.3f2a1b9c.js:1:23456)' }),
    browser({ ...undef, stack: 'renderHead (https://shop.example/static/js/main.3f2a1b9c.js:1:43456)' }),
  ),
  different(
    'one handler name in two files',
    browser({ ...undef, stack: 'onClick (https://shop.example/js/cart.js:10:15)' }),
    browser({ ...undef, stack: 'onClick (https://shop.example/js/login.js:10:15)' }),
  ),
  different(
    'script errors of one place with another type',
    browser({ ...undef, stack: 'parse (https://shop.example/js/api.js:10:15)' }),
    browser({
      type: 'SyntaxError',
      value: 'Unexpected token < in JSON at position 0',
      stack: 'parse (https://shop.example/js/api.js:10:15)',
    }),
  ),
];
