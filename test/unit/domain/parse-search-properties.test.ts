import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseSearch, type ParsedSearch } from '../../../src/domain/search/parse-search.ts';
import { MAX_CONDITIONS } from '../../../src/domain/search/search-condition.ts';
import { SEARCH_KEY_NAMES } from '../../../src/domain/search/search-keys.ts';
import { assertProportional } from '../../support/processor-time.ts';

const names = {
  now: Date.UTC(2026, 10, 24, 12),
  me: 7,
  people: new Map([['ada', 3]]),
  tags: new Set(['browser', 'customerId']),
};
const parse = (search: string): ParsedSearch => parseSearch(search, names);

describe('any search', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SEARCH_KEY_NAMES, 'browser', 'std', 'http'),
    fc.constantFrom(
      ':',
      '!',
      '"',
      '\\',
      ' ',
      '=',
      '*',
      '[',
      ']',
      ',',
      '..',
      '>',
      '<',
      '/',
      '-24h',
      '2026-11-20',
      'resolved',
      '\n',
    ),
    fc.string({ maxLength: 4 }),
  );
  const typed = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  );

  it('never throws, and stays within its bounds', () => {
    fc.assert(
      fc.property(typed, fc.boolean(), (search, known) => {
        const { text, conditions, problem } = parseSearch(search, { ...names, tags: known ? names.tags : null });
        assert.ok(conditions.length <= MAX_CONDITIONS);
        assert.notEqual(text, '');
        assert.notEqual(problem, '');
        for (const condition of conditions) {
          if (!('after' in condition)) continue;
          for (const bound of [condition.after, condition.before]) assert.ok(bound === null || Number.isFinite(bound));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  const emptyKey = new RegExp(`(?<=^|\\s)!?(?:${SEARCH_KEY_NAMES.join('|')}):(?=\\s|$)`, 'i');
  const isPlain = (search: string) => !/[a-z][\w.-]+:\S/i.test(search) && !emptyKey.test(search);

  it('leaves text without conditions as it is', () => {
    fc.assert(
      fc.property(
        typed.filter((search) => isPlain(search) && search.trim() !== ''),
        (search) => {
          assert.deepEqual(parse(search), { text: search, conditions: [], problem: null, hint: null });
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('reads what it wrote: conditions in any order are the same', () => {
    const words = ['is:new', '!level:info', 'release:1', 'tag:a=b', 'has:c', 'user:x'];
    fc.assert(
      fc.property(fc.shuffledSubarray(words), (chosen) => {
        const read = parse(chosen.join(' '));
        assert.equal(read.problem, null);
        assert.deepEqual(
          read.conditions,
          chosen.flatMap((word) => parse(word).conditions),
        );
      }),
    );
  });

  it('takes time in proportion to its length', () => {
    for (const part of ['a:"\\', 'ab: ', 'ab: "', '" ', 'is: ', 'a:[ ', 'a:["x ', 'a:[,', 'a:b="', 'a:b=['])
      assertProportional((size) => parse(part.repeat(size)), 20_000, 100);
  });
});
