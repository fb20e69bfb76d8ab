import assert from 'node:assert/strict';
import { foldFrames } from '../../../ui/src/pages/error/fold-frames.ts';

/** `A` is a frame of the application, `s` one of the system. */
const shape = (stack: string) =>
  foldFrames(Array.from(stack, (letter) => ({ in_app: letter === 'A' })))
    .map(({ folded, frames }) => `${folded ? 'fold' : 'show'}${frames.length}`)
    .join(' ');

describe('frames of a stack', () => {
  it('are folded in runs where they are the system’s', () => {
    assert.equal(shape('AAsssAs'), 'show2 fold3 show1 show1');
    assert.equal(shape('ssA'), 'fold2 show1');
  });

  it('are all shown where none is the application’s', () => {
    assert.equal(shape('sss'), 'show3');
    assert.equal(shape(''), '');
  });
});
