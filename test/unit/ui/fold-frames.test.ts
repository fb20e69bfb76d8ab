import assert from 'node:assert/strict';
import { foldFrames, framesBehind, openedFrames } from '../../../ui/src/pages/error/fold-frames.ts';

/** Upper case: a frame of the application, lower case: one of the system. Equal letters are the same call. */
const frames = (stack: string) =>
  Array.from(stack, (letter) => ({
    in_app: letter === letter.toUpperCase(),
    function: letter,
    module: null,
    filename: 'file',
    lineno: 1,
  }));

const shape = (stack: string) =>
  foldFrames(frames(stack))
    .map((row) => {
      if (row.kind === 'frame') return row.frame.function;
      return row.kind === 'system'
        ? `[${row.frames.length}]`
        : `(${row.turn.map((one) => one.function).join('')}×${row.times})`;
    })
    .join(' ');

describe('frames of a stack', () => {
  it('are folded in runs where they are the system’s', () => {
    assert.equal(shape('ABsdfCg'), 'A B [3] C g');
    assert.equal(shape('ssA'), '[2] A');
  });

  it('are all shown where that is asked for, but for recursion', () => {
    const shown = foldFrames(frames('ABsdfVVVVC'), true);
    assert.equal(shown.filter(({ kind }) => kind === 'frame').length, 7);
    assert.deepEqual(
      shown.flatMap((row) => (row.kind === 'frame' ? [] : [row.kind])),
      ['repeat'],
    );
  });

  it('are all shown where none is the application’s', () => {
    assert.equal(shape('sdf'), 's d f');
    assert.equal(shape(''), '');
  });

  it('are folded from the third turn of a recursion on, also of several frames', () => {
    assert.equal(shape('AVVC'), 'A V V C');
    assert.equal(shape(`A${'V'.repeat(163)}C`), 'A V (V×163) C');
    assert.equal(shape('XYXYXYZ'), 'X Y (XY×3) Z');
    assert.equal(shape('XsXsXs'), 'X s (Xs×3)');
    assert.equal(shape('ssssA'), '[4] A');
    assert.equal(shape('sss'), 's (s×3)');
    assert.equal(framesBehind(foldFrames(frames(`A${'V'.repeat(163)}C`))), 165);
  });

  it('are open where it crashed and at the next other call', () => {
    const opened = (stack: string, most = 2) =>
      [...openedFrames(frames(stack), most)].map((one) => one.function).join('');
    assert.equal(opened('sAVVB'), 'AV');
    assert.equal(opened('VVVB'), 'VB');
    assert.equal(opened('AB', 1), 'A');
    assert.equal(opened('sdf'), 's');
  });
});
