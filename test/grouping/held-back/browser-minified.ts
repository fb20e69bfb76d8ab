import { different, same } from '../pair.ts';
import { browser } from '../shapes/javascript.ts';

export const browserMinifiedPairs = [
  same(
    'an Angular build: names, hashes and chunk order',
    browser({
      type: 'TypeError',
      value: "Cannot read properties of null (reading 'nativeElement')",
      stack: `
        r.ngAfterViewInit (https://shop.example/main.8d3c1a5b7e9f0246.js:1:88111)
        Ee (https://shop.example/main.8d3c1a5b7e9f0246.js:1:33100)
        vt (https://shop.example/main.8d3c1a5b7e9f0246.js:1:33022)`,
    }),
    browser({
      type: 'TypeError',
      value: "Cannot read properties of null (reading 'nativeElement')",
      stack: `
        n.ngAfterViewInit (https://shop.example/main.0246f9e7b5a1c3d8.js:1:88320)
        Ce (https://shop.example/main.0246f9e7b5a1c3d8.js:1:33150)
        yt (https://shop.example/main.0246f9e7b5a1c3d8.js:1:33071)`,
    }),
  ),
  same(
    'an upper-case short hash and new names',
    browser({
      type: 'Error',
      value: 'Invalid state: SHIPPED',
      stack: `
        a (https://cdn.example/web/chunk-7XQ2KLMN.js:3:120)
        b (https://cdn.example/web/main-PQ5RST2A.js:3:10)`,
    }),
    browser({
      type: 'Error',
      value: 'Invalid state: SHIPPED',
      stack: `
        i (https://cdn.example/web/chunk-B3ZZY6WD.js:3:131)
        s (https://cdn.example/web/main-UU7VWX4C.js:3:12)`,
    }),
  ),
  different(
    'minified: two types in one bundle',
    browser({
      type: 'RangeError',
      value: 'Maximum call stack size exceeded',
      stack: 't (https://shop.example/assets/app-4f3e2d1c.js:1:10234)',
    }),
    browser({
      type: 'ReferenceError',
      value: 'ga is not defined',
      stack: 't (https://shop.example/assets/app-4f3e2d1c.js:1:20234)',
    }),
  ),
  different(
    'a stack without a message differs by its kept names',
    browser({
      type: 'TypeError',
      value: 'Illegal invocation',
      stack: 'e.play (https://shop.example/assets/app-4f3e2d1c.js:1:10234)',
    }),
    browser({
      type: 'TypeError',
      value: 'Illegal invocation',
      stack: 'e.pause (https://shop.example/assets/app-4f3e2d1c.js:1:10934)',
    }),
  ),
];
