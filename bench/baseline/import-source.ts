/**
 * Fake Sentry with a project of many errors to import. Takes the milliseconds of each answer and the number of errors;
 * prints its address, and that of a server which answers with the number of requests so far.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeSource } from '../../test/support/fake-source/fake-source.ts';
import { IMPORT_TOKEN } from '../../test/support/import-world.ts';

const [delayMs = 20, errors = 10_000] = process.argv.slice(2).map(Number);
const source = await startFakeSource('sentry', { delayMs });
source.world.addToken(IMPORT_TOKEN);
source.world.addIssues(source.world.addProject('shop', { id: '4711' }), errors, (index) => ({
  bodies: [
    {
      body: {
        platform: 'python',
        level: 'error',
        exception: {
          values: [
            {
              type: 'ValueError',
              value: `order ${index} failed`,
              stacktrace: {
                frames: [
                  { module: 'shop.app', filename: 'shop/app.py', function: 'run', lineno: 12, in_app: true },
                  { module: 'shop.cart', filename: 'shop/cart.py', function: `add_${index}`, lineno: 7, in_app: true },
                ],
              },
            },
          ],
        },
      },
    },
  ],
  count: 7,
}));
const counter = createServer((_request, response) => response.end(String(source.requests.length)));
counter.listen(0, '127.0.0.1', () => {
  const { port } = counter.address() as AddressInfo;
  console.log(JSON.stringify({ origin: source.origin, counter: `http://127.0.0.1:${port}` }));
});
