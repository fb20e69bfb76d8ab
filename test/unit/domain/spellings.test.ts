import assert from 'node:assert/strict';
import type { SearchCondition, TextMatch } from '../../../src/domain/search-condition.ts';
import { commonStart, MAX_SPELLINGS, spelledTexts, withSpellings } from '../../../src/domain/spellings.ts';

const tag = (value: string | null, match?: TextMatch): SearchCondition => ({
  ...{ not: false, field: 'tag', key: 'browser', value },
  ...(match === undefined ? {} : { match }),
});

describe('spellings of values', () => {
  const found = (condition: SearchCondition, ...known: string[]): readonly string[] => {
    const spelled = withSpellings(condition, new Map([['browser', known], ['environment', known]])); // prettier-ignore
    return 'spellings' in spelled ? (spelled.spellings ?? []) : [];
  };

  it('are those of known values, by how they compare', () => {
    assert.deepEqual(found(tag('firefox'), 'Firefox', 'Firefox 140', 'FIREFOX', 'firefox', 'Fire'), [
      'Firefox',
      'FIREFOX',
    ]);
    assert.deepEqual(found(tag('firefox', 'name'), 'Firefox 140', 'FIREFOX9', 'FireFox Mobile'), [
      'Firefox',
      'FIREFOX',
    ]);
    assert.deepEqual(found(tag('fire', 'prefix'), 'Firefox', 'FireFly', 'fIre'), ['Fire', 'fIre']);
    assert.deepEqual(found(tag('Firefox'), 'Firefox'), []);
    assert.deepEqual(found(tag(null), 'Firefox'), []);
    assert.equal(found(tag('abc'), 'Abc', 'aBc', 'abC', 'ABc', 'aBC', 'ABC').length, MAX_SPELLINGS);
  });

  it('are the usual ones of a tag of which no value is known, not of an environment', () => {
    assert.deepEqual(found(tag('mobile safari')), ['MOBILE SAFARI', 'Mobile Safari']);
    assert.deepEqual(found(tag('FIREFOX'), 'Chrome'), ['firefox', 'Firefox']);
    assert.deepEqual(found({ not: false, field: 'environment', value: 'live' }), []);
    assert.deepEqual(found({ not: true, field: 'environment', value: 'live' }, 'Live'), ['Live']);
  });

  it('are added to each value of a list, and to no other condition', () => {
    const list: SearchCondition = {
      ...{ not: true, field: 'any' },
      of: [{ field: 'tag', key: 'os', value: 'linux' }, { field: 'level', value: 'error' }],
    }; // prettier-ignore
    assert.deepEqual(spelledTexts(list), [{ tag: 'os', text: 'linux' }]);
    assert.deepEqual(withSpellings(list, new Map([['os', ['Linux']]])), {
      ...list,
      of: [
        { field: 'tag', key: 'os', value: 'linux', spellings: ['Linux'] },
        { field: 'level', value: 'error' },
      ],
    });
  });

  it('are looked up by what the values begin with', () => {
    assert.equal(commonStart(['Firefox', 'FIRE', 'fired']), 'Fire');
    assert.equal(commonStart(['Firefox', 'Chrome']), '');
    assert.equal(commonStart(['one']), 'one');
  });
});
