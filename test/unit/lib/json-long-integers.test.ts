import assert from 'node:assert/strict';
import { parseJsonWithLongIntegers } from '../../../src/lib/json-long-integers.ts';

describe('JSON with long integers', () => {
  const rows: [json: string, value: unknown][] = [
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
    ['{"id": 123456789012345678901234567890 , "n":5}', { id: '123456789012345678901234567890', n: 5 }],
    ['[1,9007199254740993,[9007199254740995]]', [1, '9007199254740993', ['9007199254740995']]],
    ['{"id":123456789012345}', { id: 123456789012345 }],
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
      assert.deepEqual(parseJsonWithLongIntegers(json), value);
    });
  }

  for (const json of ['', '{', '{"a":9007199254740993', '{"a":9007199254740993,"b":"x', 'nope']) {
    it(`refuses ${JSON.stringify(json)}`, () => {
      assert.throws(() => parseJsonWithLongIntegers(json), SyntaxError);
    });
  }
});
