import assert from 'node:assert/strict';
import { dismissToast, showNotice, showToast, sumUp, toasts } from '../../../ui/src/app/toasts.ts';

const change = (kind: string, ...ids: readonly string[]) => ({
  text: `${kind} ${ids.join()}`,
  kind,
  ids,
  undo: () => null,
});

describe('the message about what was done', () => {
  it('names a single change', () => {
    assert.equal(sumUp([change('resolved', 'a', 'b')]), 'resolved a,b');
  });

  it('counts errors by their new status', () => {
    assert.equal(sumUp([change('resolved', 'a', 'b'), change('ignored', 'c')]), '2 errors resolved, 1 ignored');
    assert.equal(sumUp([change('resolved', 'a'), change('resolved', 'b')]), '2 errors resolved');
  });

  it('counts each error once, as it is now', () => {
    assert.equal(sumUp([change('resolved', 'a', 'b'), change('reopened', 'a')]), '1 error reopened, 1 resolved');
    assert.equal(sumUp([change('resolved', 'a'), change('reopened', 'a')]), 'reopened a');
  });
});

describe('messages', () => {
  const texts = () => toasts.value.map(({ text }) => text);
  afterEach(() => {
    for (const { id } of toasts.value) dismissToast(id);
  });

  it('take the place of the one before', () => {
    showToast('first');
    showToast('second');
    assert.deepEqual(texts(), ['second']);
  });

  it('stand beside a notice, which only the next notice replaces', () => {
    showNotice('Another tab signed in');
    showToast('Nothing was changed');
    showToast('Saved');
    assert.deepEqual(texts(), ['Another tab signed in', 'Saved']);
    showNotice('Another tab signed in again');
    assert.deepEqual(texts(), ['Another tab signed in again', 'Saved']);
    const [notice] = toasts.value;
    dismissToast(notice?.id ?? 0);
    assert.deepEqual(texts(), ['Saved']);
  });
});
