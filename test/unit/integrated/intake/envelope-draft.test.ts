import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import { draftOfEnvelope } from '../../../../src/integrated/intake/envelope-draft.ts';
import { readEnvelopeHead, readEnvelopeItems } from '../../../../src/integrated/intake/read/envelope.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';
const OTHER = 'a227fdf2bf76432ab2898ca20f2b3fd2';

function draft(header: object, ...items: [itemHeader: object, payload: string | object][]) {
  const parts = [JSON.stringify(header)];
  for (const [itemHeader, payload] of items) {
    parts.push(JSON.stringify(itemHeader), typeof payload === 'string' ? payload : JSON.stringify(payload));
  }
  const body = Buffer.from(parts.join('\n'));
  const head = readEnvelopeHead(body);
  assert.ok(head !== null);
  const { events, outcomes, sentAt } = draftOfEnvelope(
    head.header,
    readEnvelopeItems(body, head.itemsAt),
    1000,
    () => null,
  );
  return {
    ids: events.map((event) => event.id),
    bodies: events.map((event) => Buffer.from(event.body).toString()),
    outcomes: outcomes.map((one) => `${one.category} ${one.outcome}/${one.reason} ${one.quantity}`),
    sentAt,
  };
}

const EVENT = { type: 'event' };

describe('envelope draft', () => {
  it('takes the id of the header before the one of the payload', () => {
    assert.deepEqual(draft({ event_id: ID }, [EVENT, { event_id: OTHER }]).ids, [ID]);
    assert.deepEqual(draft({ event_id: '7F9BDF37-9DD9-4837-B0DD-965053664889' }, [EVENT, {}]).ids, [ID]);
    assert.deepEqual(draft({}, [EVENT, { event_id: OTHER }]).ids, [OTHER]);
    assert.deepEqual(draft({ event_id: 'nonsense' }, [EVENT, { event_id: OTHER }]).ids, [OTHER]);
    assert.match(draft({}, [EVENT, {}]).ids[0] ?? '', /^[0-9a-f]{32}$/);
    assert.match(draft({ event_id: 7 }, [EVENT, { event_id: {} }]).ids[0] ?? '', /^[0-9a-f]{32}$/);
  });

  it('keeps further events under their own ids', () => {
    const { ids, bodies } = draft({ event_id: ID }, [EVENT, { n: 1 }], [EVENT, { event_id: OTHER }], [EVENT, { n: 3 }]);
    assert.deepEqual(ids.slice(0, 2), [ID, OTHER]);
    assert.match(ids[2] ?? '', /^[0-9a-f]{32}$/);
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual(bodies, ['{"n":1}', `{"event_id":"${OTHER}"}`, '{"n":3}']);
  });

  it('counts an event that is a transaction as one, and gives its id to nothing else', () => {
    for (const header of [{ event_id: ID }, {}]) {
      const { ids, outcomes } = draft(
        header,
        [EVENT, '{"event_id":"1", "type" : "transaction"}'],
        [EVENT, { type: 'check_in' }],
        [EVENT, { event_id: OTHER, contexts: { trace: { type: 'transaction' } }, breadcrumbs: [{ type: 'session' }] }],
      );
      assert.deepEqual(ids, [OTHER]);
      assert.deepEqual(outcomes, ['transaction filtered/unsupported_item 1', 'monitor filtered/unsupported_item 1']);
    }
    const nested = draft({ event_id: ID }, [EVENT, { extra: { type: 'transaction' } }]);
    assert.deepEqual([nested.ids, nested.outcomes], [[ID], []]);
  });

  it('counts a broken event as invalid and keeps its neighbours', () => {
    const { ids, outcomes } = draft({}, [EVENT, '{"a":'], [EVENT, { event_id: ID }], [EVENT, '[]'], [EVENT, '']);
    assert.deepEqual(ids, [ID]);
    assert.deepEqual(outcomes, ['error invalid/invalid_json 3']);
  });

  it('does not give the id of a broken first event to the second', () => {
    const { ids, outcomes } = draft({ event_id: ID }, [EVENT, 'null'], [EVENT, { event_id: OTHER }]);
    assert.deepEqual(ids, [OTHER]);
    assert.deepEqual(outcomes, ['error invalid/invalid_json 1']);
  });

  it('repairs bare NaN where it reads the payload', () => {
    assert.deepEqual(draft({}, [EVENT, '{"a":NaN}']).bodies, ['{"a":null}']);
  });

  it('counts every other item in its category', () => {
    const types: [type: string, category: string][] = [
      ['transaction', 'transaction'],
      ['attachment', 'attachment'],
      ['check_in', 'monitor'],
      ['profile', 'profile'],
      ['profile_chunk', 'profile_chunk'],
      ['replay_event', 'replay'],
      ['replay_recording', 'replay'],
      ['statsd', 'statsd'],
      ['metric_buckets', 'metric_bucket'],
      ['span', 'span'],
      ['security', 'security'],
      ['from_the_future', 'default'],
      ['__proto__', 'default'],
    ];
    for (const [type, category] of types) {
      const { ids, outcomes } = draft({ event_id: ID }, [{ type }, '{}']);
      assert.deepEqual(outcomes, [`${category} filtered/unsupported_item 1`], type);
      assert.deepEqual(ids, []);
    }
  });

  it('counts what containers hold, within bounds', () => {
    const quantity = (count: unknown) => draft({}, [{ type: 'log', item_count: count }, '{}']).outcomes[0];
    assert.equal(quantity(7), 'log_item filtered/unsupported_item 7');
    assert.equal(quantity(1e9), 'log_item filtered/unsupported_item 1000');
    for (const nonsense of [0, -1, 1.5, '7', null]) {
      assert.equal(quantity(nonsense), 'log_item filtered/unsupported_item 1');
    }
    assert.deepEqual(draft({}, [{ type: 'span' }, '{}'], [{ type: 'span' }, '{}']).outcomes, [
      'span filtered/unsupported_item 2',
    ]);
  });

  it('adds up what clients discarded, in closed vocabularies', () => {
    const report = {
      timestamp: 1,
      discarded_events: [
        { reason: 'queue_overflow', category: 'error', quantity: 3 },
        { reason: 'queue_overflow', category: 'error', quantity: 2 },
        { reason: 'made up <script>', category: 'session', quantity: 1 },
        { reason: 'before_send', category: 'made up', quantity: 1 },
        { reason: 'before_send', category: 'error', quantity: -1 },
        { reason: 'before_send', category: 'error', quantity: 1e300 },
        { reason: 'before_send', category: 'error', quantity: '5' },
        null,
        'x',
      ],
    };
    assert.deepEqual(draft({}, [{ type: 'client_report' }, report]).outcomes, [
      'error client_discard/queue_overflow 5',
      'session client_discard/other 1',
      'default client_discard/before_send 1',
    ]);
    assert.deepEqual(draft({}, [{ type: 'client_report' }, {}]).outcomes, []);
    assert.deepEqual(draft({}, [{ type: 'client_report' }, 'x']).outcomes, ['internal invalid/invalid_json 1']);
    const large = { discarded_events: [], text: 'x'.repeat(64 * 1024) };
    assert.deepEqual(draft({}, [{ type: 'client_report' }, large]).outcomes, ['internal invalid/too_large 1']);
    const many = {
      discarded_events: Array.from({ length: 500 }, () => ({ reason: 'ignored', category: 'error', quantity: 1 })),
    };
    assert.deepEqual(draft({}, [{ type: 'client_report' }, many]).outcomes, ['error client_discard/ignored 100']);
  });

  it('counts an envelope whose end makes no sense', () => {
    const { ids, outcomes } = draft({ event_id: ID }, [EVENT, {}], [{ type: 'attachment', length: 99 }, 'x']);
    assert.deepEqual(ids, [ID]);
    assert.deepEqual(outcomes, ['default invalid/truncated_envelope 1']);
  });

  it('reads the time of sending', () => {
    const sentAt = (value: unknown) => draft({ sent_at: value }).sentAt;
    const expected = Date.UTC(2026, 10, 20, 18, 19, 41, 684);
    for (const text of [
      '2026-11-20T18:19:41.684Z',
      '2026-11-20T18:19:41.684123Z',
      '2026-11-20T18:19:41.684123456Z',
      '2026-11-20T19:19:41.684+01:00',
    ]) {
      assert.equal(sentAt(text), expected, text);
    }
    for (const nonsense of [undefined, null, 'yesterday', {}, '9'.repeat(100)]) {
      assert.equal(sentAt(nonsense), null);
    }
  });

  it('refuses an event beyond the bound, whatever else there is', () => {
    assert.throws(
      () => draft({}, [{ type: 'session' }, '{}'], [EVENT, { a: 'x'.repeat(1000) }]),
      (error) => error instanceof AppError && error.code === 'ingest_too_large',
    );
    assert.deepEqual(draft({ event_id: ID }, [{ type: 'attachment' }, 'x'.repeat(2000)]).outcomes, [
      'attachment filtered/unsupported_item 1',
    ]);
  });
});
