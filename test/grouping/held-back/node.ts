import { different, same } from '../pair.ts';
import { node } from '../shapes/javascript.ts';

const validation = { type: 'ValidationError', value: '"quantity" must be a number' };

export const nodePairs = [
  same(
    'a serverless bundle and its wrapper',
    node({
      ...validation,
      stack: `
        assertItem (/var/task/src/handlers/item.js:18:9)
        Runtime.handler (/var/task/src/handlers/item.js:40:3)
        Runtime.handleOnceNonStreaming (file:///var/runtime/index.mjs:1173:29)`,
    }),
    node({
      ...validation,
      stack: `
        assertItem (/var/task/src/handlers/item.js:22:9)
        Runtime.handler (/var/task/src/handlers/item.js:44:3)
        Runtime.handleOnceNonStreaming (file:///var/runtime/index.mjs:1306:29)`,
    }),
  ),
  same(
    'instrumented libraries of another SDK version between',
    node({
      ...validation,
      stack: `
        check (/app/src/check.js:4:2)
        handle (/app/src/http.js:9:2)
        AsyncLocalStorage.run (node:async_hooks:346:14)
        Object.wrapHandler (/app/node_modules/@sentry/node/build/cjs/integrations/http.js:55:3)`,
    }),
    node({
      ...validation,
      stack: `
        check (/app/src/check.js:4:2)
        handle (/app/src/http.js:9:2)
        AsyncLocalStorage.run (node:internal/async_local_storage/async_hooks:91:14)
        wrapped (/app/node_modules/@sentry/node-core/build/cjs/integrations/http/httpServer.js:120:3)`,
    }),
  ),
  same(
    'no stack: unique constraint of another value',
    node({
      type: 'MongoServerError',
      value: 'E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "ann@acme.example" }',
    }),
    node({
      type: 'MongoServerError',
      value: 'E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "bob@other.example" }',
    }),
  ),
  different(
    'two methods of one class',
    node({ ...validation, stack: 'Cart.add (/app/src/cart.js:10:5)\nrun (/app/src/run.js:1:1)' }),
    node({ ...validation, stack: 'Cart.remove (/app/src/cart.js:30:5)\nrun (/app/src/run.js:1:1)' }),
  ),
  different(
    'another cause',
    node([
      { type: 'AbortError', value: 'aborted', stack: 'get (/app/src/get.js:4:24)' },
      { type: 'Error', value: 'cannot load', stack: 'load (/app/src/load.js:5:24)' },
    ]),
    node([
      { type: 'SyntaxError', value: 'Unexpected end of JSON input', stack: 'get (/app/src/get.js:6:24)' },
      { type: 'Error', value: 'cannot load', stack: 'load (/app/src/load.js:5:24)' },
    ]),
  ),
];
