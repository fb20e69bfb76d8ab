import assert from 'node:assert/strict';
import { parseSearch, searchNeeds, type ParsedSearch } from '../../../../src/domain/search/parse-search.ts';

describe('has: in a search', () => {
  const read = (search: string, tags: ReadonlySet<string> | null = new Set(['shop'])): ParsedSearch =>
    parseSearch(search, { now: 0, me: 7, people: new Map(), tags });

  const refused: [search: string, instead: string, name?: string][] = [
    ['has:user', 'user:ada@example.com'],
    ['has:file', 'file:value'],
    ['has:function', 'function:value'],
    ['has:type', 'type:value'],
    ['has:stack.function', 'function:value'],
    ['has:assignee', 'is:assigned'],
    ['has:is', 'is:unresolved'],
    ['has:age', 'first-seen:-24h'],
    ['has:tag', 'tag:name'],
    ['has:USER', 'user:ada@example.com'],
    ['has:[shop,last-seen]', 'last-seen:-24h', 'last-seen'],
    // Tags under another name, or in another case.
    ['has:env', 'has:environment'],
    ['has:Level', 'has:level'],
  ];
  for (const [search, instead, name = search.slice('has:'.length)] of refused) {
    for (const not of ['', '!']) {
      it(`refuses ${not}${search}, and says what to write`, () => {
        const text = `has: takes the name of a tag, and ${name} is a field: no error seen lately has a tag called ${name}. Write ${not}${instead}, or ${not}tag:${name} for an older tag of that name.`;
        assert.equal(read(`${not}${search}`).problem, text);
        assert.equal(searchNeeds(`${not}${search}`).tags, true);
      });
    }
  }

  it('takes a field where errors have a tag of that name, and where tags are not known', () => {
    for (const tags of [new Set(['user']), null]) {
      const { conditions, problem } = read('has:user', tags);
      assert.deepEqual([conditions, problem], [[{ not: false, field: 'tag', key: 'user', value: null }], null]);
    }
  });

  it('takes level, environment, release and other tags without reading their names', () => {
    for (const name of ['level', 'environment', 'release', 'browser', 'anything']) {
      const { conditions, problem } = read(`!has:${name}`, new Set());
      assert.deepEqual([conditions, problem], [[{ not: true, field: 'tag', key: name, value: null }], null]);
      assert.equal(searchNeeds(`has:${name}`).tags, false, name);
    }
  });
});
