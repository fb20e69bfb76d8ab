import assert from 'node:assert/strict';
import { breadcrumbText } from '../../../ui/src/lib/breadcrumb-text.ts';
import { curlCommand } from '../../../ui/src/lib/curl-command.ts';
import { factsOf, userNames, userSearch } from '../../../ui/src/lib/event-facts.ts';
import { exactTime, utcTime } from '../../../ui/src/lib/exact-time.ts';
import { noteParts, openMention } from '../../../ui/src/lib/mentions.ts';
import { searchTerm } from '../../../ui/src/lib/search-term.ts';
import { tagGroups } from '../../../ui/src/pages/error/tag-groups.ts';

const crumb = (given: object) => ({
  timestamp: null,
  type: 'default',
  category: null,
  level: 'info',
  message: null,
  data: null,
  ...given,
});

describe('texts of an event', () => {
  it('say requests, navigation and queries of breadcrumbs as one reads them', () => {
    const data = { url: '/stock', method: 'get', status_code: 200, reason: 'OK' };
    assert.deepEqual(breadcrumbText(crumb({ type: 'http', data })), {
      text: 'GET /stock 200',
      code: false,
      data: '{"reason":"OK"}',
    });
    assert.equal(breadcrumbText(crumb({ category: 'navigation', data: { from: '/a', to: '/b' } })).text, '/a → /b');
    assert.equal(breadcrumbText(crumb({ category: 'query', message: 'SELECT 1' })).code, true);
    assert.equal(breadcrumbText(crumb({ message: 'select a plan', category: 'ui.click' })).text, 'select a plan');
    assert.deepEqual(breadcrumbText(crumb({})), { text: '', code: false, data: '' });
  });

  it('repeat a request as a command that a shell takes as it is', () => {
    assert.equal(
      curlCommand({
        url: 'https://shop.example.com/pay',
        method: 'post',
        query_string: [['a', "it's"]],
        headers: [
          ['Host', 'shop.example.com'],
          ['X-Name', "O'Brien; rm -rf /"],
        ],
        data: { gift: true },
      }),
      [
        "curl -X POST 'https://shop.example.com/pay?a=it%27s'",
        "-H 'X-Name: O'\\''Brien; rm -rf /'",
        `--data-raw '{"gift":true}'`,
      ].join(' \\\n  '),
    );
    assert.equal(curlCommand({ url: 'http://a/b' }), "curl 'http://a/b'");
    assert.equal(curlCommand({ url: "http://a/\u001b[2J'$(id)" }), "curl 'http://a/ [2J'\\''$(id)'");
    for (const url of ['javascript:alert(1)', '/path', undefined]) assert.equal(curlCommand({ url }), null);
    assert.equal(curlCommand(null), null);
  });

  it('name user, browser, OS, runtime and address, with searches for tags of the event, and for those derived from it', () => {
    const event = {
      user: { id: '7', email: 'ada@example.com', username: 'ada', name: null, ip_address: null },
      contexts: {
        browser: { name: 'Firefox', version: '140' },
        os: { name: 'Linux' },
        runtime: { name: 'go', version: 'go1.22' },
      },
      request: { url: 'https://shop.example.com/' },
      tags: [{ key: 'browser', value: 'Firefox 140' }],
    };
    assert.deepEqual(
      factsOf(event).map(({ kind, text, search }) => [kind, text, search?.value]),
      [
        ['user', 'ada@example.com', 'ada@example.com'],
        ['browser', 'Firefox 140', 'Firefox 140'],
        ['os', 'Linux', 'Linux'],
        ['runtime', 'go1.22', 'go go1.22'],
        ['url', 'https://shop.example.com/', undefined],
      ],
    );
    assert.deepEqual(factsOf({ user: null, contexts: {}, request: null, tags: [] }), []);
    assert.deepEqual(userNames({ id: '7', username: '7' }), { first: '7', rest: [] });
    assert.equal(userSearch({ name: 'Ada', ip_address: '203.0.113.9' }), '203.0.113.9');
  });

  it('write conditions of the search', () => {
    assert.equal(searchTerm('user', 'ada@example.com'), 'user:ada@example.com');
    assert.equal(searchTerm('browser', 'Firefox 140'), 'tag:browser="Firefox 140"');
    assert.equal(searchTerm('plan', 'a"b\\'), 'tag:plan="a\\"b\\\\"');
    assert.equal(searchTerm('path', '/shop/*'), 'tag:path="/shop/\\*"');
    assert.equal(searchTerm('path', '[id]'), 'tag:path="[id]"');
    assert.equal(searchTerm('some key', 'x'), null);
    assert.equal(searchTerm('plan', ' '), null);
  });

  it('have their exact time with its zone', () => {
    assert.match(utcTime('2026-11-23T04:22:08.392Z'), /Nov 23, 2026, 04:22:08\.392 UTC/);
    assert.match(exactTime('2025-01-02T03:04:05.006Z', Date.parse('2026-06-01')), /2025/);
    assert.doesNotMatch(exactTime('2026-11-23T04:22:08.392Z', Date.parse('2026-12-01')), /2026/);
    assert.equal(exactTime('never'), 'never');
  });

  it('mark members in notes, and only them', () => {
    const members = new Set(['ada', 'b.c']);
    const parts = (text: string) =>
      noteParts(text, (name) => members.has(name))
        .map(({ text: part, mention }) => (mention ? `<${part}>` : part))
        .join('');
    assert.equal(parts('Ask @Ada, @b.c. or @eve; mail x@ada'), 'Ask <@Ada>, <@b.c>. or @eve; mail x@ada');
    assert.deepEqual(openMention('hello @Ad', 9), { start: 6, prefix: 'ad' });
    assert.equal(openMention('mail x@ad', 9), null);
    assert.equal(openMention('@ada ', 5), null);
  });

  it('part tags that tell events apart from those that are the same for all', () => {
    const tag = (key: string, values: readonly string[], total = 10) => ({
      ...{ key, total, other: 0 },
      values: values.map((value) => ({ value, count: total / values.length })),
    });
    const tags = [
      tag('browser.name', ['F', 'C']),
      tag('browser', ['F 1', 'C 2']),
      tag('plan', ['pro']),
      tag('beta', ['on'], 4),
      tag('level', ['error']),
    ];
    const { several, whole, same } = tagGroups(tags, 10);
    assert.deepEqual(
      several.map(({ key }) => key),
      ['browser', 'beta', 'browser.name'],
    );
    assert.equal(whole, 2);
    assert.deepEqual(
      same.map(({ key }) => key),
      ['plan'],
    );
  });
});
