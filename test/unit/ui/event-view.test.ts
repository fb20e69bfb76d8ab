import assert from 'node:assert/strict';
import { exceptionsOf, threadsOf } from '../../../ui/src/lib/event-view.ts';

const parts = (notes: string[]) => ({
  exceptions: [
    { type: 'Cause', frames: [{ function: 'a' }] },
    { type: 'Shown', frames: [{ function: 'b' }, { function: 'c', vars: { x: '...' } }] },
  ],
  threads: [
    { name: 'idle', frames: [{ function: 'd' }] },
    { name: 'main', crashed: true, frames: [{ function: 'e' }] },
  ],
  breadcrumbs: [],
  notes,
});

const cut = (stacks: readonly { frames: readonly { function: string | null; varsCut: boolean }[] }[]) =>
  stacks.flatMap(({ frames }) => frames.filter(({ varsCut }) => varsCut).map((frame) => frame.function));

describe('what was cut of a stack', () => {
  it('is shown at the frame with these variables, and only there', () => {
    const event = parts([
      'exceptions[1].frames[1].vars: truncated',
      'exceptions[1].frames[0].context_line: truncated',
      'exceptions[0].mechanism.data: truncated',
      'threads[1].frames[0].vars: truncated',
    ]);
    assert.deepEqual(cut(exceptionsOf(event)), ['c']);
    assert.deepEqual(cut(threadsOf(event)), ['e']);
    assert.deepEqual(cut(exceptionsOf(parts([]))), []);
  });

  it('is shown below the stack where it concerns the stack', () => {
    const event = parts([
      'exceptions[1].frames: 50 frames omitted',
      'exceptions[1].frames: source lines and variables of 200 frames omitted',
      'extra: truncated',
    ]);
    assert.deepEqual(
      exceptionsOf(event).map(({ omitted }) => omitted),
      [['50 frames', 'source lines and variables of 200 frames'], []],
    );
  });
});
