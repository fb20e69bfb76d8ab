import assert from 'node:assert/strict';
import type { Frame, NormalisedEvent } from '../../../src/domain/events/event.ts';
import { GROUPED_AS_SENT } from '../../../src/domain/events/grouped-as-sent.ts';
import { TRANSACTION_OF_TRACE } from '../../../src/domain/events/trace-transaction.ts';
import { EventLines } from '../../../src/export/event-lines.ts';
import { toSdkEvent } from '../../../src/export/sdk-event.ts';
import { groupHashOf } from '../../../src/integrated/digest/group-hash.ts';
import { keysOf } from '../../../src/integrated/digest/keys-of.ts';
import { groupV2 } from '../../../src/integrated/digest/group/v2/group.ts';
import type { JournalRecord } from '../../../src/integrated/intake/journal-record.ts';
import { CAPTURE_NAMES, captureRecord, normalise, RECEIVED_AT } from '../integrated/digest/digest-support.ts';

const HOSTILE = {
  event_id: 'ab'.repeat(16),
  platform: 'python',
  message: '=cmd|" /C calc"!A0\r\nX\u2028\u0000\ud800 end',
  tags: { 'a\nb': '+1\t2', __proto__x: '@SUM(1)' },
  user: { id: '1', ip_address: '{{auto}}', data: { constructor: 'x' } },
  request: { url: 'https://x.example/?a=1&b=%00', headers: { cookie: 'a=b' }, env: { REMOTE_ADDR: '10.0.0.1' } },
  extra: { deep: { er: [1, null, { a: '\u0007' }] } },
  contexts: { csp: { own: 'context' } },
};

/** Events as they are before and after they were exported and sent again. */
function sentAgain(event: NormalisedEvent): NormalisedEvent {
  const text = JSON.stringify(toSdkEvent(event));
  return normalise(JSON.parse(text), {
    eventId: event.event_id,
    receivedAt: RECEIVED_AT,
    clientIp: '203.0.113.9',
  });
}

/** Returns the event of a record before it is scrubbed; null for one that is not stored. */
function captured({ body, clientIp, sentAt }: JournalRecord): NormalisedEvent | null {
  const raw: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  const eventId = (raw as { event_id?: string }).event_id?.replaceAll('-', '') ?? 'ab'.repeat(16);
  return (raw as { type?: string }).type === 'transaction' ? null : normalise(raw, { eventId, clientIp, sentAt });
}

const comparable = ({ notes: _, ...event }: NormalisedEvent) => event;

describe('events in the form of SDKs', () => {
  const events = CAPTURE_NAMES.flatMap((name) => {
    const found = captureRecord(name);
    const event = found === null ? null : captured(found);
    return event === null ? [] : [{ name, event }];
  });

  it('are read from every captured request', () => {
    assert.ok(events.length > 20, String(events.length));
  });

  for (const { name, event } of events) {
    it(`have the same grouping key and content when they are sent again: ${name}`, () => {
      const again = sentAgain(event);
      assert.deepEqual(comparable(again), comparable(event));
      assert.deepEqual(groupV2(again), groupV2(event));
    });
  }

  it('keep the key of an event whose transaction only the trace header had', () => {
    const raw = { fingerprint: ['{{ transaction }}'], message: 'm' };
    const sent = normalise(structuredClone(raw));
    const stored = { ...normalise(structuredClone(raw)), transaction: 'GET /a', notes: [TRANSACTION_OF_TRACE] };
    assert.deepEqual(groupV2(sentAgain(stored)), groupV2(sent));
    const json = Buffer.from(JSON.stringify(stored));
    const line = new EventLines(() => []).lineOf({
      ...{ json, projectId: 1, errorId: '1', eventId: stored.event_id, receivedAt: 0, imported: false },
      groupHash: { groupHash: 'ab', groupingVersion: 1 },
    });
    assert.equal((JSON.parse(Buffer.from(line ?? '{}').toString()) as NormalisedEvent).transaction, null);
    assert.equal(toSdkEvent({ ...stored, fingerprint: ['{{ default }}'] })['transaction'], 'GET /a');
  });

  it('of an event that was grouped as it was sent are as it was sent', () => {
    const frame = (name: string, lineno: number) => {
      return { filename: 'https://shop.example/a.js', function: name, lineno, colno: 5, in_app: true };
    };
    const frames = [frame('start', 1), frame('walk', 2), frame('walk', 2), frame('price', 3)];
    const values = [{ type: 'E', module: 'm', value: 'v', stacktrace: { frames } }];
    const sent = normalise({ platform: 'javascript', exception: { values } });
    const stored = structuredClone(sent);
    const [exception] = stored.exceptions;
    const [start, walk, again, price] = exception?.frames ?? [];
    assert.ok(exception !== undefined && start && walk && again && price);
    const at = (of: Frame, name: string): Frame => ({ ...of, function: name, filename: 'src/a.ts', raw: of });
    // A frame that waits for its map, direct recursion, and a call with two that were moved into it.
    const called = [at(price, 'outer'), at(price, 'middle'), at(price, 'inner')];
    const mapped = [{ ...start, unmapped: 'no map' }, at(walk, 'walkTree'), at(again, 'walkTree'), ...called];
    const changed = { ...exception, type: 'Renamed', raw: { type: 'E', module: 'm' }, frames: mapped };
    const partly = { ...stored, exceptions: [changed], notes: [...stored.notes, GROUPED_AS_SENT] };
    assert.deepEqual(comparable(sentAgain(partly)), comparable(sent));
    assert.deepEqual(groupV2(sentAgain(partly)), groupV2(sent));
    const line = new EventLines(keysOf).lineOf({
      ...{ json: Buffer.from(JSON.stringify(partly)), projectId: 1, errorId: '1', eventId: partly.event_id },
      ...{ receivedAt: 0, imported: false, groupHash: groupHashOf(1, groupV2(sent)) },
    });
    const { _errgate: own, exception: written } = JSON.parse(Buffer.from(line ?? '{}').toString()) as {
      _errgate: { group_key: string };
      exception: { values: { stacktrace: { frames: unknown[] } }[] };
    };
    assert.equal(own.group_key, groupV2(sent).key);
    assert.equal(written.values[0]?.stacktrace.frames.length, 4);
  });

  it('keep hostile texts, and take no address from their sender', () => {
    const event = normalise(structuredClone(HOSTILE), { clientIp: null });
    const again = sentAgain(event);
    assert.deepEqual(comparable(again), comparable(event));
    assert.notEqual(again.user?.ip_address, '203.0.113.9');
    assert.deepEqual(groupV2(again), groupV2(event));
  });

  it('restore the report of a browser', () => {
    const report = { csp: { effective_directive: 'script-src', blocked_uri: 'https://evil.example/x.js' } };
    const event = normalise({ platform: 'javascript', ...report, contexts: { device: { name: 'x' } } });
    const sent = toSdkEvent(event);
    assert.deepEqual([sent['csp'] !== undefined, sent['security_report']], [true, undefined]);
    assert.deepEqual(comparable(sentAgain(event)), comparable(event));
  });
});
