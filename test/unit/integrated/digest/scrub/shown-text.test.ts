import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';
import { createScrubber, type ScrubOptions } from '../../../../../src/integrated/digest/scrub/scrubber.ts';
import { normalise } from '../digest-support.ts';

const OPTIONS: ScrubOptions = { enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] };
const F = '[Filtered]';

function scrubbed(raw: unknown): NormalisedEvent {
  const event = normalise(raw);
  const scrubber = createScrubber(OPTIONS);
  scrubber.beforeGrouping(event);
  scrubber.afterGrouping(event);
  return event;
}

const extraOf = (extra: unknown) => scrubbed({ extra }).extra;

describe('texts of an event that are shown to users', () => {
  const text =
    'no connection to postgres://app:s3cr3t@db/x, Bearer abcDEF123456.token, 4111 1111 1111 1111, /p?password=hunter2';
  const hidden = `no connection to postgres://${F}@db/x, Bearer ${F}, ${F}, /p?password=${F}`;
  const key = '-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----';

  it('values of exceptions', () => {
    const event = scrubbed({
      exception: [
        { type: 'A', value: text },
        { type: 'B', value: `key ${key}` },
      ],
    });
    assert.equal(event.exceptions[0]?.value, hidden);
    assert.equal(event.exceptions[1]?.value, `key ${key.replace('MIIabc', F)}`);
  });
  it('messages, with template and parameters', () => {
    const event = scrubbed({ logentry: { message: `${text} {}`, params: [text], formatted: `${text} 1` } });
    assert.equal(event.message, `${hidden} 1`);
    assert.deepEqual(event.logentry, { message: `${hidden} {}`, params: [hidden] });
  });
  it('transactions and fingerprints', () => {
    const event = scrubbed({ transaction: '/reset?token=abc', fingerprint: ['{{ default }}', 'redis://:pw@cache/0'] });
    assert.equal(event.transaction, `/reset?token=${F}`);
    assert.deepEqual(event.fingerprint, ['{{ default }}', `redis://:pw@cache/0`.replace(':pw', F)]);
  });
  it('source lines of exceptions and threads', () => {
    const frame = {
      function: 'f',
      pre_context: ["password = 'x'", "dsn = 'postgres://u:p@h'"],
      context_line: "connect(api_key='abc', password=password)",
      post_context: ['t = "Bearer abc.def123"'],
    };
    const lines = {
      pre_context: [`password = '${F}'`, `dsn = 'postgres://${F}@h'`],
      context_line: `connect(api_key='${F}', password=password)`,
      post_context: [`t = "Bearer ${F}"`],
    };
    const raw = () => ({ stacktrace: { frames: [structuredClone(frame)] } });
    const event = scrubbed({ exception: { type: 'E', ...raw() }, threads: [raw()] });
    for (const found of [event.exceptions[0]?.frames?.[0], event.threads[0]?.frames?.[0]]) {
      const { pre_context, context_line, post_context } = found ?? {};
      assert.deepEqual({ pre_context, context_line, post_context }, lines);
    }
  });
  it('a private key in source lines, also where they show only a part; lines stay lines', () => {
    const body = '  "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" +';
    const linesOf = (frame: object) => {
      const event = scrubbed({ exception: { type: 'E', stacktrace: { frames: [{ function: 'f', ...frame }] } } });
      const { pre_context, context_line, post_context } = event.exceptions[0]?.frames?.[0] ?? {};
      return [pre_context, context_line, post_context];
    };
    const [begin, end] = ['-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'];
    assert.deepEqual(linesOf({ pre_context: ['a = 1', begin], context_line: body, post_context: [body, end, body] }), [
      ['a = 1', begin],
      F,
      [F, end, body],
    ]);
    assert.deepEqual(linesOf({ pre_context: [body, end], context_line: 'a' }), [[F, end], 'a', []]);
  });
  it('card numbers', () => {
    assert.deepEqual(extraOf({ a: 4111111111111111, b: [378282246310005], c: 4111111111111112, d: 1795198781650 }), {
      a: F,
      b: [F],
      c: 4111111111111112,
      d: 1795198781650,
    });
  });
  it('a second scrubbing changes nothing', () => {
    const event = scrubbed({ message: text, exception: { type: 'E', value: text }, extra: { text, key } });
    const before = structuredClone(event);
    const scrubber = createScrubber(OPTIONS);
    scrubber.beforeGrouping(event);
    scrubber.afterGrouping(event);
    assert.deepEqual(event, before);
  });
});
