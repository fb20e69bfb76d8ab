import assert from 'node:assert/strict';
import { placeMarks } from '../../../ui/src/components/time-mark.ts';

const START = 1000;
const marks = (...places: number[]) => places.map((at) => ({ at: START + at, label: `r${at}` }));
const placed = (...places: number[]) =>
  placeMarks(marks(...places), START, 100).map(({ x, name, side }) => [x, name, side]);

describe('marks of releases in a chart', () => {
  it('are named to the right of their lines, oldest first', () => {
    assert.deepEqual(placed(50, 10), [
      [10, 'r10', 'right'],
      [50, 'r50', 'right'],
    ]);
  });

  it('at the right edge are named to the left', () => {
    assert.deepEqual(placed(99), [[99, 'r99', 'left']]);
  });

  it('that are close name the newest, and others while there is room', () => {
    assert.deepEqual(placed(4, 80, 82, 84), [
      [4, 'r4', 'right'],
      [80, 'r80', null],
      [82, 'r82', 'left'],
      [84, 'r84', 'right'],
    ]);
  });

  it('outside of the chart are left out', () => {
    assert.deepEqual(placed(-1, 100), []);
  });
});
