import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../../src/domain/app-error.ts';
import {
  type Forward,
  forwardPauseKey,
  type ForwardState,
  isForwardPending,
} from '../../../../src/domain/ingest/forward.ts';
import type { EnvelopeAnswer } from '../../../../src/domain/ports/envelope-sender.ts';
import { ForwardWorker } from '../../../../src/integrated/forwarding/forward-worker.ts';
import { SpoolWriter } from '../../../../src/integrated/forwarding/spool-writer.ts';
import { nodeJournalFiles as files } from '../../../../src/integrated/intake/journal/node-files.ts';
import { forwardRecord } from '../../../support/forward-records.ts';
import { eventId, silentLogger, TestClock } from '../../../support/journal-world.ts';

const FORWARD: Forward = { projectId: 1, sealedDsn: 'x', target: 't', until: null, createdAt: 0 };
const OK: EnvelopeAnswer = { status: 200, rateLimits: null, retryAfter: null };

describe('worker that forwards', () => {
  let dir = '';
  let clock: TestClock;
  let forwards: Forward[];
  let states: ForwardState[];
  let sent: string[];
  let marked: string[];
  let counts: Map<string, number>;
  let storeError: AppError | null;
  let pausedUntil: number;
  let send: (id: string, signal: AbortSignal) => Promise<EnvelopeAnswer>;
  let writer: SpoolWriter;
  let worker: ForwardWorker;

  const open = (maxBytes = 1_000_000) =>
    new ForwardWorker({
      ...{ files, dir, clock, maxBytes, logger: silentLogger, instanceId: 'own' },
      store: {
        listForwards: async () => forwards,
        listForwardStates: async (projectId) => states.filter((state) => state.projectId === projectId),
        saveForwardState: async (state) => {
          if (storeError !== null) throw storeError;
          states = [...states.filter(({ projectId }) => projectId !== state.projectId), state];
        },
        importState: async (key) => (key === forwardPauseKey(1) ? JSON.stringify({ until: pausedUntil }) : null),
      },
      decrypt: () => 'https://there@old.example/42',
      send: ({ body }, signal) => {
        const id = /"event_id":"(\w+)"/.exec(Buffer.from(body).toString())?.[1] ?? '';
        sent.push(id);
        return send(id, signal);
      },
      mark: async (_projectId, ids) => void marked.push(...ids),
      removeDir: (path) => rm(path, { recursive: true, force: true }),
      maxAgeMs: 86_400_000,
      maxInflatedBytes: 1_000_000,
      count: (result, quantity) => counts.set(result, (counts.get(result) ?? 0) + quantity),
      tickMs: 3_600_000,
    });

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'errgate-forward-'));
    clock = new TestClock();
    [forwards, states, sent, marked, counts, storeError] = [[FORWARD], [], [], [], new Map(), null];
    pausedUntil = 0;
    send = async () => OK;
    writer = new SpoolWriter({
      ...{ files, dir, durability: 'power-loss', maxBytes: 16_000, logger: silentLogger },
      diskLow: async () => null,
      onDropped: () => undefined,
    });
    worker = open();
  });
  afterEach(async () => {
    await worker.stop();
    await writer.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Looks at the spool until a condition holds. */
  async function until(done: () => boolean): Promise<void> {
    for (let turn = 0; turn < 2000 && !done(); turn += 1) {
      await worker.tick();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.ok(done(), 'not reached');
  }
  const isPending = () => isForwardPending(states, clock.now());

  it('tells the store before it sends, and when all is marked and a minute has passed', async () => {
    await writer.take([forwardRecord(1), forwardRecord(2)]);
    const pendingAtSend: boolean[] = [];
    send = async () => {
      pendingAtSend.push(states.some(({ pendingUntil }) => pendingUntil > clock.now()));
      return OK;
    };
    await until(() => states[0]?.pendingUntil === 0);
    assert.deepEqual(sent.toSorted(), [eventId(1), eventId(2)]);
    assert.deepEqual(pendingAtSend, [true, true]);
    assert.deepEqual(marked.toSorted(), [eventId(1), eventId(2)]);
    assert.equal(isPending(), true);
    clock.time += 61_000;
    assert.equal(isPending(), false);
    assert.equal(states[0]?.bytes, 0);
  });

  const session = (i: number) =>
    forwardRecord(
      i,
      { body: Buffer.from(`{"event_id":"${eventId(i)}"}\n{"type":"session"}\n{}\n`) },
      { hasEvent: false },
    );

  it('holds no counts up for requests without an event', async () => {
    await writer.take([session(1)]);
    await until(() => sent.length === 1 && states[0]?.bytes === 0);
    assert.equal(isPending(), false);
  });

  it('sends no events while an import asks for a pause, which ends by itself', async () => {
    pausedUntil = clock.time + 60_000;
    await writer.take([forwardRecord(1), session(2)]);
    await until(() => sent.length === 1 && states[0] !== undefined);
    for (let turn = 0; turn < 20; turn += 1) await worker.tick();
    assert.deepEqual(sent, [eventId(2)]);
    assert.equal(isPending(), false);
    clock.time += 60_000;
    await until(() => marked.length === 1);
    assert.deepEqual(sent, [eventId(2), eventId(1)]);
    // Asked for in the middle: what is on its way is settled, the rest waits.
    pausedUntil = clock.time + 60_000;
    clock.time += 5000;
    await worker.tick();
    await writer.take([forwardRecord(3)]);
    for (let turn = 0; turn < 20; turn += 1) await worker.tick();
    assert.equal(sent.length, 2);
    assert.equal(states[0]?.pendingUntil, 0);
  });

  it('sends nothing while it cannot tell the store', async () => {
    storeError = new AppError('store_unavailable', 'away');
    await writer.take([forwardRecord(1)]);
    for (let turn = 0; turn < 5; turn += 1) await worker.tick();
    assert.deepEqual(sent, []);
    storeError = null;
    await until(() => sent.length === 1);
  });

  it('continues after a restart without repeating what is finished', async () => {
    await writer.take([forwardRecord(1)]);
    await until(() => states[0]?.pendingUntil === 0);
    await writer.take([forwardRecord(2)]);
    send = (_id, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    await until(() => sent.length === 2);
    await worker.stop();
    assert.ok((states[0]?.pendingUntil ?? 0) > clock.now(), 'what waits is still told');
    send = async () => OK;
    worker = open();
    await until(() => marked.length === 2);
    assert.deepEqual(sent, [eventId(1), eventId(2), eventId(2)]);
  });

  it('is not held up for others by a target that hangs', async () => {
    forwards = [FORWARD, { ...FORWARD, projectId: 2 }];
    send = (id) => (id === eventId(1) ? new Promise(() => undefined) : Promise.resolve(OK));
    await writer.take([forwardRecord(1), forwardRecord(2, { projectId: 2 }), forwardRecord(3)]);
    await until(() => marked.length === 2);
    assert.deepEqual(marked.toSorted(), [eventId(2), eventId(3)]);
  });

  it('keeps its bound: the oldest are dropped and counted', async () => {
    send = async () => ({ ...OK, status: 503 });
    await worker.stop();
    worker = open(4000);
    for (let i = 1; i <= 60; i += 1) await writer.take([forwardRecord(i)]);
    await until(() => (counts.get('overflow') ?? 0) > 0);
    const onDisk = readdirSync(join(dir, '1', 'events', 'segments')).length;
    assert.ok(onDisk <= 6, `${onDisk} segments of 1,000 bytes`);
    send = async () => OK;
    clock.time += 300_000;
    await until(() => states[0]?.pendingUntil === 0);
    assert.equal(marked.length + (counts.get('overflow') ?? 0), 60);
    assert.ok(marked.includes(eventId(60)));
    assert.ok(!marked.includes(eventId(1)));
    assert.equal(states[0]?.dropped, counts.get('overflow'));
  });

  it('drops what waits for a project that forwards no more, and goes on when it forwards again', async () => {
    send = async () => ({ ...OK, status: 503 });
    await writer.take([forwardRecord(1), forwardRecord(2), forwardRecord(3)]);
    await until(() => sent.length > 0);
    forwards = [];
    worker.changed();
    await until(() => !existsSync(join(dir, '1')));
    assert.equal(counts.get('removed'), 3);
    assert.equal(states[0]?.pendingUntil, 0);
    forwards = [FORWARD];
    worker.changed();
    send = async () => OK;
    await writer.take([forwardRecord(4)]);
    await until(() => marked.length === 1);
    assert.deepEqual(marked, [eventId(4)]);
  });
});
