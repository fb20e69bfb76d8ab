/** Composition root of the thread that forwards requests: its connection to the store, the spool and the client. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../domain/ports/clock.ts';
import { ForwardWorker } from '../integrated/forwarding/forward-worker.ts';
import { spoolDir } from '../integrated/forwarding/spool-paths.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import { createLogger } from '../observability/logger.ts';
import { openStore } from '../storage/open/open-store.ts';
import { openWithRetry } from '../storage/open/open-with-retry.ts';
import { createTokenCipher } from '../thirdparty/secrets/encrypted-token.ts';
import { createEnvelopeSender } from '../thirdparty/http/envelope-sender.ts';
import { readKeyRing } from '../thirdparty/secrets/key-ring.ts';
import { createUrlGuard } from '../thirdparty/guard/url-guard.ts';
import type { ForwardNotice, ForwardRequest, ForwardThreadInput } from './forward-protocol.ts';
import { HOUR_MS } from '../domain/durations.ts';

const { config, dataDir } = workerData as ForwardThreadInput;
const stopping = new AbortController();
let worker: ForwardWorker | null = null;

parentPort?.on('message', (request: ForwardRequest) => {
  if (request.kind === 'changed') worker?.changed();
  else stopping.abort();
});

function tell(notice: ForwardNotice): void {
  parentPort?.postMessage(notice);
}

async function run(): Promise<void> {
  const logger = createLogger({ ...config.log, format: config.log.format === 'auto' ? 'json' : config.log.format });
  const { url } = config.store;
  const open = () => openStore({ url, dataDir, migrate: false });
  const store = await openWithRetry({
    open,
    // The digest thread migrates an embedded store.
    waitsFor: ['store_unavailable', 'store_outdated'],
    onAway: () => undefined,
    signal: stopping.signal,
  });
  if (store === null) return;
  const sender = createEnvelopeSender(createUrlGuard(config.outbound));
  const cipher = createTokenCipher(() => readKeyRing({ ...config, dataDir }), 'forward DSN');
  worker = new ForwardWorker({
    files: nodeJournalFiles,
    dir: spoolDir(dataDir),
    store,
    instanceId: await store.initMeta('instance_id', randomUUID()),
    decrypt: (sealed, projectId) => cipher.decrypt(sealed, projectId),
    send: sender.send,
    mark: (projectId, eventIds, now) => store.markKnownThere(projectId, eventIds, now),
    removeDir: (dir) => rm(dir, { recursive: true, force: true }),
    clock: systemClock,
    logger,
    maxBytes: config.forward.maxBytes,
    maxAgeMs: config.forward.maxHours * HOUR_MS,
    maxInflatedBytes: config.intake.maxInflatedBytes,
    count: (result, quantity) => tell({ kind: 'count', result, quantity }),
    onWaiting: (bytes, oldestAt) => tell({ kind: 'waiting', bytes, oldestAt }),
  });
  worker.start();
  await aborted(stopping.signal);
  await worker.stop();
  sender.close();
  await store.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

await run().finally(() => parentPort?.close());
