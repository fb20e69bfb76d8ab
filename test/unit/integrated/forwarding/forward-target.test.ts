import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import type { EnvelopeAnswer, EnvelopeRequest } from '../../../../src/domain/ports/envelope-sender.ts';
import { ForwardTarget } from '../../../../src/integrated/forwarding/forward-target.ts';
import type { LaneReader, SpoolEntry } from '../../../../src/integrated/forwarding/lane-reader.ts';
import { MarkQueue } from '../../../../src/integrated/forwarding/mark-queue.ts';
import type { ForwardedRequest, JournalRecord } from '../../../../src/integrated/intake/journal-record.ts';
import { forwardRecord } from '../../../support/forward-records.ts';
import { eventId, TestClock } from '../../../support/journal-world.ts';

const HOUR_MS = 3_600_000;

type Reply = Partial<EnvelopeAnswer> | Error;

describe('target of a forward', () => {
  let clock: TestClock;
  let sent: EnvelopeRequest[];
  let replies: (request: EnvelopeRequest) => Reply;
  let counts: string[];
  let marked: string[];
  let markError: Error | null;
  let target: ForwardTarget;
  let ending: AbortController;

  beforeEach(() => {
    clock = new TestClock();
    sent = [];
    counts = [];
    marked = [];
    markError = null;
    replies = () => ({});
    ending = new AbortController();
    const { signal } = ending;
    // Time passes while somebody sleeps, and only then.
    const sleep = async (ms: number): Promise<void> => {
      clock.time += ms;
      await new Promise(setImmediate);
    };
    const mark = async (ids: readonly string[]): Promise<void> => {
      if (markError !== null) throw markError;
      marked.push(...ids);
    };
    target = new ForwardTarget({
      dsn: () => 'https://there:secret@old.example/sub/42',
      instanceId: 'own',
      marks: new MarkQueue({ mark, signal, onError: () => undefined, sleep, random: () => 0.5 }),
      ...{ clock, signal, sleep, random: () => 0.5, maxAgeMs: 24 * HOUR_MS, maxInflatedBytes: 1_000_000 },
      send: async (request) => {
        sent.push(request);
        const reply = replies(request);
        if (reply instanceof Error) throw reply;
        return { status: 200, rateLimits: null, retryAfter: null, ...reply };
      },
      count: (result, quantity) => counts.push(`${quantity} ${result}`),
    });
  });

  const lane = {
    dropped: 0,
    countDropped(count: number) {
      this.dropped += count;
    },
    finish: (entry: SpoolEntry) => (entry.finished = true),
  };

  async function deliver(record: JournalRecord): Promise<SpoolEntry> {
    const entry = { record, end: { segment: 1, offset: 1 }, finished: false };
    await target.deliver(lane as unknown as LaneReader, entry);
    return entry;
  }

  const inOrder = (list: readonly Reply[]) => {
    let at = 0;
    replies = () => list[at++] ?? {};
  };
  const begun = Date.UTC(2026, 0, 1);
  const made = (i = 1, over: Partial<JournalRecord> = {}, forward: Partial<ForwardedRequest> = {}) =>
    forwardRecord(i, { receivedAt: begun, ...over }, forward);

  it('gets the request with its own key, the sender of the SDK, and the mark of this instance', async () => {
    const entry = await deliver(made(1, { client: 'sdk, x/1' }, { via: 'other' }));
    assert.equal(sent.length, 1);
    assert.equal(sent[0]?.url, 'https://old.example/sub/api/42/envelope/');
    assert.deepEqual(sent[0].headers, {
      'Content-Type': 'application/x-sentry-envelope',
      'X-Sentry-Auth': 'Sentry sentry_version=7, sentry_client=sdk  x/1, sentry_key=there, sentry_secret=secret',
      'User-Agent': 'sdk/1',
      'X-Forwarded-For': '203.0.113.9',
      'X-Errgate-Forwarded': 'other, own',
    });
    assert.deepEqual(counts, ['1 sent']);
    assert.equal(entry.finished, false, 'not before the mark is stored');
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.deepEqual([marked, entry.finished], [[eventId(1)], true]);
  });

  it('is asked again after failures, more and more seldom, and says since when it fails', async () => {
    const away = new AppError('tracker_unreachable', 'nothing listens', { details: { webMessage: '' } });
    inOrder([away, { status: 500 }, { status: 503, retryAfter: '30' }, { status: 302 }, { status: 408 }]);
    await deliver(made());
    assert.equal(sent.length, 6);
    assert.equal(target.health.failing, false);
    const waited = clock.time - begun;
    // 0.75 of 1, 2, 4 (30 asked for), 8 and 16 seconds.
    assert.ok(waited >= 50_250 && waited < 52_000, `${waited}`);
    assert.match(target.health.failure ?? '', /408/);
  });

  it('counts as stalled after 20 failures, and as working after one success', async () => {
    let stalled = 0;
    replies = () => {
      stalled += target.health.stalled ? 1 : 0;
      return sent.length <= 22 ? { status: 502 } : {};
    };
    await deliver(made());
    assert.equal(stalled, 3);
    assert.equal(target.health.stalled, false);
  });

  it('loses what it refuses, at once', async () => {
    for (const status of [400, 401, 403, 404, 413]) {
      inOrder([{ status }]);
      assert.equal((await deliver(made())).finished, true);
    }
    assert.deepEqual([sent.length, new Set(counts)], [5, new Set(['1 refused'])]);
    assert.deepEqual(marked, []);
  });

  it('is spared the limited category only', async () => {
    inOrder([{ status: 429, rateLimits: '600:transaction:key' }]);
    const mixed = `{"event_id":"${eventId(1)}"}\n{"type":"event"}\n{}\n{"type":"transaction"}\n{}`;
    await deliver(made(1, { body: Buffer.from(mixed) }));
    assert.ok(clock.time - begun < 1000, 'the event did not wait');
    assert.doesNotMatch(String(sent[1]?.body), /transaction/);
    const transaction = made(2, { body: Buffer.from('{}\n{"type":"transaction"}\n{}') }, { hasEvent: false });
    assert.equal((await deliver(transaction)).finished, true);
    assert.equal(sent.length, 2);
    assert.deepEqual(counts, ['1 rate_limited', '1 sent', '1 rate_limited']);
    clock.time += 600_000;
    await deliver(transaction);
    assert.equal(sent.length, 3);
  });

  it('gets events after their pause, while other requests go on', async () => {
    inOrder([{ status: 429, rateLimits: '60:error:key' }]);
    const waiting = deliver(made());
    await new Promise(setImmediate);
    const before = clock.time;
    await deliver(made(2, { body: Buffer.from('{}\n{"type":"session"}\n{}') }, { hasEvent: false }));
    assert.ok(clock.time - before < 2000);
    assert.equal(sent.length, 2);
    await waiting;
    assert.equal(sent.length, 3);
    assert.ok(clock.time - begun >= 60_000);
  });

  it('gets an event once more that a limit cut out of a taken envelope', async () => {
    inOrder([{ status: 200, rateLimits: '10:error:key' }, {}]);
    await deliver(made());
    assert.equal(sent.length, 2);
    assert.ok(clock.time - begun >= 10_000);
    assert.deepEqual(counts, ['1 sent']);
  });

  it('never gets back what it or this instance sent on', async () => {
    for (const via of ['own', 'a, own', 'own,b', 'a,b,c,d,e,f,g,h']) {
      assert.equal((await deliver(made(1, {}, { via }))).finished, true);
    }
    assert.deepEqual([sent.length, new Set(counts)], [0, new Set(['1 loop'])]);
  });

  it('gets nothing that is too old, also while it is away', async () => {
    replies = () => ({ status: 503 });
    assert.equal((await deliver(made())).finished, true);
    assert.deepEqual(counts, ['1 expired']);
    assert.ok(clock.time - begun >= 24 * HOUR_MS);
  });

  it('is spared one request that it always fails at, while others succeed', async () => {
    replies = ({ body }) => (String(body).includes('"message":"1"') ? { status: 500 } : {});
    const state = { over: false };
    const poison = deliver(made(1)).finally(() => (state.over = true));
    let others = 0;
    for (; !state.over && others < 100; others += 1) {
      await deliver(made(2 + others));
      await new Promise(setImmediate);
    }
    await poison;
    assert.equal(counts.filter((each) => each === '1 server_error').length, 1);
    assert.equal(counts.filter((each) => each === '1 sent').length, others);
  });

  it('keeps an event until the store has its mark', async () => {
    markError = new Error('away');
    const entry = await deliver(made());
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    assert.equal(entry.finished, false);
    markError = null;
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    assert.deepEqual([marked, entry.finished], [[eventId(1)], true]);
  });

  it('ends at once when it is told to', async () => {
    replies = () => {
      ending.abort();
      return new Error('aborted');
    };
    assert.equal((await deliver(made())).finished, false);
    assert.deepEqual([sent.length, counts], [1, []]);
  });
});
