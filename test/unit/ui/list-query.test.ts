import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseListQuery, toLocationQuery, toParameters, isFiltered } from '../../../ui/src/pages/errors/list-query.ts';

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

  it('asks the service for no empty filters', () => {
    const query = parseListQuery({ search: '  ', release: '1.0' });
    assert.deepEqual(toParameters(query), { status: 'unresolved', sort: 'last_seen', release: '1.0' });
    assert.equal(isFiltered(query), true);
    assert.equal(isFiltered(parseListQuery({ search: ' ', status: 'all' })), false);
  });
});
