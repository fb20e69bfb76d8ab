/** Composition root of the digest thread: its connection to the store, and the digest loop. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { MappedCounts } from '../artifacts/frames/event-mapper.ts';
import { AppError } from '../domain/app-error.ts';
import { systemClock } from '../domain/ports/clock.ts';
import type { DigestedRecord, DigestMappedRecord } from '../integrated/digest/digested-record.ts';
import { BATCH_BOUNDS } from '../integrated/digest/loop/digest-loop-options.ts';
import { DigestLoop } from '../integrated/digest/loop/digest-loop.ts';
import type { DigestNotice, DigestRequest } from '../integrated/digest/digest-protocol.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import type { JournalPosition } from '../integrated/intake/journal/segment.ts';
import type { SpoolWriter } from '../integrated/forwarding/spool-writer.ts';
import { withLateReleases } from '../integrated/triage/late-releases.ts';
import { ProjectOverrides } from '../integrated/project-overrides.ts';
import { createLogger } from '../observability/logger.ts';
import { openWriterStore, type WriterStore } from '../storage/open/open-store.ts';
import { openWithRetry, waitsFor } from '../storage/open/open-with-retry.ts';
import { type ComposedDigest, composeDigest } from './digest.ts';
import { createSpoolWriter } from './spool.ts';
import type { DigestThreadInput } from './store.ts';

const { config, dataDir, writes, mayWait } = workerData as DigestThreadInput;
const stopping = new AbortController();
const own = new ProjectOverrides();
let running: (Opened & { readonly loop: DigestLoop; readonly spool: SpoolWriter }) | null = null;
/** Last position received before the loop was running. */
let early: JournalPosition | null = null;
let reportWhenIdle = false;
/** True after the store was not available, while the thread retries or migrates it. */
let away = false;

function send(notice: DigestNotice): void {
  parentPort?.postMessage(notice);
}

parentPort?.on('message', (request: DigestRequest) => {
  switch (request.kind) {
    case 'advance':
      advance(request.position);
      break;
    case 'protect':
      own.replace(request.protections);
      break;
    case 'report_idle':
      reportIdle();
      break;
    case 'stop':
      void stop();
      break;
    default:
      // Ends the thread, which is replaced: the two sides no longer understand each other.
      throw new Error(`the digest thread was asked for ${JSON.stringify(request satisfies never)}`);
  }
});

/** Reports when the loop is idle, or at once that it is not when the store does not answer. */
function reportIdle(): void {
  if (running !== null) void running.loop.idle().then((drained) => send({ kind: 'idle', drained }));
  else if (away) send({ kind: 'idle', drained: false });
  else reportWhenIdle = true;
}

/**
 * Passes a position to the loop and starts it. Before the first call no segment may be removed, because the main thread
 * still lists those of an earlier process.
 */
function advance(position: JournalPosition): void {
  early = position;
  running?.loop.start();
  running?.loop.advance(position);
}

async function stop(): Promise<void> {
  stopping.abort();
  await running?.loop.stop();
  await running?.spool.close();
  running?.composed.stop();
  await running?.writer.store.close();
  end();
}

function end(): void {
  writes.close();
  parentPort?.close();
}

/** Counts the items that the digest drops; the intake counts the ones it drops. */
function counted(digest: DigestMappedRecord): DigestMappedRecord {
  const count = (before: number, digested: DigestedRecord) => {
    for (const { category, reason, quantity } of digested.outcomes.slice(before)) {
      send({ kind: 'dropped', category, reason, quantity });
    }
    return digested;
  };
  return (record) => {
    const before = record.outcomes.length;
    const digested = digest(record);
    return digested instanceof Promise ? digested.then((each) => count(before, each)) : count(before, digested);
  };
}

function onMapped({ mapped, unmapped, skipped }: MappedCounts): void {
  send({ kind: 'frames', mapped, unmapped, skipped });
}

function onAsSent(): void {
  send({ kind: 'grouped_as_sent' });
}

interface Opened {
  readonly writer: WriterStore;
  readonly composed: ComposedDigest;
}

async function open(): Promise<Opened> {
  const writer = await openWriterStore({
    url: config.store.url,
    dataDir,
    onMigration: (message) => report({ message }),
  });
  try {
    return { writer, composed: await composeDigest(config, writer.store, own, { onMapped, onAsSent }) };
  } catch (error) {
    await writer.store.close();
    throw error;
  }
}

/** Reports that the store is not available yet: it does not answer, or is being migrated. */
function report({ message: reason }: { readonly message: string }): void {
  away = true;
  send({ kind: 'away', reason });
  if (reportWhenIdle) reportIdle();
  reportWhenIdle = false;
}

/** Opens the store; null when the thread must end. */
async function opened(): Promise<Opened | null> {
  try {
    const codes = mayWait ? waitsFor(config.store) : [];
    return await openWithRetry({ open, waitsFor: codes, onAway: report, signal: stopping.signal });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    send({ kind: 'refused', code: error.code, reason: error.message });
    end();
    return null;
  }
}

function start(parts: Opened): void {
  const { writer, composed } = parts;
  const logger = createLogger({ ...config.log, format: config.log.format === 'auto' ? 'json' : config.log.format });
  const spool = createSpoolWriter(config, dataDir, logger, (count) => send({ kind: 'forwards_unwritten', count }));
  const loop = new DigestLoop({
    files: nodeJournalFiles,
    dir: join(dataDir, 'journal'),
    quarantineDir: join(dataDir, 'quarantine'),
    store: withLateReleases(writer.store, systemClock, logger),
    clock: systemClock,
    logger,
    ...BATCH_BOUNDS,
    gatherMs: config.journal.batchGatherMs,
    digest: counted(composed.mapped),
    forward: (records) => spool.take(records),
    onProgress: (progress) => send({ kind: 'progress', progress }),
    onHeldUp: (reason) => send({ kind: 'held_up', reason }),
    onQuarantine: () => send({ kind: 'quarantined', count: 1 }),
  });
  running = { ...parts, loop, spool };
  writer.serve(writes);
  if (early !== null) advance(early);
  send({ kind: 'ready' });
  if (reportWhenIdle) reportIdle();
}

const result = await opened();
if (result !== null) {
  if (stopping.signal.aborted) {
    result.composed.stop();
    await result.writer.store.close();
  } else {
    start(result);
  }
}
