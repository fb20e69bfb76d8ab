import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { NormalisedEvent } from '../../../../src/domain/events/event.ts';
import { groupV2 } from '../../../../src/integrated/digest/group/v2/group.ts';
import { scrubbersFor } from '../../../../src/integrated/digest/scrub/scrubbers-for.ts';
import { EVENT_ID, RECEIVED_AT, digester, record } from './digest-support.ts';

const invalid = (reason: string) => ({
  projectId: 42,
  keyId: 5,
  category: 'error',
  outcome: 'invalid',
  reason,
  at: RECEIVED_AT,
  quantity: 1,
});

describe('record digester', () => {
  it('takes what searches find an error by: its own files and all functions, the innermost first', () => {
    const frames = (...names: string[]) => ({
      frames: names.map((name) => ({ filename: `${name}.py`, function: name, in_app: name.startsWith('own') })),
    });
    const raised = (stack: object | null, handled?: boolean) => ({
      ...{ type: 'E', value: 'v', ...(stack === null ? {} : { stacktrace: stack }) },
      ...(handled === undefined ? {} : { mechanism: { type: 'm', handled } }),
    });
    const termsOf = (more: object) => {
      const body = { event_id: 'f'.repeat(32), timestamp: '2026-11-20T18:59:00Z', platform: 'python', ...more };
      return digester()(record(JSON.stringify(body))).event?.terms;
    };
    const both = [raised(frames('own1', 'lib1'), true), raised(frames('own2', 'own3', 'lib2'), false)];
    assert.deepEqual(termsOf({ exception: { values: both } }), {
      files: ['own3.py', 'own2.py', 'own1.py'],
      functions: ['lib2', 'own3', 'own2', 'lib1', 'own1'],
      unhandled: true,
    });
    assert.deepEqual(termsOf({ exception: { values: [raised(frames('a', 'b'), true)] } }), {
      ...{ files: ['b.py', 'a.py'], functions: ['b', 'a'], unhandled: false },
    });
    const threads = {
      values: [
        { id: 1, stacktrace: frames('x') },
        { id: 2, crashed: true, stacktrace: frames('y') },
      ],
    };
    assert.deepEqual(termsOf({ exception: { values: [raised(null)] }, threads }), {
      ...{ files: ['y.py'], functions: ['y'], unhandled: null },
    });
    const many = Array.from({ length: 300 }, (_, index) => `f${index}`);
    const bounded = termsOf({ exception: { values: [raised(frames(...many))] } });
    assert.equal(bounded?.functions[0], 'f299');
    assert.ok(bounded.functions.length <= 250, String(bounded.functions.length));
  });

  it('makes the columns and the payload', () => {
    const body = JSON.stringify({
      event_id: 'f'.repeat(32),
      timestamp: '2026-11-20T18:59:00Z',
      platform: 'python',
      release: 'r',
      environment: 'e',
      exception: { type: 'E', value: 'v' },
      extra: { password: 'x' },
    });
    const { event, outcomes } = digester()(record(body));
    assert.deepEqual(outcomes, []);
    assert.ok(event);
    const { payload, tags, ...columns } = event;
    assert.deepEqual(columns, {
      projectId: 42,
      keyId: 5,
      eventId: EVENT_ID,
      groupHash: createHash('sha256').update('42|1|key').digest('hex').slice(0, 32),
      groupingVersion: 1,
      at: Date.parse('2026-11-20T18:59:00Z'),
      receivedAt: RECEIVED_AT,
      type: 'E',
      message: 'v',
      title: 'E: v',
      culprit: null,
      level: 'error',
      platform: 'python',
      release: 'r',
      environment: 'e',
      userHash: null,
      terms: { files: [], functions: [], unhandled: null },
    });
    assert.deepEqual(tags, [
      ['level', 'error'],
      ['environment', 'e'],
      ['release', 'r'],
    ]);
    const stored = JSON.parse(payload) as NormalisedEvent;
    assert.equal(stored.event_id, EVENT_ID);
    assert.deepEqual(stored.extra, { password: '[Filtered]' });
  });

  it('gives the same result for the same record', () => {
    const source = record('{"message":"m","tags":{"a":1}}');
    assert.deepEqual(digester()(source), digester()(source));
  });

  it('groups the event after it was normalised and scrubbed', () => {
    let seen: NormalisedEvent | undefined;
    const group = (event: NormalisedEvent) => {
      seen = structuredClone(event);
      return { version: 3, key: 'k' };
    };
    const { event } = digester({ group })(record('{"exception":{"type":"E"},"message":"Bearer abcdef"}'));
    assert.equal(seen?.message, 'Bearer [Filtered]');
    assert.equal(seen.exceptions[0]?.type, 'E');
    assert.equal(event?.groupingVersion, 3);
  });

  it('group hashes differ by project, version and key', () => {
    const groupHash = (projectId: number, version: number, key: string) =>
      digester({ group: () => ({ version, key }) })(record('{}', { projectId })).event?.groupHash;
    assert.equal(
      new Set([groupHash(1, 1, 'a'), groupHash(2, 1, 'a'), groupHash(1, 2, 'a'), groupHash(1, 1, 'b')]).size,
      4,
    );
  });

  it('names the group hashes under former versions of the grouping rules', () => {
    const groupHashOf = (version: number, key: string) => {
      const { event } = digester({ group: () => ({ version, key }) })(record('{}'));
      return { groupHash: event?.groupHash, groupingVersion: event?.groupingVersion };
    };
    const former = [
      { version: 2, key: 'b' },
      { version: 1, key: 'c' },
    ];
    const { event } = digester({ group: () => ({ version: 3, key: 'a', former }) })(record('{}'));
    assert.deepEqual({ groupHash: event?.groupHash, groupingVersion: event?.groupingVersion }, groupHashOf(3, 'a'));
    assert.deepEqual(event?.formerGroupHashes, [groupHashOf(2, 'b'), groupHashOf(1, 'c')]);
  });

  it('scrubs by the project’s own configuration, found by path', () => {
    const config = { enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] };
    const scrubberFor = scrubbersFor({ ...config, projects: { 'g/p': { sensitiveFields: ['pin'] } } }, () => undefined);
    const { event } = digester({ scrubberFor, projectPath: (id) => (id === 42 ? 'g/p' : null) })(
      record('{"extra":{"pin":1}}'),
    );
    assert.ok(event);
    assert.deepEqual((JSON.parse(event.payload) as NormalisedEvent).extra, { pin: '[Filtered]' });
  });

  it('accepts a byte order mark and bare NaN and Infinity', () => {
    const { event } = digester()(
      record('\ufeff{"message":"NaN \\" Infinity","extra":{"a":NaN,"b":[Infinity,-Infinity]}}'),
    );
    assert.ok(event);
    assert.equal(event.title, 'NaN " Infinity');
    assert.deepEqual((JSON.parse(event.payload) as NormalisedEvent).extra, { a: null, b: [null, null] });
  });

  it('accepts a view into a larger buffer', () => {
    const whole = Buffer.from('xx{"message":"m"}yy');
    assert.equal(digester()(record(whole.subarray(2, -2))).event?.title, 'm');
  });

  it('accepts bytes that are not UTF-8', () => {
    const body = Buffer.concat([Buffer.from('{"message":"a'), Buffer.from([0xff, 0xc3]), Buffer.from('b"}')]);
    assert.equal(digester()(record(body)).event?.title, 'a\ufffd\ufffdb');
  });

  for (const body of ['{"message":', '', 'NaN,', '{"a":NaN', 'hello', '{"a":"Infinity}']) {
    it(`${JSON.stringify(body)} is invalid JSON, counted at the time of the record`, () => {
      assert.deepEqual(digester()(record(body)), { event: null, outcomes: [invalid('invalid_json')] });
    });
  }

  it('JSON that is not an object is invalid', () => {
    assert.deepEqual(digester()(record('[1]')), { event: null, outcomes: [invalid('not_an_object')] });
  });

  it('a transaction is filtered under its category', () => {
    assert.deepEqual(digester()(record('{"type":"transaction"}')).outcomes, [
      { ...invalid('unsupported_type'), category: 'transaction', outcome: 'filtered' },
    ]);
  });

  it('outcomes of the intake are kept, with and without an event', () => {
    const refused = { category: 'session', outcome: 'filtered', reason: 'unsupported_item', quantity: 3 } as const;
    const counted = { projectId: 42, keyId: 5, at: RECEIVED_AT, ...refused };
    assert.deepEqual(digester()(record('', { eventId: null, outcomes: [refused] })), {
      event: null,
      outcomes: [counted],
    });
    const both = digester()(record('{}', { outcomes: [refused] }));
    assert.equal(both.event?.title, '<unlabeled event>');
    assert.deepEqual(both.outcomes, [counted]);
  });

  it('corrects the clock by the record’s sent_at', () => {
    const { event } = digester()(
      record('{"timestamp":"2025-01-01T00:00:00Z"}', { sentAt: Date.parse('2025-01-01T00:00:10Z') }),
    );
    assert.equal(event?.at, RECEIVED_AT - 10_000);
  });

  describe('numbers that a double cannot hold', () => {
    const digested = (body: string) => {
      const { event } = digester({ group: groupV2 })(record(body));
      assert.ok(event);
      return { ...event, stored: JSON.parse(event.payload) as NormalisedEvent };
    };

    it('users whose ids differ in the last digits are different users', () => {
      const ids = ['1234567890123456789', '1234567890123456790', '12345678901234567890123', '-9007199254740993'];
      const events = ids.map((id) => digested(`{"message":"x","user":{"id":${id}}}`));
      assert.deepEqual(
        events.map(({ stored }) => stored.user?.id),
        ids,
      );
      assert.equal(new Set(events.map(({ userHash }) => userHash)).size, ids.length);
      assert.equal(digested('{"user":{"id":"1234567890123456789"}}').userHash, events[0]?.userHash);
    });

    it('numbers keep every digit, anywhere in an event', () => {
      const id = '1234567890123456789';
      const frames = `{"frames":[{"function":"f","vars":{"n":${id}}}]}`;
      const { stored, tags } = digested(`{
        "extra":{"a":[{"b":${id}}],"c":-${id},"d":1e999,"e":4503599627370497,"f":0.12345678901234567},
        "contexts":{"app":{"build":${id}}},"tags":{"order":${id}},
        "threads":[{"id":${id},"stacktrace":${frames}}],
        "exception":[{"type":"E","value":${id},"thread_id":${id},"stacktrace":${frames}}],
        "breadcrumbs":[{"message":${id},"data":{"n":${id}}}],
        "logentry":{"message":"order %s","params":[${id}]},
        "request":{"data":{"n":${id}},"query_string":{"n":${id}}},
        "user":{"id":1,"shard":${id}}}`);
      assert.deepEqual(stored.extra, {
        a: [{ b: id }],
        c: `-${id}`,
        d: '1e999',
        e: 4503599627370497,
        f: Number('0.12345678901234567'),
      });
      assert.deepEqual(stored.contexts, { app: { build: id } });
      assert.deepEqual(stored.tags, [{ key: 'order', value: id }]);
      assert.deepEqual(
        tags.find(([key]) => key === 'order'),
        ['order', id],
      );
      assert.deepEqual(
        [stored.threads[0]?.id, stored.exceptions[0]?.thread_id, stored.exceptions[0]?.value],
        [id, id, id],
      );
      assert.deepEqual(
        [stored.threads[0]?.frames?.[0]?.vars, stored.exceptions[0]?.frames?.[0]?.vars],
        [{ n: id }, { n: id }],
      );
      assert.deepEqual([stored.breadcrumbs[0]?.message, stored.breadcrumbs[0]?.data], [id, { n: id }]);
      assert.equal(stored.message, `order ${id}`);
      assert.deepEqual([stored.request?.data, stored.request?.query_string], [{ n: id }, [['n', id]]]);
      assert.deepEqual(stored.user?.data, { shard: id });
    });

    it('a number of 5,000 digits is cut like any other text', () => {
      const { stored } = digested(`{"user":{"id":${'7'.repeat(5000)}},"extra":{"n":${'7'.repeat(20_000)}}}`);
      assert.equal(stored.user?.id, `${'7'.repeat(125)}...`);
      assert.match(String(stored.extra.n), /^7{16000,16384}\.\.\.$/);
      assert.deepEqual(stored.notes, ['user.id: truncated', 'extra: truncated']);
    });

    it('a request body in text keeps all digits when a secret is removed from it', () => {
      const data = JSON.stringify('{"password":"x","order":1234567890123456789}');
      const { stored } = digested(`{"request":{"data":${data}}}`);
      assert.equal(stored.request?.data, '{"password":"[Filtered]","order":"1234567890123456789"}');
    });

    it('events with a long id as number and as text have the same grouping key', () => {
      const value = (id: string) => `{"exception":{"type":"E","value":${id}}}`;
      assert.equal(
        digested(value('12345678901234567890')).groupHash,
        digested(value('"12345678901234567890"')).groupHash,
      );
    });
  });
});
