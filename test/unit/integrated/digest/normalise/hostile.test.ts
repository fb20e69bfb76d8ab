import assert from 'node:assert/strict';
import fc from 'fast-check';
import { digester, normalise, record } from '../digest-support.ts';
import { normaliseEvent } from '../../../../../src/integrated/digest/normalise/normalise-event.ts';
import { createScrubber } from '../../../../../src/integrated/digest/scrub/scrubber.ts';
import { culpritOf } from '../../../../../src/integrated/digest/culprit.ts';
import { tagsToCount } from '../../../../../src/integrated/digest/tags.ts';
import { titleOf } from '../../../../../src/integrated/digest/title.ts';
import { processorMs } from '../../../../support/processor-time.ts';

const origin = { eventId: 'a'.repeat(32), receivedAt: 1_795_200_000_000, sentAt: null, clientIp: '203.0.113.9' };
const rules = { inAppInclude: ['app'], inAppExclude: ['lib'] };
const scrub = createScrubber({ enabled: true, scrubIps: true, sensitiveFields: ['pin'], safeFields: ['ok'] });

/** Members an event can have, so that random values reach the code behind each. */
const MEMBERS = [
  'event_id timestamp level platform logger release dist environment server_name transaction culprit site tags extra',
  'modules contexts user request exception breadcrumbs threads message logentry stacktrace fingerprint sdk errors',
  'checksum type sentry.interfaces.Exception sentry.interfaces.Http sentry.interfaces.Message __proto__ constructor',
]
  .join(' ')
  .split(' ');
const INNER = [
  'values frames stacktrace type value mechanism data vars in_app function filename abs_path module lineno context_line',
  'pre_context headers cookies query_string url env id ip_address email message formatted params settings infer_ip',
  '__proto__ toString handled synthetic password REMOTE_ADDR name version crashed current timestamp level',
]
  .join(' ')
  .split(' ');

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\0',
    'a\0b',
    '\ud83d',
    '\ude00\ud83d',
    '{{auto}}',
    '%s {} %(a)s',
    'http://u:p@h/?token=1',
    '=&=;',
    '{"a":',
    '',
  ),
);
const scalar = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(1e308, -0, 1e21),
);
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...INNER) }, { weight: 1, arbitrary: text });
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('tree')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
const event = fc
  .array(fc.tuple(fc.constantFrom(...MEMBERS), tree), { maxLength: 12 })
  .map((members) => Object.fromEntries(members));

/** What a JSON parser would have made of the value: own `__proto__` members, no NaN. */
const parsed = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function digestAll(raw: unknown): void {
  const result = normaliseEvent(raw, origin, rules);
  if (result.kind === 'dropped') {
    return;
  }
  scrub.beforeGrouping(result.event);
  scrub.afterGrouping(result.event);
  const derived = { title: titleOf(result.event), culprit: culpritOf(result.event), tags: tagsToCount(result.event) };
  assert.ok(Number.isSafeInteger(result.at));
  for (const part of [result.event, derived]) {
    const json = JSON.stringify(part);
    assert.deepEqual(JSON.parse(json), part);
    assert.ok(!json.includes('\\u0000') && !/\\ud[89a-f]/.test(json), 'NUL or lone surrogate');
  }
  assert.ok(derived.title.length > 0);
}

describe('hostile input', () => {
  it('any JSON value gives a storable event or is dropped, without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => digestAll(parsed(value))),
      { numRuns: 300, seed: 1 },
    );
  });

  it('any value of any member of an event', () => {
    fc.assert(
      fc.property(event, (value) => digestAll(parsed(value))),
      { numRuns: 1000, seed: 2 },
    );
  });

  for (const member of [
    'extra',
    'contexts',
    'exception',
    'breadcrumbs',
    'request',
    'user',
    'tags',
    'message',
    'logentry',
    'fingerprint',
    'threads',
    'modules',
  ]) {
    it(`10,000 levels in ${member}`, () => {
      const body = `{"message":"m","${member}":${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}}`;
      const { event: digested } = digester()(record(body));
      assert.ok(digested);
      assert.ok(JSON.stringify(JSON.parse(digested.payload)).length < 5000);
    });
  }

  it('10,000 levels in each tree of a frame, a request and a context', () => {
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const body = `{"exception":[{"value":${deep},"mechanism":{"data":${deep}},"stacktrace":{"frames":[{"function":"f","vars":${deep}}]}}],
      "request":{"data":${deep},"env":${deep},"headers":${deep},"query_string":${deep}},"contexts":{"c":${deep}},
      "logentry":{"message":"%s","params":[${deep}]},"user":{"id":1,"x":${deep}}}`;
    const { event: digested } = digester()(record(body));
    assert.ok(digested);
  });

  it('a request body in text with thousands of levels', () => {
    const json = `{"password":"p","a":${'['.repeat(4000)}${']'.repeat(4000)}}`;
    const { event: digested } = digester()(record(JSON.stringify({ request: { data: json } })));
    assert.ok(digested);
    assert.ok(!JSON.stringify(JSON.parse(digested.payload)).includes('"p\\"'));
  });

  it('__proto__ stays a plain member everywhere and changes no prototype', () => {
    const body =
      '{"__proto__":{"message":"x"},"extra":{"__proto__":{"polluted":1},"a":1},"contexts":{"__proto__":{"polluted":1}},' +
      '"user":{"id":1,"__proto__":{"polluted":1}},"modules":{"__proto__":"1"},"tags":{"__proto__":"1"},' +
      '"exception":[{"type":"E","stacktrace":{"frames":[{"function":"f","vars":{"__proto__":{"polluted":1}}}]}}]}';
    const result = normalise(JSON.parse(body));
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal(result.message, null);
    assert.equal(Object.getPrototypeOf(result.extra), Object.prototype);
    assert.equal(Object.getPrototypeOf(result.contexts), Object.prototype);
    assert.equal(Object.getPrototypeOf(result.user?.data), Object.prototype);
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
  });

  it('NUL is removed and lone surrogates are replaced, in values and in names', () => {
    const result = normalise(
      JSON.parse(
        '{"message":"a\\u0000b","transaction":"x\\ud83d","tags":{"k":"v\\u0000\\udc00"},"extra":{"n\\u0000\\ud800":"\\udfff"},' +
          '"exception":[{"type":"E","value":"\\u0000"}]}',
      ),
    );
    assert.equal(result.message, 'ab');
    assert.equal(result.transaction, 'x\ufffd');
    assert.deepEqual(result.tags, [{ key: 'k', value: 'v\ufffd' }]);
    assert.deepEqual(result.extra, { 'n\ufffd': '\ufffd' });
    assert.equal(result.exceptions[0]?.value, null);
  });

  it('a NUL between surrogate halves does not make a character of them', () => {
    assert.equal(normalise({ message: '\ud83d\0\ude00' }).message, '\ufffd\ufffd');
  });

  it('huge numbers', () => {
    const result = normalise(
      JSON.parse(
        '{"timestamp":1e300,"level":1e999,"extra":{"a":1e999,"b":-0.0,"c":1e308},"user":{"id":1e999},"exception":[{"type":"E","stacktrace":{"frames":[{"function":"f","lineno":1e300,"colno":9007199254740993}]}}]}',
      ),
    );
    assert.equal(result.timestamp, '2026-11-20T19:00:00.000Z');
    assert.deepEqual(result.extra, { a: 'Infinity', b: 0, c: 1e308 });
    assert.deepEqual(
      [result.exceptions[0]?.frames?.[0]?.lineno, result.exceptions[0]?.frames?.[0]?.colno],
      [null, null],
    );
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
  });

  const MIB = 1024 * 1024;
  for (const [what, filler] of [
    ['letters', 'a'],
    ['digits', '4'],
    ['digit groups', '4111 '],
    ['colons and slashes', '://'],
    ['credentials', '://a:'],
    ['dots', '1.1.1.1.'],
    ['colons', 'a:'],
    ['key markers', '-----BEGIN '],
    ['parameters', '?a&b='],
    ['quotes', '"a":"\\'],
    ['percent signs', '%(a)'],
    ['bearer', 'bearer '],
    ['NUL', '\0'],
  ] as const) {
    it(`1 MiB of ${what} in every text takes no long time`, () => {
      const big = filler.repeat(MIB / filler.length);
      for (const raw of [
        { message: big, transaction: big, extra: { big, [big.slice(0, 1000)]: 1 } },
        {
          exception: {
            type: big,
            value: big,
            stacktrace: { frames: [{ function: big, filename: big, abs_path: big, module: big, vars: { big } }] },
          },
        },
        { request: { url: big, data: big, query_string: big, cookies: big, headers: { Cookie: big, A: big } } },
        {
          logentry: { message: big, params: [big] },
          tags: { a: big },
          breadcrumbs: [{ message: big, data: { big } }],
          timestamp: big,
        },
        { request: { data: `{"a":"${big}` }, user: { id: big, ip_address: big }, fingerprint: [big] },
      ]) {
        const took = processorMs(() => digestAll(parsed(raw)));
        assert.ok(took < 5000, `${took} ms`);
      }
    });
  }
});
