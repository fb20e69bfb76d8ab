import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseExactJson } from '../../../../src/lib/json/json-exact-numbers.ts';
import { processorMs } from '../../../support/processor-time.ts';

describe('JSON with numbers that a double cannot hold', () => {
  const rows: [json: string, value: unknown][] = [
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
    ['{"id": 123456789012345678901234567890 , "n":5}', { id: '123456789012345678901234567890', n: 5 }],
    ['[1,9007199254740993,[9007199254740995]]', [1, '9007199254740993', ['9007199254740995']]],
    ['{"id":123456789012345}', { id: 123456789012345 }],
    ['[9007199254740991,-9007199254740991,4111111111111111]', [9007199254740991, -9007199254740991, 4111111111111111]],
    ['[9007199254740992,-9007199254740992]', ['9007199254740992', '-9007199254740992']],
    ['{"a":{"b":[ -1234567890123456789 ]}}', { a: { b: ['-1234567890123456789'] } }],
    ['[1e999,-1E+999,1.5e400,1e308,1e-400]', ['1e999', '-1E+999', '1.5e400', 1e308, 0]],
    [`[${'9'.repeat(400)}.5,1]`, [`${'9'.repeat(400)}.5`, 1]],
    ['{"t":"3f5e123a","u":"1e999","v":[1]}', { t: '3f5e123a', u: '1e999', v: [1] }],
    ['9007199254740993', '9007199254740993'],
    [
      '[1541451600.0,12345678901234567.5,1e16,0.1234567890123456789]',
      [1541451600, Number('12345678901234567.5'), 1e16, Number('0.1234567890123456789')],
    ],
    ['{"a":"x:9007199254740993","b":9007199254740993}', { a: 'x:9007199254740993', b: '9007199254740993' }],
    [
      '{"a\\"":"\\\\","b":[9007199254740993],"c":",9007199254740993"}',
      { 'a"': '\\', b: ['9007199254740993'], c: ',9007199254740993' },
    ],
    ['\ufeff{"id":1}', { id: 1 }],
  ];
  for (const [json, value] of rows) {
    it(json.slice(0, 60), () => {
      assert.deepEqual(parseExactJson(json), value);
    });
  }

  for (const json of [
    '',
    '{',
    '{"a":9007199254740993',
    '{"a":9007199254740993,"b":"x',
    'nope',
    '[09007199254740993]',
    '[9007199254740993.]',
    '[1e999',
  ]) {
    it(`refuses ${JSON.stringify(json)}`, () => {
      assert.throws(() => parseExactJson(json), SyntaxError);
    });
  }

  it('keeps 5,000 digits', () => {
    assert.deepEqual(parseExactJson(`{"id":${'7'.repeat(5000)}}`), { id: '7'.repeat(5000) });
  });

  it('finds a long integer wherever it stands, and changes nothing else', () => {
    const other = fc.object({ values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)] });
    fc.assert(
      fc.property(other, fc.bigInt({ min: 2n ** 53n, max: 10n ** 40n }), fc.nat(40), (value, id, blanks) => {
        const json = JSON.stringify(value);
        const read = parseExactJson(`{${' '.repeat(blanks)}"a":${json},"id":[${id}]}`) as { a: unknown; id: unknown };
        assert.deepEqual(read.id, [String(id)]);
        assert.deepEqual(read.a, JSON.parse(json));
      }),
    );
  });

  it('reads long runs of figures, points and exponents in a moment', () => {
    for (const part of ['1', '123456789012345,', '1.1.1.1.e123', '1e', '-', '0']) {
      const json = `[${part.repeat(200_000 / part.length)}`;
      const took = processorMs(() => assert.throws(() => parseExactJson(json), SyntaxError));
      assert.ok(took < 1000, `${part}: ${took} ms`);
    }
  });
});
