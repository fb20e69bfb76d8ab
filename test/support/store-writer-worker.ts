import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { openWriterStore } from '../../src/storage/open/open-store.ts';

/**
 * Entry of a thread with the write connection, like the service's digest thread. Any message stops it.
 * `terminate()` could interrupt the SQLite driver and crash the process.
 */
const { dataDir, port } = workerData as { dataDir: string; port: MessagePort };
const writer = await openWriterStore({ url: 'sqlite:', dataDir });
writer.serve(port);
parentPort?.once('message', () => {
  void writer.store.close().then(() => port.close());
});
parentPort?.postMessage('ready');
