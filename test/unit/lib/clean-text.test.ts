import assert from 'node:assert/strict';
import { cleanText, cutText, firstLine, isCleanText } from '../../../src/lib/text/clean-text.ts';

describe('clean text', () => {
  it('removes NUL and replaces lone surrogates', () => {
    assert.equal(cleanText('a\0b\ud800c😀'), 'ab\ufffdc😀');
    assert.equal(isCleanText('a😀'), true);
    assert.equal(isCleanText('\0'), false);
    assert.equal(isCleanText('\udc00'), false);
  });

  it('cuts to the length with an ellipsis, between characters', () => {
    assert.equal(cutText('abcdef', 6), 'abcdef');
    assert.equal(cutText('abcdefg', 6), 'abc...');
    assert.equal(cutText('abcdefg', 6, 1), 'abcdefg');
    assert.equal(cutText('ab😀efg', 6), 'ab...');
    assert.equal(cutText('abc', 2), '...');
  });

  it('finds the first line', () => {
    assert.equal(firstLine('a b \r\nc'), 'a b');
    assert.equal(firstLine('\n\n a\u2028b'), 'a');
    assert.equal(firstLine(' \n'), '');
  });
});
