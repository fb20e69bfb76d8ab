import assert from 'node:assert/strict';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { AppError, type ErrorCode } from '../../../../src/domain/app-error.ts';
import { decodeStoreBody } from '../../../../src/integrated/intake/store-body.ts';

const MAX = 100_000;
const JSON_TEXT = '{"message":"grüße?>>","n":1}';
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes as string).toString('base64');
const decode = async (body: Uint8Array | string) => {
  const { bytes } = await decodeStoreBody(Buffer.from(body as string), MAX);
  return { value: JSON.parse(bytes.toString()) as Record<string, unknown>, bytes };
};
const failsWith = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code;

describe('store body', () => {
  const forms: [what: string, body: string][] = [
    ['JSON', JSON_TEXT],
    ['JSON with blanks around it', ` \r\n\t${JSON_TEXT}\n`],
    ['JSON with a byte order mark', `\ufeff${JSON_TEXT}`],
    ['base64 of JSON', base64(JSON_TEXT)],
    ['base64 in lines', base64(JSON_TEXT).replace(/.{10}/g, '$&\r\n')],
    ['URL-safe base64', Buffer.from(JSON_TEXT).toString('base64url')],
    ['base64 of zlib', base64(deflateSync(JSON_TEXT))],
    ['base64 of raw deflate', base64(deflateRawSync(JSON_TEXT))],
    ['a form field with JSON', `sentry_data=${encodeURIComponent(JSON_TEXT)}`],
    ['a form field with base64', `sentry_data=${encodeURIComponent(base64(JSON_TEXT))}&x=1`],
    ['a form field with unescaped base64', `sentry_data=${base64(JSON_TEXT)}`],
    ['a form field with base64 of zlib', `sentry_data=${encodeURIComponent(base64(deflateSync(JSON_TEXT)))}`],
  ];
  for (const [what, body] of forms) {
    it(`reads ${what}`, async () => {
      const { value, bytes } = await decode(body);
      assert.deepEqual(value, { message: 'grüße?>>', n: 1 });
      assert.equal(bytes.toString(), JSON_TEXT);
    });
  }

  it('refuses what is too long for any form of an event before it is decoded', async () => {
    for (const long of ['A'.repeat(MAX * 4 + 1), `sentry_data=${'A'.repeat(MAX * 4)}`]) {
      await assert.rejects(decode(long), failsWith('ingest_too_large'));
    }
  });

  it('has a plus sign in the base64 of its sample, or the form cases would prove nothing', () => {
    assert.match(base64(JSON_TEXT), /\+|\//);
  });

  it('reads bare NaN and Infinity as null, and only outside of strings', async () => {
    const { value, bytes } = await decode('{"a":NaN,"b":[Infinity,-Infinity],"c":"NaN \\" -Infinity","d":-1}');
    assert.deepEqual(value, { a: null, b: [null, null], c: 'NaN " -Infinity', d: -1 });
    assert.equal(bytes.toString(), '{"a":null,"b":[null,null],"c":"NaN \\" -Infinity","d":-1}');
  });

  for (const body of [
    '[]',
    '[{}]',
    'null',
    '"x"',
    '7',
    '',
    '   ',
    '{',
    '{"a":1',
    '{"a":NaN',
    '}{',
    '{NaN}',
    '{"a":1}{"b":2}',
    'plain text',
    '====',
    base64('[1]'),
    base64('hello'),
    'sentry_data=',
    'sentry_data=x',
    '\u0000'.repeat(1000),
  ]) {
    it(`refuses ${JSON.stringify(body.slice(0, 30))}`, async () => {
      await assert.rejects(decode(body), failsWith('ingest_invalid'));
    });
  }

  it('speaks of compression only where something was compressed', async () => {
    const notCompressed = (error: unknown) =>
      error instanceof AppError && error.message.startsWith('The body is not an event');
    for (const body of ['hello', 'null', 'true', 'eventdata', base64('hello'), `sentry_data=${base64('hello')}`]) {
      await assert.rejects(decode(body), notCompressed, body);
    }
    const cutOff = base64(deflateSync(JSON_TEXT).subarray(0, 20));
    await assert.rejects(decode(cutOff), /compressed request body is corrupt/);
  });

  it('refuses events beyond the bound, also when they come compressed', async () => {
    const large = `{"a":"${'x'.repeat(MAX)}"}`;
    await assert.rejects(decode(large), failsWith('ingest_too_large'));
    await assert.rejects(decode(base64(large)), failsWith('ingest_too_large'));
    await assert.rejects(decode(base64(deflateSync(large))), failsWith('ingest_too_large'));
    await assert.rejects(decode(base64(deflateSync(Buffer.alloc(10_000_000)))), failsWith('ingest_too_large'));
    assert.equal(Object.keys((await decode(`{"a":"${'x'.repeat(MAX - 8)}"}`)).value).length, 1);
  });

  it('reads 10,000 levels and keys that are special in JavaScript', async () => {
    const deep = await decode(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`);
    assert.ok(Array.isArray(deep.value['a']));
    const special = await decode('{"__proto__":{"polluted":1},"constructor":1}');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.equal(special.bytes.toString(), '{"__proto__":{"polluted":1},"constructor":1}');
  });
});
