import assert from 'node:assert/strict';
import { mergeRows, restoreRows } from '../../../ui/src/pages/errors/merge-rows.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id, count: 1 }));
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('');

describe('fresh rows of the list', () => {
  it('are shown unchanged while the rows are not held', () => {
    const fresh = rows('c', 'a');
    assert.deepEqual(mergeRows(rows('a', 'b'), fresh, false), { rows: fresh, added: 0, behind: false });
  });

  it('change what stands in held rows, and move none of them', () => {
    const fresh = [
      { id: 'c', count: 1 },
      { id: 'b', count: 5 },
      { id: 'a', count: 2 },
    ];
    const merged = mergeRows(rows('a', 'b', 'z'), fresh, true);
    assert.deepEqual(merged.rows, [
      { id: 'a', count: 2 },
      { id: 'b', count: 5 },
      { id: 'z', count: 1 },
    ]);
    assert.equal(merged.added, 1);
    assert.equal(merged.behind, true);
  });

  it('are added below held rows where they follow on the last of them', () => {
    const merged = mergeRows(rows('b', 'c'), rows('n', 'b', 'c', 'd', 'e'), true);
    assert.equal(idsOf(merged.rows), 'bcde');
    assert.deepEqual([merged.added, merged.behind], [1, true]);
    assert.equal(mergeRows(rows('b', 'c'), rows('b', 'c', 'd'), true).behind, false);
    assert.equal(idsOf(mergeRows(rows('b', 'c'), rows('x', 'y'), true).rows), 'bc');
  });

  it('leave nothing behind when rows and order are the same', () => {
    assert.equal(mergeRows(rows('a', 'b'), rows('a', 'b'), true).behind, false);
    assert.equal(mergeRows(rows('a', 'b'), rows('a'), true).behind, true);
  });

  it('come back to where they were, each once', () => {
    const [b, d] = rows('b', 'd');
    assert.ok(b !== undefined && d !== undefined);
    const removed = [
      { row: d, index: 3 },
      { row: b, index: 1 },
    ];
    assert.equal(idsOf(restoreRows(rows('a', 'c', 'e'), removed)), 'abcde');
    assert.equal(idsOf(restoreRows(rows('a', 'b', 'c'), removed)), 'abcd');
    assert.equal(idsOf(restoreRows([], removed)), 'bd');
  });
});
