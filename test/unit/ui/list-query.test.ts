import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  corrected,
  isFiltered,
  NO_FILTERS,
  PAGE_SIZES,
  parseListQuery,
  parsePageSize,
  toLocationQuery,
  toParameters,
} from '../../../ui/src/pages/errors/list-query.ts';

describe('the address of the list', () => {
  it('says only what is not usual', () => {
    assert.deepEqual(toLocationQuery(parseListQuery({})), {});
    assert.deepEqual(toLocationQuery(parseListQuery({ status: 'all', sort: 'last_seen', level: 'fatal' })), {
      status: 'all',
      level: 'fatal',
    });
  });

  it('takes nonsense as if it was not there', () => {
    const query = parseListQuery({ status: 'gone', sort: ['users', 'x'], level: null, search: 7, cursor: ['c', 'd'] });
    assert.deepEqual(toLocationQuery(query), { cursor: 'c' });
  });

  it('leads back to the same query, whatever it says', () => {
    const any = fc.dictionary(
      fc.constantFrom(
        ...['status', 'sort', 'level', 'search', 'environment', 'release', 'cursor', 'per_page'],
        ...['first_seen_after', 'last_seen_before', 'range', 'for_review', 'page'],
      ),
      fc.oneof(
        fc.string(),
        fc.constantFrom('all', 'users', 'error', '20', '50', '7d', 'true', '2026-11-24T09:00:00Z'),
        fc.constant(null),
        fc.array(fc.string()),
      ),
    );
    fc.assert(
      fc.property(any, fc.constantFrom(...PAGE_SIZES), (given, preferred) => {
        const query = parseListQuery(given, preferred);
        const address = toLocationQuery(query, preferred);
        assert.deepEqual(parseListQuery(address, preferred), query);
        assert.equal(corrected(address, query, preferred), null);
      }),
    );
  });

  it('is corrected where it asks for what there is not, and only there', () => {
    const right = (given: Readonly<Record<string, string | string[] | null>>) =>
      corrected(given, parseListQuery(given));
    assert.equal(right({}), null);
    assert.equal(right({ status: 'unresolved', search: 'a b', cursor: 'c', other: 'x' }), null);
    assert.deepEqual(right({ status: 'gone', level: 'fatal', other: 'x' }), { level: 'fatal', other: 'x' });
    assert.deepEqual(right({ sort: 'age', search: 'a\0b', release: ['1', '2'] }), { search: 'ab', release: '1' });
    assert.deepEqual(right({ level: null, search: 'x'.repeat(600) }), { search: 'x'.repeat(500) });
  });

  it('says how long pages are where they are longer than usual; the preference is for first pages', () => {
    const read = (given: Readonly<Record<string, string>>) => parseListQuery(given, '50');
    assert.equal(read({}).per_page, '50');
    assert.deepEqual(corrected({}, read({}), '50'), { per_page: '50' });
    assert.equal(corrected({ per_page: '50' }, read({ per_page: '50' }), '50'), null);
    assert.equal(read({ per_page: '20' }).per_page, '20');
    assert.equal(read({ per_page: '30' }).per_page, '50');
    assert.equal(read({ cursor: 'c' }).per_page, '20');
    assert.deepEqual(toLocationQuery({ ...read({ per_page: '20' }), level: 'fatal' }, '50'), {
      level: 'fatal',
      per_page: '20',
    });
    assert.equal(toParameters(read({ per_page: '100', cursor: 'c' })).per_page, 100);
    assert.deepEqual(['100', '7', null].map(parsePageSize), ['100', '20', '20']);
  });

  it('is cut without halving a character', () => {
    assert.equal(parseListQuery({ search: `${'x'.repeat(499)}😀` }).search, 'x'.repeat(499));
    assert.equal(parseListQuery({ search: `${'x'.repeat(498)}😀` }).search, `${'x'.repeat(498)}😀`);
  });

  it('asks the service for no empty filters', () => {
    const query = parseListQuery({ search: '  ', release: '1.0' });
    assert.deepEqual(toParameters(query), {
      status: 'unresolved',
      sort: 'last_seen',
      per_page: 20,
      release: '1.0',
    });
    assert.equal(isFiltered(query), true);
    assert.equal(isFiltered(parseListQuery({ search: ' ', status: 'all' })), false);
  });

  it('has ranges of times; other texts are none', () => {
    const after = '2026-11-24T09:00:00Z';
    const given = { first_seen_after: after, last_seen_before: '2026-11-24T10:00:00.000+01:00' };
    const query = parseListQuery(given);
    assert.deepEqual(toLocationQuery(query), given);
    assert.deepEqual(toParameters(query), { status: 'unresolved', sort: 'last_seen', per_page: 20, ...given });
    assert.equal(isFiltered(query), true);
    for (const wrong of ['yesterday', '2026-11-24', '2026-11-24T09:00', '2026-13-24T09:00:00Z', `${after}<b>`]) {
      assert.equal(isFiltered(parseListQuery({ first_seen_after: wrong })), false, wrong);
    }
    assert.equal(isFiltered({ ...query, ...NO_FILTERS }), false);
  });
});
