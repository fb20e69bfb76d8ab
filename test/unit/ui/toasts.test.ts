import assert from 'node:assert/strict';
import { sumUp } from '../../../ui/src/app/toasts.ts';

const deed = (kind: string, ...ids: readonly string[]) => ({
  text: `${kind} ${ids.join()}`,
  kind,
  ids,
  undo: () => null,
});

describe('the message about what was done', () => {
  it('names a single deed', () => {
    assert.equal(sumUp([deed('resolved', 'a', 'b')]), 'resolved a,b');
  });

  it('counts errors by what became of them', () => {
    assert.equal(sumUp([deed('resolved', 'a', 'b'), deed('ignored', 'c')]), '2 errors resolved, 1 ignored');
    assert.equal(sumUp([deed('resolved', 'a'), deed('resolved', 'b')]), '2 errors resolved');
  });

  it('counts each error once, as it is now', () => {
    assert.equal(sumUp([deed('resolved', 'a', 'b'), deed('reopened', 'a')]), '1 error reopened, 1 resolved');
    assert.equal(sumUp([deed('resolved', 'a'), deed('reopened', 'a')]), 'reopened a');
  });
});
