import assert from 'node:assert/strict';
import { withSearch } from '../../../../src/domain/search/fold-search.ts';
import type { SearchCondition } from '../../../../src/domain/search/search-condition.ts';
import type { ErrorSelection } from '../../../../src/domain/search/error-query.ts';

const PLAIN: ErrorSelection = { status: 'unresolved', search: 'x', environment: null, release: null, level: null };

describe('the conditions of a search in a query', () => {
  const status = (value: 'resolved' | 'ignored', not = false): SearchCondition => ({ not, field: 'status', value });
  const release = (value: string, not = false): SearchCondition => ({ not, field: 'release', value });
  const seen = (after: number | null, before: number | null, not = false): SearchCondition => ({
    ...{ not, field: 'first_seen', after, before },
  });
  const rows: [name: string, query: Partial<ErrorSelection>, conditions: SearchCondition[], Partial<ErrorSelection>][] =
    [
      ['none', {}, [], {}],
      ['a status replaces that of the query', {}, [status('resolved')], { status: 'resolved' }],
      [
        'two statuses stay, and must both hold',
        {},
        [status('resolved'), status('ignored')],
        { status: 'all', conditions: [status('resolved'), status('ignored')] },
      ],
      ['an excluded status', {}, [status('resolved', true)], { status: 'all', conditions: [status('resolved', true)] }],
      ['a free member takes the condition', {}, [release('1')], { release: '1' }],
      ['the same twice', { release: '1' }, [release('1')], { release: '1' }],
      [
        'a taken member leaves the condition',
        { release: '1' },
        [release('2')],
        { release: '1', conditions: [release('2')] },
      ],
      ['an excluded one stays', {}, [release('1', true)], { conditions: [release('1', true)] }],
      ['a review', {}, [{ not: false, field: 'mark', value: 'for_review' }], { forReview: true }],
      [
        'bounds narrow each other',
        { firstSeenAfter: 5 },
        [seen(3, 9), seen(7, null)],
        { firstSeenAfter: 7, firstSeenBefore: 9 },
      ],
      ['an excluded time with an open end', {}, [seen(5, null, true)], { firstSeenBefore: 4 }],
      ['an excluded span stays', {}, [seen(5, 9, true)], { conditions: [seen(5, 9, true)] }],
    ];
  for (const [name, query, conditions, expected] of rows) {
    it(name, () => {
      assert.deepEqual(withSearch({ ...PLAIN, ...query }, null, conditions, true), {
        ...PLAIN,
        ...query,
        search: null,
        ...expected,
      });
    });
  }

  it('keeps what else the query has', () => {
    const query = { ...PLAIN, sort: 'users', limit: 5, range: '7d' } as const;
    assert.deepEqual(withSearch(query, 'words', [], true), { ...query, search: 'words' });
  });

  it('leaves releases and environments where case does not matter, except for trackers', () => {
    const conditions: SearchCondition[] = [release('1'), { not: false, field: 'environment', value: 'live' }];
    assert.deepEqual(withSearch(PLAIN, null, conditions, false), { ...PLAIN, search: null, conditions });
  });
});
