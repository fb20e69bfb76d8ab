import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { openWriterStore } from '../../src/storage/open-store.ts';

/**
 * Entry of a thread that hosts the write connection, as the service's digest thread does. Any message ends it in
 * order: `terminate()` may strike inside the packaged SQLite driver, which then takes the whole process along.
 */
const { dataDir, port } = workerData as { dataDir: string; port: MessagePort };
const writer = await openWriterStore({ url: 'sqlite:', dataDir });
writer.serve(port);
parentPort?.once('message', () => {
  void writer.store.close().then(() => port.close());
});
parentPort?.postMessage('ready');
