import assert from 'node:assert/strict';
import { mergeTagSpreads } from '../../../../src/storage/merge/merge-tag-spreads.ts';

const spread = (key: string, values: Record<string, number>, other = 0) => ({
  key,
  total: Object.values(values).reduce((sum, count) => sum + count, other),
  values: Object.entries(values).map(([value, count]) => ({ value, count })),
  other,
});

describe('mergeTagSpreads', () => {
  it('adds up keys and values, most frequent first', () => {
    assert.deepEqual(
      mergeTagSpreads([
        [spread('os', { linux: 2, mac: 1 }, 4)],
        [spread('browser', { firefox: 9 }), spread('os', { mac: 5 })],
      ]),
      [spread('os', { mac: 6, linux: 2 }, 4), spread('browser', { firefox: 9 })],
    );
  });

  it('leaves a single error as it is, and none to none', () => {
    const own = [spread('b', { x: 1 }), spread('a', { y: 2 })];
    assert.deepEqual(mergeTagSpreads([own]), own);
    assert.deepEqual(mergeTagSpreads([]), []);
  });

  it('keeps the bounds of values and keys', () => {
    const many = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${prefix}${index}`, index + 1]));
    const [merged] = mergeTagSpreads([[spread('k', many('a'))], [spread('k', many('b'))]]);
    assert.equal(merged?.total, 420);
    assert.deepEqual([merged.values.length, merged.values[0]?.count, merged.other], [20, 20, 110]);
    const [releases] = mergeTagSpreads([[spread('release', many('a'))], [spread('release', many('b'))]]);
    assert.deepEqual([releases?.values.length, releases?.other], [40, 0]);
    const keys = (prefix: string) => Array.from({ length: 60 }, (_, index) => spread(`${prefix}${index}`, { x: 1 }));
    assert.equal(mergeTagSpreads([keys('a'), keys('b')]).length, 60);
  });
});
