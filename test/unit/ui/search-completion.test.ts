import assert from 'node:assert/strict';
import {
  isUnfinished,
  keyCompletions,
  valueCompletions,
  wordAt,
  type SearchKeyInfo,
} from '../../../ui/src/pages/errors/search-completion.ts';

const key = (name: string): SearchKeyInfo => ({ key: name, description: name, values: [], suggests: true });
const IS: SearchKeyInfo = { key: 'is', description: '', values: ['new', 'regressed'], suggests: false };
const KEYS = [IS, ...['level', 'release', 'user'].map(key)];

describe('completion of a search', () => {
  it('reads the word at the caret', () => {
    assert.deepEqual(wordAt('a level:fa b', 10), { start: 2, end: 10, not: '', key: 'level', list: '', typed: 'fa' });
    assert.deepEqual(wordAt('!user:"Ada L', 12), {
      start: 0,
      end: 12,
      not: '!',
      key: 'user',
      list: '',
      typed: 'Ada L',
    });
    assert.deepEqual(wordAt('level:fatal', 2), { start: 0, end: 11, not: '', key: null, list: '', typed: 'le' });
    assert.deepEqual(wordAt('a  b', 2), { start: 2, end: 2, not: '', key: null, list: '', typed: '' });
    assert.equal(wordAt(':x', 2).key, null);
  });

  it('offers the keys that begin with the word, and puts one in its place', () => {
    const text = 'x !re y';
    const [first, ...others] = keyCompletions(text, wordAt(text, 5), KEYS);
    assert.deepEqual(others, []);
    assert.equal(first?.label, '!release:');
    assert.deepEqual([first.text, first.caret, first.complete], ['x !release: y', 11, false]);
    assert.equal(keyCompletions('', wordAt('', 0), KEYS).length, KEYS.length);
    assert.deepEqual(keyCompletions('level:x', wordAt('level:x', 7), KEYS), []);
  });

  it('offers values, those that begin with the text first, and quotes blanks', () => {
    const text = 'user:ad z';
    const offered = valueCompletions(text, wordAt(text, 7), ['Grada', 'Ada Lovelace', 'Bob'], { Grada: 'hint' });
    assert.deepEqual(
      offered.map(({ label, description }) => [label, description]),
      [
        ['Ada Lovelace', ''],
        ['Grada', 'hint'],
      ],
    );
    assert.deepEqual([offered[0]?.text, offered[0]?.caret], ['user:"Ada Lovelace" z', 20]);
    assert.deepEqual(offered[1]?.text, 'user:Grada z');
    assert.equal(
      valueCompletions(
        'is:',
        wordAt('is:', 3),
        Array.from({ length: 20 }, (_, index) => String(index)),
      ).length,
      8,
    );
  });

  it('says of the name of a product that it finds any version', () => {
    const said = (key: string) =>
      valueCompletions(`${key}:`, wordAt(`${key}:`, key.length + 1), ['Fox', 'Fox 14']).map(
        ({ description }) => description,
      );
    for (const key of ['browser', 'os', 'runtime.name', 'device.family']) {
      assert.deepEqual(said(key), ['any version', ''], key);
    }
    for (const key of ['browser.family', 'Browser', 'shop']) assert.deepEqual(said(key), ['', ''], key);
  });

  it('offers values within a list, and closes it', () => {
    const text = 'level:[fatal,"a b",er z';
    const word = wordAt(text, 21);
    assert.deepEqual([word.list, word.typed], ['[fatal,"a b",', 'er']);
    const [first] = valueCompletions(text, word, ['error', 'fatal']);
    assert.equal(first?.text, 'level:[fatal,"a b",error] z');
    assert.equal(valueCompletions('a:', wordAt('a:', 2), ['/x/*'])[0]?.text, 'a:"/x/\\*" ');
  });

  it('knows a word that is not finished', () => {
    for (const text of ['level:', 'a !level:', 'user:"Ada L', 'level:[fatal, er', 'x tag:a=['])
      assert.equal(isUnfinished(text, KEYS), true, text);
    for (const text of ['is:reg', '!is:n', 'x IS:Gres']) assert.equal(isUnfinished(text, KEYS), true, text);
    for (const text of [
      '',
      'level',
      'level:fatal',
      'level: ',
      'is:new',
      'is:x',
      'is:reg ',
      'foo:',
      'user:"Ada L"',
      'level:[fatal]',
      'file:[id].tsx',
    ]) {
      assert.equal(isUnfinished(text, KEYS), false, text);
    }
  });
});
