import assert from 'node:assert/strict';
import { parseSearch, type ParsedSearch } from '../../../../src/domain/search/parse-search.ts';
import type { SearchCondition } from '../../../../src/domain/search/search-condition.ts';

const NOW = Date.UTC(2026, 10, 24, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const names = {
  now: NOW,
  me: 7,
  people: new Map([['ada', 3]]),
  tags: new Set(['browser', 'customerId']),
};
const parse = (search: string): ParsedSearch => parseSearch(search, names);

describe('searches', () => {
  const day = Date.UTC(2026, 10, 20);
  const rows: [search: string, text: string | null, ...conditions: SearchCondition[]][] = [
    ['plain words', 'plain words'],
    ['is:resolved', null, { not: false, field: 'status', value: 'resolved' }],
    ['status:Archived', null, { not: false, field: 'status', value: 'ignored' }],
    ['!is:new crash', 'crash', { not: true, field: 'mark', value: 'new' }],
    ['is:for-review', null, { not: false, field: 'mark', value: 'for_review' }],
    ['is:assigned', null, { not: true, field: 'assignee', value: null }],
    ['!is:assigned', null, { not: false, field: 'assignee', value: null }],
    ['is:unassigned', null, { not: false, field: 'assignee', value: null }],
    ['level:warn', null, { not: false, field: 'level', value: 'warning' }],
    [
      'env:staging release:app@1.0',
      null,
      ...[
        { not: false, field: 'environment', value: 'staging' } as const,
        { not: false, field: 'release', value: 'app@1.0' } as const,
      ],
    ],
    ['a user:"ada \\"x\\" l" b', 'a b', { not: false, field: 'user', value: 'ada "x" l' }],
    ['file:C:\\app\\x.cs', null, { not: false, field: 'file', value: 'C:\\app\\x.cs' }],
    ['file:/srv/x.py', null, { not: false, field: 'file', value: '/srv/x.py' }],
    ['function:Store::charge', null, { not: false, field: 'function', value: 'Store::charge' }],
    ['function:Store.charge', null, { not: false, field: 'function', value: 'Store.charge' }],
    ['assigned:me', null, { not: false, field: 'assignee', value: 7 }],
    ['assignee:@Ada', null, { not: false, field: 'assignee', value: 3 }],
    ['assigned:none', null, { not: false, field: 'assignee', value: null }],
    ['first-seen:-24h', null, { not: false, field: 'first_seen', after: NOW - DAY, before: null }],
    ['age:+7d', null, { not: false, field: 'first_seen', after: null, before: NOW - 7 * DAY }],
    ['last-seen:>2026-11-20', null, { not: false, field: 'last_seen', after: day + DAY, before: null }],
    ['last_seen:<=2026-11-20T10:00', null, { not: false, field: 'last_seen', after: null, before: day + 10 * HOUR }],
    ['lastSeen:2026-11-20', null, { not: false, field: 'last_seen', after: day, before: day + DAY - 1 }],
    ['last-seen:2026-11-20..', null, { not: false, field: 'last_seen', after: day, before: null }],
    ['last-seen:-7d..-1d', null, { not: false, field: 'last_seen', after: NOW - 7 * DAY, before: NOW - DAY }],
    ['tag:a.b=c=d', null, { not: false, field: 'tag', key: 'a.b', value: 'c=d' }],
    ['tag:shop="two words"', null, { not: false, field: 'tag', key: 'shop', value: 'two words' }],
    ['tag:shop', null, { not: false, field: 'tag', key: 'shop', value: null }],
    ['!has:shop', null, { not: true, field: 'tag', key: 'shop', value: null }],
    ['has:release', null, { not: false, field: 'tag', key: 'release', value: null }],
    ['tag:user', null, { not: false, field: 'tag', key: 'user', value: null }],
    ['browser:"Chrome 1" x', 'x', { not: false, field: 'tag', key: 'browser', value: 'Chrome 1', match: 'name' }],
    ['os:Windows', null, { not: false, field: 'tag', key: 'os', value: 'Windows', match: 'name' }],
    ['tag:browser=Firefox', null, { not: false, field: 'tag', key: 'browser', value: 'Firefox' }],
    [
      'browser.name:Firefox',
      null,
      {
        ...{ not: false, field: 'any' },
        of: [
          { field: 'tag', key: 'browser', value: 'Firefox', match: 'name' },
          { field: 'tag', key: 'browser.name', value: 'Firefox' },
        ],
      },
    ],
    // Beginnings.
    ['browser:Firefox*', null, { not: false, field: 'tag', key: 'browser', value: 'Firefox', match: 'prefix' }],
    [
      'tag:browser="Firefox 1*"',
      null,
      { not: false, field: 'tag', key: 'browser', value: 'Firefox 1', match: 'prefix' },
    ],
    ['!release:2.33.*', null, { not: true, field: 'release', value: '2.33.', match: 'prefix' }],
    ['release:*', null, { not: false, field: 'tag', key: 'release', value: null }],
    ['type:App\\Http\\*', null, { not: false, field: 'type', value: 'App\\Http\\', match: 'prefix' }],
    ['file:C:\\app\\*', null, { not: false, field: 'file', value: 'C:\\app\\', match: 'prefix' }],
    [
      'function:main.(*Server).Serve*',
      null,
      { not: false, field: 'function', value: 'main.(*Server).Serve', match: 'prefix' },
    ],
    // The sign itself.
    ['tag:path="/shop/\\*"', null, { not: false, field: 'tag', key: 'path', value: '/shop/*' }],
    ['type:\\*url.Error', null, { not: false, field: 'type', value: '*url.Error' }],
    ['function:main.(*Server).run', null, { not: false, field: 'function', value: 'main.(*Server).run' }],
    // Lists.
    [
      'level:[fatal,error]',
      null,
      {
        not: false,
        field: 'any',
        of: [
          { field: 'level', value: 'fatal' },
          { field: 'level', value: 'error' },
        ],
      },
    ],
    [
      '!is:[resolved, ignored] x',
      'x',
      {
        not: true,
        field: 'any',
        of: [
          { field: 'status', value: 'resolved' },
          { field: 'status', value: 'ignored' },
        ],
      },
    ],
    [
      'tag:shop=[a,"b, c]",d*]',
      null,
      {
        ...{ not: false, field: 'any' },
        of: [
          { field: 'tag', key: 'shop', value: 'a' },
          { field: 'tag', key: 'shop', value: 'b, c]' },
          { field: 'tag', key: 'shop', value: 'd', match: 'prefix' },
        ],
      },
    ],
    ['env:[live]', null, { not: false, field: 'environment', value: 'live' }],
    ['file:[id].tsx', null, { not: false, field: 'file', value: '[id].tsx' }],
    ['file:"[id]"', null, { not: false, field: 'file', value: '[id]' }],
    ['customerId:/x', null, { not: false, field: 'tag', key: 'customerId', value: '/x' }],
    // What is written for other trackers.
    [
      'level:error AND is:new AND oops',
      'oops',
      { not: false, field: 'level', value: 'error' },
      { not: false, field: 'mark', value: 'new' },
    ],
    ['AND', 'AND'],
    ['OR', 'OR'],
    ['Portland OR', 'Portland OR'],
    ['"TRUE OR FALSE AND" x', '"TRUE OR FALSE AND" x'],
    ['a and b or c', 'a and b or c'],
    ['message:timeout', '"timeout"'],
    ['title:"no funds" x', '"no funds" x'],
    ['transaction:*checkout*', '"checkout"'],
    ['assigned_or_suggested:me', null, { not: false, field: 'assignee', value: 7 }],
    // Text that looks nearly like a condition.
    ['http://shop.example/x', 'http://shop.example/x'],
    ['std::vector', 'std::vector'],
    ['Error: broken', 'Error: broken'],
    ['relase: x', 'relase: x'],
    ['"level: fatal" x', '"level: fatal" x'],
    ['"has level: in it"', '"has level: in it"'],
    ['Error:', 'Error:'],
    ['browser: x', 'browser: x'],
    ['sub-level: x', 'sub-level: x'],
    ['12:30 x', '12:30 x'],
    ['C:\\dir', 'C:\\dir'],
    ['path:/srv/x', 'path:/srv/x'],
    ['"host:5432" down', 'host:5432 down'],
    ['(code:5) x', '(code:5) x'],
    ['"NOT" level:error', '"NOT"', { not: false, field: 'level', value: 'error' }],
    ['is NOT a function', 'is NOT a function'],
    ['"x (level:error)"', '"x (level:error)"'],
    ['KeyError: "name"', 'KeyError: "name"'],
    ['  ', null],
  ];
  for (const [search, text, ...conditions] of rows) {
    it(search, () => {
      assert.deepEqual(parse(search), { text, conditions, problem: null, hint: null });
    });
  }

  it('finds a tag that is called like a text', () => {
    const { conditions } = parseSearch('message:x', { ...names, tags: new Set(['message']) });
    assert.deepEqual(conditions, [{ not: false, field: 'tag', key: 'message', value: 'x' }]);
  });

  it('says in one short sentence or two what is wrong with a key', () => {
    for (const search of ['levl:x', 'zzzzzz:x', 'times_seen:>100', 'http.status:500', 'a:b OR c:d']) {
      const { problem } = parse(search);
      assert.ok(problem !== null && problem.split(' ').length <= 25, `${search}: ${problem}`);
    }
  });

  const problems: [search: string, problem: RegExp][] = [
    ['relase:1', /^There is no search key relase:\. Did you mean release:\?$/],
    ['brwser:x', /Did you mean browser:\?/],
    [
      'zzzzzz:x',
      /^There is no search key zzzzzz:\. For a tag write tag:zzzzzz=x, or the text in quotes: "zzzzzz:x"\.$/,
    ],
    ['http.status:500', /^There is no search key http\.status:\. For a tag write tag:http\.status=500, or /],
    ['times_seen:>100', /^Errors cannot be searched by times_seen: here; order the list by events\.$/],
    ['level:error OR level:fatal', /^OR is not supported: .* as in level:\[error,fatal\], or /],
    ['is:new OR level:fatal', /^OR is not supported: .* as in level:\[error,fatal\], or /],
    ['user:"Ada L" OR user:7 x', /as in user:\["Ada L",7\]/],
    ['timeout OR refused', /^OR is not supported/],
    ['NOT level:error', /^NOT is not supported: write !level:error, or /],
    ['is:new NOT !user:7', /^NOT is not supported: write user:7, or /],
    ['(level:error)', /^Parentheses around conditions are not supported: write the conditions without them/],
    ['is:new AND (level:error OR level:fatal)', /^Parentheses around/],
    ['!message:x', /^message: is searched for as text, of which none can be excluded/],
    ['title:[a,b]', /^title: is searched for as text/],
    ['message:*', /^message: has no value/],
    ['is:open', /^is: takes unresolved, .* or unassigned\.$/],
    ['level:bad', /^level: takes fatal, .* or debug\.$/],
    ['first-seen:soon', /^first-seen: takes a time such as -24h/],
    ['first-seen:2026-02-30', /takes a time/],
    ['first-seen:..', /takes a time/],
    ['assigned:eve', /No member of this project has the username eve/],
    ['tag:=x', /name of a tag/],
    ['release:""', /release: has no value/],
    ['browser:*fox', /^\* stands only at the end of a value: browser:start\*\. .* write browser:"\\\*fox"\.$/],
    ['release:shop@*.1', /: release:shop@\*\. /],
    ['tag:path=/a*/b', /: tag:path=\/a\*\. .* write tag:path="\/a\\\*\/b"\.$/],
    ['file:*.py', /only at the end/],
    ['type:*', /^type: \* needs at least one character before it/],
    ['has:sho*', /^has: takes the whole name of a tag/],
    ['user:ada*', /^user: takes a whole id, .* without \*.* Write for example user:ada@example\.com/],
    ['level:f*', /^level: takes fatal/],
    ['level:[fatal,bad]', /^level: takes fatal/],
    ['level:[]', /^level: has a list without values\. Write level:\[one,another\]/],
    ['is:[resolved,new]', /^is: a list has statuses alone or marks alone/],
    ['is:[assigned,new]', /^is: a list has/],
    [`release:[${Array.from({ length: 51 }, (_, n) => n).join(',')}]`, /at most 50 values: this one has 51/],
    ['release:"1.0', /quote after release: is not closed/],
    [Array.from({ length: 11 }, (_, n) => `tag:a=${n}`).join(' '), /at most 10 conditions: this one has 11/],
  ];
  for (const [search, problem] of problems) {
    it(`says what is wrong with ${search.slice(0, 40)}`, () => {
      assert.match(parse(search).problem ?? '', problem);
    });
  }

  const hints: [search: string, hint: RegExp, text?: string][] = [
    ['level: fatal', /^level: was searched for as text, because .* To search by it write level:fatal$/],
    ['a !Level: warn', /write !level:warn$/],
    ['level:', /write level:fatal$/],
    ['level: is missing', /write level:fatal$/],
    ['is: x', /write is:unresolved$/],
    ['user: 100', /write user:100$/],
    ['user: "Ada L"', /write user:"Ada L"$/],
    ['user: Zoë', /write user:value$/],
    ['user.id: level: x', /^user: .* write user:value$/],
    ['Error: type: x', /^type: .* write type:x$/],
    ['assignee: ', /write assigned:me$/, 'assignee:'],
  ];
  for (const [search, hint, text = search] of hints) {
    it(`takes ${search} as text, and says so`, () => {
      const read = parse(search);
      assert.deepEqual([read.problem, read.conditions, read.text?.trim()], [null, [], text]);
      assert.match(read.hint ?? '', hint);
    });
  }

  it('takes a key without a value as text beside conditions', () => {
    const read = parse('is:new age: x');
    assert.deepEqual([read.text, read.conditions.length, read.problem], ['age: x', 1, null]);
    assert.match(read.hint ?? '', /write first-seen:-24h$/);
  });

  it('takes every key that is nearly none as a tag where tags are not known', () => {
    const { conditions, problem } = parseSearch('customer:acme', { ...names, tags: null });
    assert.deepEqual([conditions, problem], [[{ not: false, field: 'tag', key: 'customer', value: 'acme' }], null]);
    assert.match(parseSearch('enviroment:x', { ...names, tags: null }).problem ?? '', /Did you mean environment:/);
  });
});
