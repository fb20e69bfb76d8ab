import { AppError } from '../../src/domain/app-error.ts';
import type { BatchStore } from '../../src/domain/ports/stores/batch-store.ts';
import type { JournalFiles } from '../../src/domain/ports/journal-files.ts';
import { DigestLoop } from '../../src/integrated/digest/loop/digest-loop.ts';
import type { DigestLoopOptions } from '../../src/integrated/digest/loop/digest-loop-options.ts';
import type { DigestRecord } from '../../src/integrated/digest/digested-record.ts';
import type { UnpackedEvent } from '../../src/integrated/digest/packed-events.ts';
import type { JournalRecord } from '../../src/integrated/intake/journal-record.ts';
import { Journal } from '../../src/integrated/intake/journal/journal.ts';
import type { JournalOptions } from '../../src/integrated/intake/journal/journal.ts';
import type { MemoryBatchStore } from './memory-batch-store.ts';
import { SimulatedDisk } from './simulated-disk.ts';

export const JOURNAL_DIR = '/data/journal';
export const QUARANTINE_DIR = '/data/quarantine';

export const silentLogger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
};

/** Clock that only tests advance. */
export class TestClock {
  time = Date.UTC(2026, 0, 1);
  now(): number {
    return this.time;
  }
}

export function eventId(i: number): string {
  return i.toString(16).padStart(32, '0');
}

export function record(i: number, over: Partial<JournalRecord> = {}): JournalRecord {
  return {
    projectId: 1,
    keyId: 7,
    receivedAt: Date.UTC(2026, 0, 1) + i,
    eventId: eventId(i),
    sentAt: null,
    clientIp: '203.0.113.9',
    client: 'test/1.0',
    outcomes: [],
    body: Buffer.from(JSON.stringify({ i, text: 'x'.repeat(i % 50) })),
    ...over,
  };
}

/** Digest of the tests. Throws for a body with `"poison"`. */
export const digest: DigestRecord = (taken) => {
  const body = Buffer.from(taken.body).toString();
  if (body.includes('"poison"')) {
    throw new TypeError(`cannot digest ${body}`);
  }
  const outcomes = taken.outcomes.map((outcome) => ({
    ...outcome,
    projectId: taken.projectId,
    keyId: taken.keyId,
    at: taken.receivedAt,
  }));
  return { event: taken.eventId === null ? null : digestedEvent(taken, taken.eventId), outcomes };
};

function digestedEvent(taken: JournalRecord, id: string): UnpackedEvent {
  return {
    projectId: taken.projectId,
    keyId: taken.keyId,
    eventId: id,
    groupHash: 'a'.repeat(32),
    groupingVersion: 1,
    at: taken.receivedAt,
    receivedAt: taken.receivedAt,
    type: 'Error',
    message: null,
    title: 'Error',
    culprit: null,
    level: 'error',
    platform: 'other',
    release: null,
    environment: null,
    userHash: null,
    tags: [],
    payload: Buffer.from(taken.body).toString(),
  };
}

export function openJournal(files: JournalFiles, over: Partial<JournalOptions> = {}): Promise<Journal> {
  return Journal.open({
    files,
    dir: JOURNAL_DIR,
    clock: new TestClock(),
    logger: silentLogger,
    durability: 'power-loss',
    segmentBytes: 1024 * 1024,
    maxBytes: 64 * 1024 * 1024,
    ...over,
  });
}

export function makeLoop(files: JournalFiles, store: BatchStore, over: Partial<DigestLoopOptions> = {}): DigestLoop {
  return new DigestLoop({
    files,
    dir: JOURNAL_DIR,
    quarantineDir: QUARANTINE_DIR,
    store,
    digest,
    clock: new TestClock(),
    logger: silentLogger,
    maxRecords: 100,
    maxBytes: 1024 * 1024,
    aheadBytes: 0,
    onProgress: () => undefined,
    onQuarantine: () => undefined,
    random: () => 0.5,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    ...over,
  });
}

/** Opens the journal as at a start and digests all records. */
export async function digestAll(
  files: JournalFiles,
  store: BatchStore,
  over: Partial<DigestLoopOptions> = {},
): Promise<void> {
  const journal = await openJournal(files, over.dir === undefined ? {} : { dir: over.dir });
  const loop = makeLoop(files, store, over);
  loop.start();
  loop.advance(journal.position());
  await loop.idle();
  await loop.stop();
  await journal.close();
}

/** Disk with a journal of this many synced records, as a process left it. */
export async function diskWith(count: number, over: Parameters<typeof openJournal>[1] = {}): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const journal = await openJournal(disk, over);
  for (let i = 0; i < count; i += 1) {
    await journal.append([record(i)]);
  }
  return disk.restart('none');
}

/** Hook that makes the store unavailable: nothing is confirmed. */
export function away(): never {
  throw new AppError('store_unavailable', 'The store is away.');
}

/** Numbers of the records whose events are counted, in the order of the store. */
export function numbers(store: MemoryBatchStore): number[] {
  return [...store.counted.keys()].map((key) => Number.parseInt(key.slice(2), 16));
}

/** Numbers from 0 to `count - 1`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** Waits a number of event loop turns, like a store across a network. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise(setImmediate);
  }
}

/** Reproducible random numbers from 0 (inclusive) to 1 (exclusive). */
export function randomFrom(seed: number): () => number {
  let state = (seed % 0x7ffffffe) + 1;
  return () => {
    state = (state * 48271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}
