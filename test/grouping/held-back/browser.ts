import { different, same } from '../pair.ts';
import { browser } from '../shapes/javascript.ts';

export const browserPairs = [
  same(
    'a Next.js build: another build id and chunk numbers',
    browser({
      type: 'TypeError',
      value: 'e.items.map is not a function',
      stack: `
        Basket (https://shop.example/_next/static/chunks/pages/basket-2f4a6c8e0b1d3f57.js:1:5120)
        renderWithHooks (https://shop.example/_next/static/chunks/framework-79bce4a3a540b080.js:1:60902)`,
    }),
    browser({
      type: 'TypeError',
      value: 't.items.map is not a function',
      stack: `
        Basket (https://shop.example/_next/static/chunks/pages/basket-9b8d7f6e5a4c3b2a.js:1:5199)
        renderWithHooks (https://shop.example/_next/static/chunks/framework-ecc4130bc7a58a64.js:1:60902)`,
    }),
  ),
  same(
    'a numbered chunk, anonymous calls',
    browser({
      type: 'ReferenceError',
      value: 'gtag is not defined',
      stack: `
        ? (https://shop.example/static/js/281.5e2d1c0b.chunk.js:1:2201)
        Array.forEach (<anonymous>:0:0)
        ? (https://shop.example/static/js/281.5e2d1c0b.chunk.js:1:1999)`,
    }),
    browser({
      type: 'ReferenceError',
      value: 'gtag is not defined',
      stack: `
        ? (https://shop.example/static/js/281.a0b1c2d3.chunk.js:1:2235)
        ? (https://shop.example/static/js/281.a0b1c2d3.chunk.js:1:2031)`,
    }),
  ),
  same(
    'no stack: the failed chunk has another number, hash and url',
    browser({
      type: 'ChunkLoadError',
      value: 'Loading chunk 412 failed. (error: https://shop.example/static/js/412.9f8e7d6c.chunk.js)',
    }),
    browser({
      type: 'ChunkLoadError',
      value: 'Loading chunk 77 failed. (error: https://shop.example/static/js/77.00c1d2e3.chunk.js)',
    }),
  ),
  different(
    'one type without a stack, two texts',
    browser({ type: 'SecurityError', value: 'The operation is insecure.' }),
    browser({ type: 'SecurityError', value: 'Blocked a frame from accessing a cross-origin frame.' }),
  ),
  different(
    'two chunks with one anonymous function',
    browser({
      type: 'TypeError',
      value: 'n is null',
      stack: '? (https://shop.example/assets/checkout-BxK3_9aZ.js:1:410)',
    }),
    browser({
      type: 'TypeError',
      value: 'n is null',
      stack: '? (https://shop.example/assets/profile-Dq8s1LmP.js:1:410)',
    }),
  ),
];
