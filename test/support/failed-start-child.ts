/** Starts a service on a port in use and prints the error and the open resources; must exit without help. */
import { createServer } from 'node:net';
import { loadConfig } from '../../config/load.ts';
import { startService } from '../../src/compose/start-service.ts';

const [dataDir = ''] = process.argv.slice(2);
const occupant = createServer();
await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
const address = occupant.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const config = loadConfig({
  env: {},
  overrides: { server: { host: '127.0.0.1', port }, log: { level: 'silent' }, journal: { minFreeDiskBytes: 0 } },
});
const error: unknown = await startService(config, { dataDir, version: '0.0.0' }).then(
  () => null,
  (reason: unknown) => reason,
);
await new Promise((resolve) => occupant.close(resolve));
// Closed handles are listed until the end of the event loop's turn, after its immediates.
for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
const left = process.getActiveResourcesInfo();
process.stdout.write(JSON.stringify({ message: error instanceof Error ? error.message : null, left }));
