import { different, same } from '../pair.ts';
import { browser } from '../shapes/javascript.ts';

export const browserMinifiedPairs = [
  same(
    'one-letter names changed with the build',
    browser({
      type: 'TypeError',
      value: "undefined is not an object (evaluating 'e.cart.items')",
      stack: `
        t (https://shop.example/assets/app-4f3e2d1c.js:1:10234)
        n (https://shop.example/assets/app-4f3e2d1c.js:1:9001)
        Sn (https://shop.example/assets/vendor-99aa88bb.js:9:41234)`,
    }),
    browser({
      type: 'TypeError',
      value: "undefined is not an object (evaluating 't.cart.items')",
      stack: `
        o (https://shop.example/assets/app-0a9b8c7d.js:1:10301)
        r (https://shop.example/assets/app-0a9b8c7d.js:1:9044)
        kn (https://shop.example/assets/vendor-1122aabb.js:9:41300)`,
    }),
  ),
  same(
    'methods of minified classes',
    browser({
      type: 'RangeError',
      value: 'Invalid time value',
      stack: `
        t.toIso (https://shop.example/dist/bundle.min.js?b=812:1:500)
        t.render (https://shop.example/dist/bundle.min.js?b=812:1:700)`,
    }),
    browser({
      type: 'RangeError',
      value: 'Invalid time value',
      stack: `
        n.toIso (https://shop.example/dist/bundle.min.js?b=977:1:530)
        n.render (https://shop.example/dist/bundle.min.js?b=977:1:755)`,
    }),
  ),
  same(
    'anonymous and async in Chrome and Safari',
    browser({
      type: 'Error',
      value: 'Request aborted',
      stack: `
        XMLHttpRequest.? (https://shop.example/js/chunk-vendors.5c1d2e3f.js:7:12)
        async e.submit (https://shop.example/js/app.2a3b4c5d.js:1:88)`,
    }),
    browser({
      type: 'Error',
      value: 'Request aborted',
      stack: `
        ? (https://shop.example/js/chunk-vendors.77e8f9a0.js:7:15)
        t.submit (https://shop.example/js/app.b1c2d3e4.js:1:90)`,
    }),
  ),
  same(
    'the anonymous function has a name or <anonymous>',
    browser({
      type: 'Error',
      value: 'no slot',
      stack: '<anonymous> (https://ads.example/tag.js:1:2)\nrun (https://ads.example/tag.js:1:90)',
    }),
    browser({
      type: 'Error',
      value: 'no slot',
      stack: '? (https://ads.example/tag.js:1:3)\nrun (https://ads.example/tag.js:1:95)',
    }),
  ),
  same(
    'webpack sources with a prefix and query',
    browser({
      type: 'Error',
      value: 'no slot',
      stack: 'slot (webpack:///./src/ads/slot.js?4f2c:12:2)\nrun (webpack:///./src/ads/run.js?9a1b:3:1)',
    }),
    browser({
      type: 'Error',
      value: 'no slot',
      stack: 'slot (webpack:///./src/ads/slot.js?e0d1:15:2)\nrun (webpack:///./src/ads/run.js?77c0:3:1)',
    }),
  ),
  same(
    'a promise rejected with a value: other ids',
    browser({
      type: 'UnhandledRejection',
      value: 'Non-Error promise rejection captured with value: Object Not Found Matching Id:4',
    }),
    browser({
      type: 'UnhandledRejection',
      value: 'Non-Error promise rejection captured with value: Object Not Found Matching Id:12',
    }),
  ),
  different(
    'minified: two bundles',
    browser({
      type: 'TypeError',
      value: 'x is not a function',
      stack: 't (https://shop.example/assets/checkout-4f3e2d1c.js:1:10234)',
    }),
    browser({
      type: 'TypeError',
      value: 'x is not a function',
      stack: 't (https://shop.example/assets/search-0a9b8c7d.js:1:10234)',
    }),
  ),
  different(
    'minified: one bundle, two texts',
    browser({
      type: 'Error',
      value: 'Cart is empty',
      stack: 't (https://shop.example/assets/app-4f3e2d1c.js:1:10234)',
    }),
    browser({
      type: 'Error',
      value: 'Payment was refused',
      stack: 't (https://shop.example/assets/app-4f3e2d1c.js:1:50234)',
    }),
  ),
  different(
    'two methods kept by the minifier',
    browser({
      type: 'Error',
      value: 'closed',
      stack: 'e.addItem (https://shop.example/assets/app-4f3e2d1c.js:1:10234)',
    }),
    browser({
      type: 'Error',
      value: 'closed',
      stack: 'e.removeItem (https://shop.example/assets/app-4f3e2d1c.js:1:11234)',
    }),
  ),
];
