import assert from 'node:assert/strict';
import { filterText, readSearch, SEARCHED_ONLY } from '../../../ui/src/pages/errors/search-keys.ts';

describe('readSearch', () => {
  it('reads the words of other trackers as filters, and leaves the rest', () => {
    const { filters, rest, problem } = readSearch('time is:archived out level:WARN env:"eu west"  release:shop@2:1');
    assert.deepEqual(filters, { status: 'ignored', level: 'warning', environment: 'eu west', release: 'shop@2:1' });
    assert.deepEqual({ rest, problem }, { rest: 'time out', problem: '' });
    assert.equal(filterText(filters), 'status ignored, level warning, environment eu west, release shop@2:1');
  });

  it('says what is searched for keys that are no filters, and what a filter takes', () => {
    for (const text of ['browser:Firefox', 'user.id:1004', '!level:error', 'x user:"a b"']) {
      assert.deepEqual(readSearch(text), { filters: {}, rest: text, problem: SEARCHED_ONLY }, text);
    }
    assert.equal(readSearch('level:loud').problem, 'level: takes fatal, error, warning, info or debug.');
  });

  it('takes texts of errors as what they are', () => {
    for (const text of [
      'TypeError: x is null',
      'http://localhost:1/',
      'std::bad_alloc',
      'at 12:30',
      'level:',
      'a:b:',
    ]) {
      const { filters, rest } = readSearch(text);
      assert.deepEqual({ filters, rest }, { filters: {}, rest: text }, text);
    }
  });
});
