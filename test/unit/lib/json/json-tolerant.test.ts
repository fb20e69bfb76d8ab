import assert from 'node:assert/strict';
import { parseTolerantJson } from '../../../../src/lib/json/json-tolerant.ts';

describe('tolerant JSON', () => {
  const rows: [text: string, expected: unknown][] = [
    ['{"a":1}', { a: 1 }],
    ['\ufeff[1]', [1]],
    ['[NaN,Infinity,-Infinity, NaN ]', [null, null, null, null]],
    ['{"NaN":NaN,"a\\\\":"-Infinity","b\\"NaN":Infinity}', { NaN: null, 'a\\': '-Infinity', 'b"NaN': null }],
  ];
  for (const [text, expected] of rows) {
    it(text, () => assert.deepEqual(parseTolerantJson(text), expected));
  }
  for (const text of ['', 'NaNs', '{"a":NaN', '{"a":"NaN', "{'a':NaN}", '[InfinityX]']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseTolerantJson(text), SyntaxError));
  }
});
