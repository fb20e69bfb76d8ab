import assert from 'node:assert/strict';
import type { SessionUpdate } from '../../../../src/domain/releases/session.ts';
import { readEnvelopeHead, readEnvelopeItems } from '../../../../src/integrated/intake/read/envelope.ts';
import type { KeptItem } from '../../../../src/integrated/intake/journal-record.ts';
import { captures } from '../../../support/ingest-captures.ts';
import { digester, EVENT_ID, RECEIVED_AT, record } from './digest-support.ts';

const SID = 'c0c9c4c0b2a64a0a8a0b0e2f3f4f5a6b';
const iso = (ms: number): string => new Date(RECEIVED_AT + ms).toISOString();
const attrs = { release: 'app@1', environment: 'prod' };
const BASE = { sid: SID, started: iso(-5000), timestamp: iso(-1000), attrs };

function digest(item: KeptItem, body: unknown, eventId: string | null = null, sentAt: number | null = null) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return digester()(record(text, { item, eventId, sentAt }));
}

function session(body: object, sentAt: number | null = null): SessionUpdate {
  const { session: made, outcomes } = digest('session', { ...BASE, ...body }, null, sentAt);
  assert.deepEqual(outcomes, []);
  assert.ok(made?.kind === 'update');
  return made;
}

function reason(item: KeptItem, body: unknown, eventId: string | null = null): string {
  const { event, session: made, report, outcomes } = digest(item, body, eventId);
  assert.deepEqual([event, made, report, outcomes.length], [null, undefined, undefined, 1]);
  return `${outcomes[0]?.category} ${outcomes[0]?.outcome}/${outcomes[0]?.reason}`;
}

describe('sessions', () => {
  it('are read as SDKs write them', () => {
    const { userHash, ...rest } = session({ did: '7', init: true, status: 'ok', errors: 0 });
    assert.match(userHash ?? '', /^[0-9a-f]{24}$/);
    assert.deepEqual(rest, {
      kind: 'update',
      projectId: 42,
      keyId: 5,
      receivedAt: RECEIVED_AT,
      release: 'app@1',
      environment: 'prod',
      sessionId: SID,
      startedAt: RECEIVED_AT - 5000,
      at: RECEIVED_AT - 1000,
      errored: false,
      end: null,
    });
    assert.equal(session({ sid: 'C0C9C4C0-B2A6-4A0A-8A0B-0E2F3F4F5A6B' }).sessionId, SID);
  });

  it('have the same user hash as events of the same user, or none', () => {
    const { event } = digester()(record(JSON.stringify({ message: 'x', user: { id: '7' } })));
    assert.equal(session({ did: 7 }).userHash, event?.userHash);
    for (const nobody of [null, undefined, '', '00000000-0000-0000-0000-000000000000', {}]) {
      assert.equal(session({ did: nobody }).userHash, null);
    }
  });

  for (const [status, errors, expected] of [
    ['ok', 0, [false, null]],
    ['ok', 2, [true, null]],
    [undefined, 0, [false, null]],
    ['exited', 0, [false, 'exited']],
    ['exited', 1, [true, 'exited']],
    ['errored', 0, [true, null]],
    ['crashed', 0, [true, 'crashed']],
    ['abnormal', 0, [true, 'abnormal']],
    ['unhandled', 0, [true, 'unhandled']],
    ['from the future', 0, [true, null]],
  ] as const) {
    it(`${status ?? 'without a state'} with ${errors} errors is errored: ${expected[0]}, ended: ${expected[1]}`, () => {
      const { errored, end } = session({ status, errors });
      assert.deepEqual([errored, end], expected);
    });
  }

  it('have no update before their start; an update without a time has the time of receipt', () => {
    assert.equal(session({ timestamp: iso(-9000) }).at, RECEIVED_AT - 5000);
    assert.equal(session({ timestamp: undefined }).at, RECEIVED_AT);
  });

  it('have their times corrected when the clock of the sender is wrong', () => {
    const ahead = 3 * 3_600_000;
    const made = session({ started: iso(ahead - 5000), timestamp: iso(ahead) }, RECEIVED_AT + ahead);
    assert.deepEqual([made.startedAt, made.at], [RECEIVED_AT - 5000, RECEIVED_AT]);
  });

  it('are refused with a reason', () => {
    const days = (count: number) => iso(-count * 86_400_000);
    assert.equal(reason('session', { ...BASE, attrs: {} }), 'session invalid/no_release');
    assert.equal(reason('session', { ...BASE, attrs: { release: 'a/b' } }), 'session invalid/no_release');
    assert.equal(reason('session', { ...BASE, sid: 'x' }), 'session invalid/invalid_session');
    assert.equal(reason('session', { ...BASE, started: undefined }), 'session invalid/invalid_session');
    assert.equal(reason('session', { ...BASE, started: days(5.01) }), 'session invalid/too_old');
    assert.equal(session({ started: days(4.99) }).startedAt, Date.parse(days(4.99)));
    assert.equal(reason('session', { ...BASE, started: iso(61_000) }), 'session invalid/in_future');
    assert.equal(reason('session', { ...BASE, timestamp: iso(61_000) }), 'session invalid/in_future');
    assert.equal(reason('session', '{"sid":'), 'session invalid/invalid_json');
    assert.equal(reason('sessions', '[]'), 'session invalid/invalid_json');
  });

  it('counted by a server are checked entry by entry', () => {
    const entry = { started: iso(-60_000), exited: 3, errored: 1 };
    const made = digest('sessions', {
      attrs,
      aggregates: [
        entry,
        { ...entry, did: '7', crashed: 1 },
        { ...entry, exited: -1 },
        { ...entry, crashed: 1e12 },
        null,
      ],
    }).session;
    assert.ok(made?.kind === 'sums');
    const none = { crashed: 0, abnormal: 0, unhandled: 0, exited: 3, errored: 1, startedAt: RECEIVED_AT - 60_000 };
    assert.deepEqual(
      made.sums.map(({ userHash, ...rest }) => [userHash === null, rest]),
      [
        [true, none],
        [false, { ...none, crashed: 1 }],
      ],
    );
    assert.equal(reason('sessions', { attrs, aggregates: [] }), 'session invalid/invalid_session');
    assert.equal(
      reason('sessions', { attrs, aggregates: [{ ...entry, started: iso(-6 * 86_400_000) }] }),
      'session invalid/too_old',
    );
  });

  it('counted by a server are one item, accepted or refused, however many entries it has', () => {
    const entry = { started: iso(-60_000), exited: 3 };
    const old = { ...entry, started: iso(-6 * 86_400_000) };
    const bad = [old, old, { ...entry, exited: -1 }, null];
    const mixed = digest('sessions', { attrs, aggregates: [entry, ...bad] });
    assert.ok(mixed.session?.kind === 'sums');
    assert.deepEqual([mixed.session.sums.length, mixed.outcomes], [1, []]);
    const refused = digest('sessions', { attrs, aggregates: bad });
    assert.equal(refused.session, undefined);
    assert.deepEqual(
      refused.outcomes.map(({ category, outcome, reason: why, quantity }) => [category, outcome, why, quantity]),
      [['session', 'invalid', 'too_old', 1]],
    );
  });

  it('of every captured SDK can be counted', () => {
    const counted = new Map<string, number>();
    for (const { name, body } of captures().filter(({ path }) => path.includes('/envelope/'))) {
      for (const { type, payload } of readEnvelopeItems(body, readEnvelopeHead(body)?.itemsAt ?? 0).items) {
        if (type !== 'session' && type !== 'sessions') continue;
        const made = digest(type, payload.toString('utf8')).session;
        assert.deepEqual([made?.release, made?.environment], ['app@1.0.0', 'prod'], name);
        const sdk = name.slice(0, name.indexOf('-'));
        counted.set(sdk, (counted.get(sdk) ?? 0) + 1);
      }
    }
    assert.deepEqual([...counted.keys()].sort(), ['java', 'node', 'python', 'ruby']);
  });
});

describe('reports', () => {
  const content = { event_id: EVENT_ID, name: 'Ada', email: 'ada@example.test', comments: 'It broke.' };

  it('of the old form belong to the event named by the report or its envelope', () => {
    const { report, outcomes } = digest('user_report', content);
    assert.deepEqual(outcomes, []);
    assert.match(report?.report.id ?? '', /^[0-9a-f]{32}$/);
    assert.deepEqual(report, {
      projectId: 42,
      keyId: 5,
      eventId: EVENT_ID,
      report: {
        id: report?.report.id,
        kind: 'user_report',
        name: 'Ada',
        email: 'ada@example.test',
        comments: 'It broke.',
        url: null,
        receivedAt: RECEIVED_AT,
      },
    });
    assert.equal(digest('user_report', { comments: 'x' }, EVENT_ID).report?.eventId, EVENT_ID);
    assert.equal(digest('user_report', content).report?.report.id, report.report.id);
    assert.notEqual(digest('user_report', { ...content, comments: 'Other.' }).report?.report.id, report.report.id);
  });

  it('of the new form are feedback about an event', () => {
    const feedback = {
      message: 'It broke.',
      contact_email: 'ada@example.test',
      name: 'Ada',
      url: 'https://shop.test/cart',
      associated_event_id: '01234567-89AB-CDEF-0123-456789ABCDEF',
    };
    const { report } = digest('feedback', { event_id: 'f'.repeat(32), type: 'feedback', contexts: { feedback } });
    assert.deepEqual(
      [report?.eventId, report?.report],
      [
        EVENT_ID,
        {
          id: 'f'.repeat(32),
          kind: 'feedback',
          name: 'Ada',
          email: 'ada@example.test',
          comments: 'It broke.',
          url: 'https://shop.test/cart',
          receivedAt: RECEIVED_AT,
        },
      ],
    );
  });

  it('are cleaned, cut and scrubbed', () => {
    const comments = `card 4111 1111 1111 1111\0 ${'x'.repeat(5000)}`;
    const { report } = digest('user_report', { ...content, comments, url: 'https://u:secret@shop.test/?token=abc' });
    assert.ok((report?.report.comments?.length ?? 9999) <= 4100);
    assert.match(report?.report.comments ?? '', /^card \[Filtered\]/);
    assert.doesNotMatch(JSON.stringify(report), /secret|abc"|\\u0000/);
  });

  it('are refused with a reason', () => {
    assert.equal(reason('user_report', { ...content, event_id: 'x' }), 'default filtered/no_event');
    assert.equal(reason('feedback', { contexts: { feedback: { message: 'x' } } }), 'feedback filtered/no_event');
    assert.equal(reason('user_report', { event_id: EVENT_ID }), 'default invalid/empty_report');
    assert.equal(reason('feedback', { contexts: 7 }, EVENT_ID), 'feedback invalid/empty_report');
    assert.equal(reason('user_report', 'x'), 'default invalid/invalid_json');
  });
});
