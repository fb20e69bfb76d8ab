import assert from 'node:assert/strict';
import fc from 'fast-check';
import { quoted, searchQuery } from '../../../../src/thirdparty/dialect/search-query.ts';
import { parseGlitchTipQuery } from '../../../support/fake-tracker/glitchtip-query.ts';
import { parseSentryQuery } from '../../../support/fake-tracker/sentry-query.ts';
import { World } from '../../../support/fake-tracker/world.ts';

const base = { status: 'unresolved', level: null, release: null, search: null } as const;

describe('search query', () => {
  const rows: [query: Parameters<typeof searchQuery>[0], text: string][] = [
    [base, 'is:unresolved'],
    [{ ...base, status: 'all' }, ''],
    [{ ...base, level: 'warning', release: 'app@1.0' }, 'is:unresolved level:warning release:"app@1.0"'],
    [{ ...base, search: 'two words' }, 'is:unresolved "two" "words"'],
    [{ ...base, search: 'RuntimeError: outer' }, 'is:unresolved "RuntimeError" "outer"'],
    [{ ...base, search: 'is:resolved OR level:error' }, 'is:unresolved "is" "resolved" "OR" "level" "error"'],
    [{ ...base, search: '" is:resolved "' }, 'is:unresolved "\\"" "is" "resolved" "\\""'],
    [{ ...base, search: 'a)(b !c [d] *' }, 'is:unresolved "a)(b" "!c" "[d]" "\\*"'],
    [{ ...base, search: 'C\\dir\\ \\\\share \\" \\*' }, 'is:unresolved "C\\dir" "\\share" "\\"" "\\*"'],
    [{ ...base, search: ' \n\t : \\ ' }, 'is:unresolved'],
    [{ ...base, release: 'x" is:ignored "y' }, 'is:unresolved release:"x\\" is:ignored \\"y"'],
    [{ ...base, release: 'a\u0000b\nc\\' }, 'is:unresolved release:"a b c"'],
  ];
  for (const [query, text] of rows) {
    it(JSON.stringify([query.search, query.release, query.level]), () => {
      assert.equal(searchQuery(query), text);
    });
  }

  // Whatever people type, an issue that is resolved never answers a search among the unresolved.
  const world = new World(0, String);
  const shop = world.addProject('acme', 'shop');
  const resolved = world.addIssue(shop, { title: 'a b is resolved ignored', status: 'resolved', events: [{ at: 0 }] });
  const typed = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('"', '\\', '*', ':', ' ', 'a', 'is:resolved', '(', ')', 'OR ', "'", '!') }),
  );

  for (const [name, parse] of Object.entries({ Sentry: parseSentryQuery, GlitchTip: parseGlitchTipQuery })) {
    it(`cannot be changed by what is typed: ${name}`, () => {
      fc.assert(
        fc.property(typed, typed, (search, release) => {
          const text = searchQuery({ ...base, search, release });
          assert.equal(parse(text)(resolved), false, text);
        }),
        { numRuns: 500 },
      );
    });
  }

  it('finds what is typed as it is', () => {
    const text = 'C:\\dir "quoted" 100% (why?)';
    const issue = world.addIssue(shop, { title: text, events: [{ at: 0, release: 'a"b*c' }] });
    const query = searchQuery({ ...base, search: text, release: 'a"b*c' });
    assert.equal(parseSentryQuery(query)(issue), true, query);
    assert.equal(quoted('a"b*c'), '"a\\"b\\*c"');
  });
});
