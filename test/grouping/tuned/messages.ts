import { different, same } from '../pair.ts';
import { logged, message } from '../shapes/message.ts';

export const messagePairs = [
  same(
    'a template with other parameters',
    logged('user %s failed %d times', ['bob', 3], 'user bob failed 3 times'),
    logged('user %s failed %d times', ['ann', 9], 'user ann failed 9 times'),
  ),
  same(
    'a template of a logger without a formatted text',
    logged('order {} not found', ['17'], 'order 17 not found', { platform: 'java' }),
    {
      platform: 'java',
      level: 'error',
      logger: 'shop.log',
      logentry: { message: 'order {} not found', params: ['18'] },
    },
  ),
  same(
    'dates and times',
    message('Backup of 2026-03-01 02:00:05 failed'),
    message('Backup of 2026-04-11 23:59:59 failed'),
  ),
  same(
    'dates in words and in RFC 3339',
    message('Certificate expires Tue, 03 Mar 2026 12:00:00 GMT (seen 2026-02-01T00:00:00Z)'),
    message('Certificate expires Sat, 11 Apr 2026 09:30:10 GMT (seen 2026-03-21T14:02:11.120+02:00)'),
  ),
  same(
    'uuid, hash and number',
    message('Job 8f14e45f-ceea-467f-a8d7-5b1e6c1f9a01 at commit 9fceb02d0ae598e95dc970b74767f19372d61af8 took 312 ms'),
    message('Job c9f0f895-fb98-4b91-9d2e-0f7c6a5d4b32 at commit 356a192b7913b04c54574d18c28d46e6395428ab took 9 ms'),
  ),
  same(
    'addresses of IPv4 and ports',
    message('Lost connection to 10.0.3.7:5432 (peer 192.168.1.5)'),
    message('Lost connection to 10.0.9.12:5433 (peer 192.168.7.77)'),
  ),
  same(
    'addresses of IPv6',
    message('No route to 2001:db8:85a3::8a2e:370:7334'),
    message('No route to fe80::1ff:fe23:4567:890a'),
  ),
  same(
    'e-mail addresses',
    message('Mail to ann@acme.example bounced'),
    message('Mail to bob.smith+x@other.example bounced'),
  ),
  same(
    'urls',
    message('GET https://api.acme.example/v1/items?id=4 answered 502'),
    message('GET https://api.acme.example/v1/items?id=99 answered 502'),
  ),
  same('durations and floats', message('Slow query: 1.532s, load 0.75'), message('Slow query: 12.004s, load 3.5')),
  same('hex numbers', message('Bad page at 0x7fa9c3 in slot 0xff'), message('Bad page at 0x1b in slot 0x0c')),
  same('quoted values', message("Unknown setting 'colour_mode'"), message("Unknown setting 'font_size'")),
  same(
    'assigned text',
    message('login failed: user="ann" reason="expired"'),
    message('login failed: user="bob" reason="expired"'),
  ),
  same('booleans in pairs', message('sync done dry_run=true'), message('sync done dry_run=false')),
  same('negative numbers', message('Balance of account 17 is -20'), message('Balance of account 9 is -3.50')),
  same('another level and logger', message('disk is full'), message('disk is full', { level: 'error', logger: 'ops' })),
  same(
    'trailing white space and a second line with details',
    message('Cannot parse row\nrow 17: a;b;c'),
    message('Cannot parse row\nrow 918: d;e;f'),
  ),
  same(
    'a fingerprint of its own over other places',
    message('first text', { fingerprint: ['payments-down'] }),
    message('second text', { fingerprint: ['payments-down'] }),
  ),
  different(
    'one text under two fingerprints',
    message('same', { fingerprint: ['{{ default }}', 'eu'] }),
    message('same', { fingerprint: ['{{ default }}', 'us'] }),
  ),
  different('two texts', message('disk is full'), message('disk is slow')),
  different(
    'two templates that format alike',
    logged('user %s failed', ['bob'], 'user bob failed'),
    logged('user bob %s', ['failed'], 'user bob failed'),
  ),
  different('words that look like no value', message('worker alpha stopped'), message('worker beta stopped')),
  different('a message and an exception of one text', message('cart is closed'), {
    platform: 'python',
    exception: { values: [{ type: 'CartError', value: 'cart is closed' }] },
  }),
  different('names that differ by a word before a number', message('shard 3 lost'), message('replica 3 lost')),
];
