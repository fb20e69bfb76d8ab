import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import { RefusalLedger } from '../../../../src/integrated/intake/refusal-ledger.ts';
import { createMetrics } from '../../../../src/observability/metrics.ts';
import { MemorySink, NOW } from '../../../support/ingest-app.ts';
import { eventually } from '../../../support/service-process.ts';

const KEY = { projectId: 42, keyId: 1 };
const LIMITED = { category: 'error', outcome: 'rate_limited', reason: 'key_limit', quantity: 1 } as const;

function setUp(intervalMs?: number) {
  const sink = new MemorySink();
  const clock = { at: NOW, now: () => clock.at };
  const warned: unknown[] = [];
  const metrics = createMetrics();
  const ledger = new RefusalLedger({
    sink,
    clock,
    metrics,
    logger: { warn: (...parts: unknown[]) => void warned.push(parts) },
    ...(intervalMs === undefined ? {} : { intervalMs }),
  });
  return { sink, clock, ledger, warned, metrics };
}

describe('ledger of refusals', () => {
  it('writes one record per key, whatever was refused in between', async () => {
    const { sink, clock, ledger } = setUp();
    for (let request = 0; request < 10_000; request += 1) ledger.add(KEY, LIMITED);
    clock.at += 7;
    ledger.add(KEY, { ...LIMITED, outcome: 'invalid', reason: 'too_large', quantity: 3 });
    ledger.add({ projectId: 42, keyId: 2 }, LIMITED);
    assert.equal(sink.appends, 0);
    await ledger.flush();
    assert.equal(sink.appends, 1);
    assert.deepEqual(
      sink.records.map(({ projectId, keyId, receivedAt, eventId, body }) => [
        projectId,
        keyId,
        receivedAt,
        eventId,
        body.length,
      ]),
      [
        [42, 1, NOW + 7, null, 0],
        [42, 2, NOW + 7, null, 0],
      ],
    );
    assert.deepEqual(sink.outcomes, [
      'error rate_limited/key_limit 10000',
      'error invalid/too_large 3',
      'error rate_limited/key_limit 1',
    ]);
    await ledger.flush();
    assert.equal(sink.appends, 1, 'nothing is written twice');
  });

  it('keeps what cannot be written, and logs it once', async () => {
    const { sink, ledger, warned } = setUp();
    ledger.add(KEY, LIMITED);
    sink.error = new AppError('ingest_unavailable', 'the journal is full');
    await ledger.flush();
    ledger.add(KEY, LIMITED);
    await ledger.flush();
    const sentence = 'counts of refused items cannot be written now; they are kept in memory';
    assert.deepEqual(warned, [[{ reason: 'the journal is full' }, sentence]], 'once, and without a stack');
    sink.error = null;
    await ledger.flush();
    assert.deepEqual(sink.outcomes, ['error rate_limited/key_limit 2']);
  });

  it('adds up for a bounded number of keys; the others are in the metrics', async () => {
    const { sink, ledger, metrics } = setUp();
    for (let keyId = 1; keyId <= 10_001; keyId += 1) ledger.add({ projectId: 42, keyId }, LIMITED);
    await ledger.flush();
    assert.equal(sink.records.length, 10_000);
    const { values } = await metrics.dropped.get();
    assert.deepEqual(
      values.map(({ labels, value }) => [labels, value]),
      [[{ category: 'error', reason: 'key_limit' }, 10_001]],
    );
  });

  it('writes periodically, and the rest at the end', async () => {
    const { sink, ledger } = setUp(5);
    ledger.start();
    ledger.add(KEY, LIMITED);
    await eventually(
      async () => sink.appends,
      (appends) => appends === 1,
    );
    ledger.add(KEY, LIMITED);
    await ledger.stop();
    assert.deepEqual(sink.outcomes, ['error rate_limited/key_limit 1', 'error rate_limited/key_limit 1']);
  });
});
