import assert from 'node:assert/strict';
import { compareReleases, fateOf, MAX_IN_GROUP, newsOf } from '../../../../src/domain/releases/release-comparison.ts';
import type { ReleaseError } from '../../../../src/domain/releases/session.ts';

const error = (id: string, base: number, head: number, part: Partial<ReleaseError> = {}): ReleaseError => ({
  ...{ id, type: null, title: id, culprit: null, level: 'error', status: 'unresolved', firstSeen: 1, lastSeen: 2 },
  ...{ firstRelease: 'a', lastRelease: 'a', regressedIn: null, counts: [base, head] },
  ...part,
});
const ids = ({ errors }: { readonly errors: readonly ReleaseError[] }) => errors.map(({ id }) => id);

describe('a comparison of two releases', () => {
  const errors = [error('new', 0, 3), error('gone', 4, 0), error('same', 10, 14), error('louder', 10, 15)];

  it('sorts errors by what became of them', () => {
    const { new: fresh, gone, louder, unchanged, by } = compareReleases(errors, [0, 500]);
    assert.deepEqual([ids(fresh), ids(gone), ids(louder), unchanged, by], [['new'], ['gone'], ['louder'], 1, 'events']);
  });

  it('measures per session where both have sessions', () => {
    // Half of the sessions: the same number of events is twice as frequent.
    const { louder, unchanged, by } = compareReleases([error('x', 10, 10), error('y', 10, 7)], [1000, 500]);
    assert.deepEqual([ids(louder), unchanged, by], [['x'], 1, 'sessions']);
    const { louder: none } = compareReleases([error('x', 10, 100)], [100, 1000]);
    assert.deepEqual(ids(none), []);
  });

  it('puts the greatest difference first, and counts what it does not list', () => {
    const many = Array.from({ length: MAX_IN_GROUP + 20 }, (_, index) => error(`n${index}`, 0, index + 1));
    const { new: fresh } = compareReleases(many, [0, 0]);
    assert.deepEqual([fresh.total, fresh.errors.length, ids(fresh)[0]], [MAX_IN_GROUP + 20, MAX_IN_GROUP, 'n119']);
    const { louder } = compareReleases([error('a', 1, 10), error('b', 100, 200)], [0, 0]);
    assert.deepEqual(ids(louder), ['b', 'a']);
  });
});

describe('an error that a release does not have', () => {
  const releases = { base: 'a@1.1', head: 'a@1.2' };
  const fate = (lastRelease: string | null, counts = [3, 0], of: typeof releases | null = releases) => {
    const { backIn, goneIn } = fateOf({ lastRelease, counts }, of);
    return [backIn, goneIn];
  };

  it('is back in the later version of its newest event, or gone where that is of the release before', () => {
    assert.deepEqual(fate('a@1.2.1'), ['a@1.2.1', null]);
    assert.deepEqual(fate('a@1.10'), ['a@1.10', null]);
    assert.deepEqual(fate('a@1.1'), [null, 'a@1.2']);
  });

  it('is neither where that is not known', () => {
    assert.deepEqual(fate('a@1.0'), [null, null], 'an old client');
    assert.deepEqual(fate('f00dbabe'), [null, null], 'no version');
    assert.deepEqual(fate('b@9.0'), [null, null], 'another package');
    assert.deepEqual(fate('a@1.2'), [null, null], 'in the release, of another environment');
    assert.deepEqual(fate(null), [null, null]);
    assert.deepEqual(fate('a@1.3', [3, 1]), [null, null], 'not missing');
    assert.deepEqual(fate('a@1.3', [0, 0]), [null, null], 'not in the release before either');
    assert.deepEqual(fate('a@1.3', []), [null, null], 'counts were not asked for');
    assert.deepEqual(fate('a@1.3', [3, 0], null), [null, null], 'the later release is the base');
  });
});

describe('the news of a release', () => {
  it('are what was first seen in it, came back in it, and is gone', () => {
    const news = newsOf('b', [
      error('first', 0, 1, { firstRelease: 'b' }),
      error('older', 0, 1),
      error('back', 1, 1, { regressedIn: 'b' }),
      error('gone', 1, 0),
    ]);
    assert.deepEqual([ids(news.new), ids(news.regressed), ids(news.gone)], [['first'], ['back'], ['gone']]);
  });
});
