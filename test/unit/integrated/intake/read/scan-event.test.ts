import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scanEvent } from '../../../../../src/integrated/intake/read/scan-event.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** What `JSON.parse` says of the same bytes; null where it is no object. */
function parsed(bytes: Buffer): ReturnType<typeof scanEvent> {
  try {
    const value = JSON.parse(bytes.toString()) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const { event_id: eventId, type } = value as Record<string, unknown>;
    return { eventId: text(eventId), type: text(type) };
  } catch {
    return null;
  }
}

/** A scan that answers must answer as `JSON.parse` does. */
function assertSameOrUndecided(input: Buffer | string): void {
  const bytes = Buffer.from(input as string);
  const scanned = scanEvent(bytes);
  if (scanned !== null) assert.deepEqual(scanned, parsed(bytes), bytes.toString());
}

describe('scan of an event', () => {
  const members: [json: string, eventId: string | undefined, type: string | undefined][] = [
    ['{}', undefined, undefined],
    ['{ \n}', undefined, undefined],
    ['{"event_id":"ab"}', 'ab', undefined],
    ['{ "type" : "transaction" ,\r\n\t"event_id":\t"ab" }', 'ab', 'transaction'],
    ['{"type":"a","event_id":"b","type":"c"}', 'b', 'c'],
    ['{"type":"a","type":null,"event_id":7}', undefined, undefined],
    ['{"event_id":"grüße","a":[{"event_id":"no"},[],{}],"b":{"type":"no"}}', 'grüße', undefined],
    ['{"event_idx":"no","typ":"no","":0}', undefined, undefined],
    ['{"a":[0,-0,1.5,-12e3,1E+2,2e-1,true,false,null],"b":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00aF"}', undefined, undefined],
  ];
  for (const [json, eventId, type] of members) {
    it(`reads ${json}`, () => {
      assert.deepEqual(scanEvent(Buffer.from(json)), { eventId, type });
      assert.deepEqual(parsed(Buffer.from(json)), { eventId, type });
    });
  }

  const values = [
    ...['01', '1.', '.5', '-', '+1', '1e', '1e+', '0x1', '--1', 'NaN', '-Infinity', 'tru', 'True', 'nul', 'falsey'],
    ...['"', '"\\', '"\\x"', '"\\u12g4"', '"\\u123"', '"a\nb"', '"\u0000"', "'a'", '"a', '\u00a01', '1\u00a0', '/**/1'],
  ];
  for (const json of [
    ...['', '{', '}', '[]', 'null', '{}{}', '{"a"}', '{"a":}', '{"a":1,}', '{,}', '{a:1}', "{'a':1}", '{"a":1]'],
    ...['{"a" 1}', '{"a":1 "b":2}', '{"a":[1,]}', '{"a":[1 2]}', '{"a":[}', '{"a":[1}', '{"a":{"b":1]}'],
    ...values.map((value) => `{"a":${value}}`),
  ]) {
    it(`does not accept ${JSON.stringify(json)}`, () => {
      assert.equal(scanEvent(Buffer.from(json)), null);
      assert.equal(parsed(Buffer.from(json)), null);
    });
  }

  it('accepts no blanks around the object, which callers remove', () => {
    assert.equal(scanEvent(Buffer.from(' {}')), null);
    assert.equal(scanEvent(Buffer.from('{} ')), null);
  });

  it('leaves escapes in names and texts of the members, and deep nesting, to JSON.parse', () => {
    const deep = (levels: number) => Buffer.from(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    for (const json of ['{"typ\\u0065":"transaction"}', '{"type":"trans\\u0061ction"}', '{"event_id":"a\\n"}']) {
      assert.equal(scanEvent(Buffer.from(json)), null, json);
    }
    assert.notEqual(scanEvent(deep(99)), null);
    assert.equal(scanEvent(deep(100)), null);
    assert.equal(scanEvent(deep(100_000)), null);
  });

  it('agrees with JSON.parse on any JSON, also in other spellings', () => {
    const key = fc.oneof(fc.constantFrom('event_id', 'type', '__proto__'), fc.string({ unit: 'binary' }));
    const event = fc.dictionary(key, fc.jsonValue({ stringUnit: 'binary' }));
    fc.assert(
      fc.property(event, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const bytes = Buffer.from(JSON.stringify(value, undefined, indent));
        // Without escapes where they matter, a scan must decide.
        const read = JSON.stringify([Object.keys(value), value['event_id'], value['type']]);
        if (!read.includes('\\')) assert.notEqual(scanEvent(bytes), null, bytes.toString());
        assertSameOrUndecided(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse on JSON with changed bytes', () => {
    const sample = '{"event_id":"ab","type":"t","n":[-1.5e+3,0,{"a":"\\u00e9\\n"},true,null,false],"é":{"":[[]]}}';
    const bytes = Buffer.from(sample);
    for (let at = 0; at < bytes.length; at += 1) {
      for (let byte = 0; byte < 256; byte += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        assertSameOrUndecided(changed);
      }
      assertSameOrUndecided(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]));
      assertSameOrUndecided(bytes.subarray(0, at));
    }
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'{}[]":,\\u0019-+.eE tfnrals'.split(''), 'true', '"type"'), { maxLength: 30 }),
        (parts) => assertSameOrUndecided(`{${parts.join('')}}`),
      ),
      { numRuns: 20_000 },
    );
  });
});
