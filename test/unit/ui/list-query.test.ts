import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  corrected,
  isFiltered,
  parseListQuery,
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
      fc.constantFrom('status', 'sort', 'level', 'search', 'environment', 'release', 'cursor'),
      fc.oneof(fc.string(), fc.constantFrom('all', 'users', 'error'), fc.constant(null), fc.array(fc.string())),
    );
    fc.assert(
      fc.property(any, (given) => {
        const query = parseListQuery(given);
        assert.deepEqual(parseListQuery(toLocationQuery(query)), query);
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
    assert.deepEqual(right({ level: null, search: 'x'.repeat(300) }), { search: 'x'.repeat(200) });
  });

  it('is cut without halving a character', () => {
    assert.equal(parseListQuery({ search: `${'x'.repeat(199)}😀` }).search, 'x'.repeat(199));
    assert.equal(parseListQuery({ search: `${'x'.repeat(198)}😀` }).search, `${'x'.repeat(198)}😀`);
  });

  it('asks the service for no empty filters', () => {
    const query = parseListQuery({ search: '  ', release: '1.0' });
    assert.deepEqual(toParameters(query), { status: 'unresolved', sort: 'last_seen', release: '1.0' });
    assert.equal(isFiltered(query), true);
    assert.equal(isFiltered(parseListQuery({ search: ' ', status: 'all' })), false);
  });
});
