import { different, same } from '../pair.ts';
import { node, nodeSdk7 } from '../shapes/javascript.ts';

const express = `
  Layer.handle [as handle_request] (/app/node_modules/express/lib/router/layer.js:95:5)
  next (/app/node_modules/express/lib/router/route.js:144:13)`;
const boom = { type: 'Error', value: 'cart is closed' };

export const nodePairs = [
  same(
    'lines moved',
    node({ ...boom, stack: `Cart.add (/app/src/cart.js:10:5)\n/app/src/routes.js:8:3${express}` }),
    node({ ...boom, stack: `Cart.add (/app/src/cart.js:14:9)\n/app/src/routes.js:9:3${express}` }),
  ),
  same(
    'pnpm beside npm',
    node({
      ...boom,
      stack: `
        Cart.add (/app/src/cart.js:10:5)
        Layer.handle [as handle_request] (/app/node_modules/express/lib/router/layer.js:95:5)`,
    }),
    node({
      ...boom,
      stack: `
        Cart.add (/app/src/cart.js:10:5)
        Layer.handle [as handle_request] (/app/node_modules/.pnpm/express@4.18.2/node_modules/express/lib/router/layer.js:95:5)`,
    }),
  ),
  same(
    'anonymous functions: Object.<anonymous> beside Object.?',
    node({
      ...boom,
      stack: `
        inner (/app/index.js:4:24)
        Object.<anonymous> (/app/index.js:5:9)
        Module._compile (node:internal/modules/cjs/loader:1256:14)`,
    }),
    node({
      ...boom,
      stack: `
        inner (/app/index.js:4:24)
        Object.? (/app/index.js:5:9)
        Module._compile (node:internal/modules/cjs/loader:1521:14)
        Module.load (node:internal/modules/cjs/loader:1266:32)
        TracingChannel.traceSync (node:diagnostics_channel:328:14)`,
    }),
  ),
  same(
    'a file of ES modules from version 7 of the SDK and from a later one',
    nodeSdk7([
      {
        type: 'TypeError',
        value: 'card number is missing',
        stack: `
          charge (/app/shop.mjs:12:9)
          checkout (/app/shop.mjs:17:5)
          <anonymous> (/app/shop.mjs:24:3)
          ModuleJob.run (node:internal/modules/esm/module_job:271:25)`,
      },
      {
        type: 'RangeError',
        value: 'checkout failed',
        stack: `
          checkout (/app/shop.mjs:19:11)
          <anonymous> (/app/shop.mjs:24:3)
          ModuleJob.run (node:internal/modules/esm/module_job:271:25)`,
      },
    ]),
    node([
      {
        type: 'TypeError',
        value: 'card number is missing',
        stack: `
          charge (/app/shop.mjs:12:9)
          checkout (/app/shop.mjs:17:5)
          ? (/app/shop.mjs:24:3)
          ModuleJob.run (node:internal/modules/esm/module_job:271:25)`,
      },
      {
        type: 'RangeError',
        value: 'checkout failed',
        stack: `
          checkout (/app/shop.mjs:19:11)
          ? (/app/shop.mjs:24:3)
          ModuleJob.run (node:internal/modules/esm/module_job:271:25)`,
      },
    ]),
  ),
  same(
    'a CommonJS file of a package in a folder, from version 7 of the SDK and from a later one',
    nodeSdk7({
      ...boom,
      stack: 'Cart.add (/app/src/cart.cjs:10:5)\nhandle (/app/node_modules/router/dist/index.cjs:95:5)',
    }),
    node({
      ...boom,
      stack: 'Cart.add (/app/src/cart.cjs:10:5)\nhandle (/app/node_modules/router/dist/index.cjs:95:5)',
    }),
  ),
  different(
    'two ES modules of one folder',
    nodeSdk7({ ...boom, stack: 'add (/app/src/cart.mjs:10:5)' }),
    nodeSdk7({ ...boom, stack: 'add (/app/src/basket.mjs:10:5)' }),
  ),
  same(
    'async frames with and without the word',
    node({
      ...boom,
      stack: `
        Orders.place (/app/src/orders.js:30:11)
        processTicksAndRejections (node:internal/process/task_queues:95:5)
        async handler (/app/src/routes.js:12:5)`,
    }),
    node({
      ...boom,
      stack: `
        Orders.place (/app/src/orders.js:33:11)
        process.processTicksAndRejections (node:internal/process/task_queues:105:5)
        handler (/app/src/routes.js:12:5)`,
    }),
  ),
  same(
    'connection refused at another address, no stack',
    node({ type: 'Error', value: 'connect ECONNREFUSED 10.0.0.12:5432' }),
    node({ type: 'Error', value: 'connect ECONNREFUSED 10.0.4.1:5432' }),
  ),
  same(
    'a release folder with a time in its name',
    node({ ...boom, stack: 'Cart.add (/srv/releases/20260301120000/src/cart.js:10:5)' }),
    node({ ...boom, stack: 'Cart.add (/srv/releases/20260412093011/src/cart.js:10:5)' }),
  ),
  same(
    'a cause, linked by mechanism in the newer SDK',
    node([
      { type: 'TypeError', value: 'bad thing 1', stack: 'inner (/app/src/a.js:4:24)' },
      { type: 'Error', value: 'outer', stack: 'run (/app/src/a.js:5:24)' },
    ]),
    node([
      {
        type: 'TypeError',
        value: 'bad thing 2',
        stack: 'inner (/app/src/a.js:4:24)',
        mechanism: { type: 'chained', handled: true, source: 'cause', exception_id: 1, parent_id: 0 },
      },
      {
        type: 'Error',
        value: 'outer',
        stack: 'run (/app/src/a.js:5:24)',
        mechanism: { type: 'generic', handled: true, exception_id: 0 },
      },
    ]),
  ),
  different(
    'two routes that fail in one library call',
    node({
      type: 'JsonWebTokenError',
      value: 'jwt malformed',
      stack: `
        module.exports [as verify] (/app/node_modules/jsonwebtoken/verify.js:70:17)
        login (/app/src/login.js:9:3)`,
    }),
    node({
      type: 'JsonWebTokenError',
      value: 'jwt malformed',
      stack: `
        module.exports [as verify] (/app/node_modules/jsonwebtoken/verify.js:70:17)
        refresh (/app/src/refresh.js:9:3)`,
    }),
  ),
  different(
    'index.js of two folders',
    node({ ...boom, stack: 'run (/app/src/cart/index.js:4:24)' }),
    node({ ...boom, stack: 'run (/app/src/mail/index.js:4:24)' }),
  ),
  different(
    'two plain errors without a stack',
    node({ type: 'Error', value: 'Redis connection lost' }),
    node({ type: 'Error', value: 'Postgres connection lost' }),
  ),
];
