import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';
import { normalise } from '../digest-support.ts';
import { table } from './event-table.ts';

const CLIENT = '203.0.113.9';

describe('request', () => {
  const request = (read: (request: NonNullable<NormalisedEvent['request']>) => unknown) => (event: NormalisedEvent) =>
    event.request === null ? null : read(event.request);
  table([
    ['null', { request: null }, (e) => e.request, null],
    ['nothing in it', { request: { headers: [] } }, (e) => e.request, null],
    ['legacy name', { 'sentry.interfaces.Http': { url: 'http://h/' } }, request((r) => r.url), 'http://h/'],
    [
      'headers as object, sorted, in title case, lists joined',
      { request: { headers: { 'user-agent': 'x', ACCEPT: ['a', 'b'], X_FOO: 1 } } },
      request((r) => r.headers),
      [
        ['Accept', 'a,b'],
        ['User-Agent', 'x'],
        ['X-Foo', '1'],
      ],
    ],
    [
      'headers as pairs',
      {
        request: {
          headers: [
            ['host', 'h'],
            ['accept', null],
          ],
        },
      },
      request((r) => r.headers),
      [
        ['Accept', ''],
        ['Host', 'h'],
      ],
    ],
    ['headers as lines', { request: { headers: 'Host: h\nbad' } }, request((r) => r.headers), [['Host', 'h']]],
    [
      'query as text',
      { request: { query_string: '?a=1&b=x%20y+z&c&d=%zz' } },
      request((r) => r.query_string),
      [
        ['a', '1'],
        ['b', 'x y z'],
        ['c', ''],
        ['d', '%zz'],
      ],
    ],
    [
      'query as object',
      { request: { query_string: { a: ['1', '2'] } } },
      request((r) => r.query_string),
      [['a', '1,2']],
    ],
    ['query as pairs', { request: { query_string: [['a', 1]] } }, request((r) => r.query_string), [['a', '1']]],
    [
      'query taken from the address',
      { request: { url: 'https://h/p?a=1#top' } },
      request((r) => [r.url, r.query_string]),
      ['https://h/p#top', [['a', '1']]],
    ],
    [
      'cookies as text',
      { request: { cookies: 'a=1; b=x=y' } },
      request((r) => r.cookies),
      [
        ['a', '1'],
        ['b', 'x=y'],
      ],
    ],
    ['cookies as object', { request: { cookies: { a: { b: 1 } } } }, request((r) => r.cookies), [['a', '{"b":1}']]],
    ['data of any kind', { request: { data: [1, { a: null }] } }, request((r) => r.data), [1, { a: null }]],
    ['env', { request: { env: { SERVER_PORT: 80 } } }, request((r) => r.env), { SERVER_PORT: 80 }],
  ]);
});

describe('user', () => {
  const user = (event: NormalisedEvent) => event.user;
  const nobody = { id: null, username: null, email: null, name: null, ip_address: null, data: {} };
  table([
    ['null', { user: null }, user, null],
    ['text', { user: 'bob' }, user, null],
    ['only null members, as PHP sends', { user: { id: null, segment: null } }, user, null],
    ['id as number', { user: { id: 7 } }, user, { ...nobody, id: '7' }],
    ['legacy name', { 'sentry.interfaces.User': { id: 'a' } }, user, { ...nobody, id: 'a' }],
    [
      'unknown members go to data',
      { user: { id: 1, geo: { city: 'B' }, plan: 'x', data: { plan: 'own', a: 1 } } },
      user,
      { ...nobody, id: '1', data: { plan: 'own', a: 1, geo: { city: 'B' } } },
    ],
    [
      'what is no address is refused',
      { user: { id: 1, ip_address: 'home' } },
      (e) => [e.user?.ip_address, e.notes],
      [null, ['dropped: user.ip_address is invalid (is no IP address)']],
    ],
    ['IPv6', { user: { ip_address: '2001:db8::1' } }, (e) => e.user?.ip_address, '2001:db8::1'],
  ]);

  const rows: [what: string, raw: Record<string, unknown>, ip: string | null][] = [
    ['{{auto}} is the sender', { user: { ip_address: '{{auto}}' } }, CLIENT],
    ['an address that is there stays', { user: { ip_address: '198.51.100.1' } }, '198.51.100.1'],
    ['a server that says nothing gets none', { platform: 'python', user: { id: 1 } }, null],
    ['REMOTE_ADDR of the web server', { request: { env: { REMOTE_ADDR: '198.51.100.2' } } }, '198.51.100.2'],
    ['{{auto}} in REMOTE_ADDR', { request: { env: { REMOTE_ADDR: '{{auto}}' } } }, CLIENT],
    ['a page in a browser', { platform: 'javascript' }, CLIENT],
    ['a phone', { platform: 'cocoa', user: { id: 1 } }, CLIENT],
    ['auto: any platform', { platform: 'python', sdk: { settings: { infer_ip: 'auto' } } }, CLIENT],
    ['legacy is the same as absent', { platform: 'python', sdk: { settings: { infer_ip: 'legacy' } } }, null],
    ['never: not even a page', { platform: 'javascript', sdk: { settings: { infer_ip: 'never' } } }, null],
    [
      'never: {{auto}} stays unanswered',
      { user: { id: 1, ip_address: '{{auto}}' }, sdk: { settings: { infer_ip: 'never' } } },
      null,
    ],
    [
      'never: REMOTE_ADDR is not copied',
      { request: { env: { REMOTE_ADDR: '198.51.100.2' } }, sdk: { settings: { infer_ip: 'never' } } },
      null,
    ],
    ['an unknown word means never', { platform: 'javascript', sdk: { settings: { infer_ip: 'maybe' } } }, null],
  ];
  for (const [what, raw, ip] of rows) {
    it(`address: ${what}`, () => {
      assert.equal(normalise(raw, { clientIp: CLIENT }).user?.ip_address ?? null, ip);
    });
  }
  it('address: the setting `never` removes {{auto}} from the environment of the request', () => {
    const event = normalise(
      { request: { env: { REMOTE_ADDR: '{{auto}}' } }, sdk: { settings: { infer_ip: 'never' } } },
      { clientIp: CLIENT },
    );
    assert.deepEqual(event.request?.env, { REMOTE_ADDR: null });
  });
  it('address: unknown sender', () => {
    assert.equal(normalise({ user: { id: 1, ip_address: '{{auto}}' } }).user?.ip_address, null);
  });
});
