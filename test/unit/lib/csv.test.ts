import assert from 'node:assert/strict';
import fc from 'fast-check';
import { csvRecord } from '../../../src/lib/csv.ts';

/** Reads the cells of one record as RFC 4180 says. */
function parse(record: string): string[] {
  assert.ok(record.endsWith('\r\n'));
  const cells: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = pattern.exec(record); found !== null; found = pattern.exec(record)) {
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') break;
  }
  return cells;
}

describe('a record of CSV', () => {
  it('has quotes where they are needed, and empty cells for null', () => {
    assert.equal(csvRecord(['plain', 42, null, 'a,b', 'say "x"', 'a\nb']), 'plain,42,,"a,b","say ""x""","a\nb"\r\n');
    assert.equal(csvRecord(['']), '\r\n');
  });

  it('never begins a formula, with any separator of cells', () => {
    for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201']) {
      assert.deepEqual(parse(csvRecord([formula])), [`'${formula}`]);
      for (const before of [' ', '\u200b', '\ufeff', '\u00a0 ']) {
        assert.deepEqual(parse(csvRecord([`${before}${formula}`])), [`'${before}${formula}`]);
      }
      for (const separator of [';', '|', '\t', '\n', '\r\n']) {
        assert.deepEqual(parse(csvRecord([`a${separator}${formula}`])), [`a${separator}'${formula}`]);
      }
    }
    assert.deepEqual(parse(csvRecord(['\tx', '\rx', '\nx'])), ["'\tx", "'\rx", "'\nx"]);
  });

  it('keeps other texts and numbers as they are', () => {
    for (const text of ['a=b', 'x - y', 'mail@example.test', "it's", '1+1', 'a;b', '😀']) {
      assert.deepEqual(parse(csvRecord([text])), [text]);
    }
    assert.equal(csvRecord([-1]), '-1\r\n');
  });

  it('is read back by the rules of RFC 4180', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (texts) => {
        const cells = parse(csvRecord(texts));
        assert.equal(cells.length, texts.length);
        assert.deepEqual(
          cells.map((cell) => cell.replaceAll("'", '')),
          texts.map((text) => text.replaceAll("'", '')),
        );
      }),
    );
  });
});
