import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parameterise } from '../../../../../../src/integrated/digest/group/v1/parameterise.ts';

/** Text and what it is grouped by. */
const table: Record<string, [string, string][]> = {
  email: [
    ['mail bob.x+y@example.co.uk failed', 'mail <email> failed'],
    ['<bob@example.com>', '<<email>>'],
    ['bob@localhost', 'bob@localhost'],
  ],
  url: [
    ['GET https://api.example.com/users/17?x=1, then', 'GET <url>, then'],
    ['(see http://example.com/a).', '(see <url>).'],
    ["no 'wss://example.com/socket' here", "no '<url>' here"],
    ['ftp://files.example.com/a b', '<url> b'],
    ['postgresql://db:5432/shop is down', '<url> is down'],
    ['jdbc:mysql://db:3306/shop', '<url>'],
    ['app://x', 'app://x'],
  ],
  hostname: [
    ['host db-01.internal.example.com:5432 down', 'host <hostname>:<int> down'],
    ['no route to SHOP.EXAMPLE.COM', 'no route to <hostname>'],
    ['api.example.io', '<hostname>'],
    ['ask example.com.', 'ask <hostname>.'],
    ['shop.co.id and www.shop.id', '<hostname> and <hostname>'],
    ['ip-10-0-0-1.ec2.internal', '<hostname>'],
    ['java.net.SocketException: x', 'java.net.SocketException: x'],
    ['java.io.IOException', 'java.io.IOException'],
    ["reading 'user.id' of user.name", "reading 'user.id' of user.name"],
    ['this.props.info is undefined', 'this.props.info is undefined'],
    ['script.py and main.rs', 'script.py and main.rs'],
  ],
  path: [
    ['open /var/lib/shop/x.csv: no such file', 'open <path>x.csv: no such file'],
    ['"/home/ann/shop/report_17.csv"', '"<path>report_<int>.csv"'],
    ['C:\\shop\\logs\\x.log and d:/x.log', '<path>x.log and <path>x.log'],
    ['/data/user/0/com.acme.app/cache/img.jpg', '<path>img.jpg'],
    ['GET /data/export/x failed', 'GET /data/export/x failed'],
    ['/api/users/list', '/api/users/list'],
    ['and/or ./var/x ~/home/y', 'and/or ./var/x ~/home/y'],
    ['/tmp/ is full', '/tmp/ is full'],
  ],
  ip: [
    ['10.0.0.1:80 and 255.255.255.255', '<ip>:<int> and <ip>'],
    ['from 192.168.1.20.', 'from <ip>.'],
    ['[::1]:80', '[<ip>]:<int>'],
    ['fe80::1%eth0 2001:db8:0:0:0:0:2:1', '<ip> <ip>'],
    ['2001:db8::8a2e:370:7334', '<ip>'],
    ['::ffff:10.0.0.1', '<ip>'],
    ['Face::Bad', 'Face::Bad'],
    ['Foo::1x std::a1', 'Foo::1x std::a1'],
    ['300.1.2.3', '<float>.<float>'],
  ],
  traceparent: [
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '<traceparent>'],
    ['Root=1-5759e988-bd862e3fe1be46a994272793', 'Root=<traceparent>'],
  ],
  uuid: [
    ['550e8400-e29b-41d4-a716-446655440000', '<uuid>'],
    ['550E8400-E29B-41D4-A716-446655440000', '<uuid>'],
    ['job_550e8400-e29b-41d4-a716-446655440000_done', 'job_<uuid>_done'],
  ],
  sha1: [['da39a3ee5e6b4b0d3255bfef95601890afd80709', '<sha1>']],
  md5: [['d41d8cd98f00b204e9800998ecf8427e.', '<md5>.']],
  date: [
    ['Mon, 02 Jan 2006 15:04:05 GMT', '<date>'],
    ['Mon, 02 Jan 2006 15:04:05 +0100', '<date>'],
    ['Monday, 02-Jan-06 15:04:05 MST', '<date>'],
    ['02 Jan 06 15:04 MST', '<date>'],
    ['Mon Jan  2 15:04:05 2006', '<date>'],
    ['Mon Jan  2 15:04:05 MST 2006', '<date>'],
    ['Wed Nov 20 2026 12:00:00 GMT+0100 (Central European Time)', '<date>'],
    ['2026-11-20T12:00:00Z', '<date>'],
    ['2026-11-20T12:00:00.123456789+01:00', '<date>'],
    ['2026-11-20 12:00:00,123 WARN x', '<date> WARN x'],
    ['2026-11-20T12:00', '<date>'],
    ['2026/11/20 12:00:00', '<date>'],
    ['20261120T120000Z', '<date>'],
    ['[20/Nov/2026:12:00:00 +0000]', '[<date>]'],
    ['Nov 20, 2026', '<date>'],
    ['2026-11-20', '<date>'],
    ['12:00:05 and 12:00:05.123', '<date> and <date>'],
    ['at 3:04PM and 3:04 pm', 'at <date> and <date>'],
    ['datetime.datetime(2023, 5, 2, 23, 25, tzinfo=datetime.timezone.utc)', '<date>'],
    ['datetime.datetime(2023, 5, 2, tzinfo=datetime.timezone(datetime.timedelta(seconds=3600))) x', '<date> x'],
    ['(12:30)', '(<int>:<int>)'],
    ['app.js:10:15', 'app.js:<int>:<int>'],
    ['2026-99-99', '<int>-<int>-<int>'],
  ],
  duration: [
    ['took 12ms', 'took <duration>'],
    ['1.5s 30µs 1m30s 5h 10ns', '<duration> <duration> <duration> <duration> <duration>'],
    ['10sec 5mins', '<duration> <duration>'],
    ['5x 3d', '5x 3d'],
  ],
  swift_txn_id: [['tx274a77a8975c4a66aeb24-0052d95365', '<swift_txn_id>']],
  hex: [
    ['at 0x7f3a', 'at <hex>'],
    ['deadbeef12 DEADBEEF12', '<hex> <hex>'],
    ['Cart@1b2c3d4e Cart@5e91993', 'Cart@<hex> Cart@<hex>'],
    ['1'.repeat(21), '<hex>'],
    ['507f1f77bcf86cd799439011', '<hex>'],
    ['a1'.repeat(32), '<hex>'],
    ['deadbeef', 'deadbeef'],
    ['DeadBeef12', 'DeadBeef12'],
  ],
  mac: [
    ['card 00:1b:44:11:3a:b7 and F0-DE-F1-BC-00-9E', 'card <mac> and <mac>'],
    ['00:1b:44:11:3a', '<int>:1b:<int>:<int>:3a'],
  ],
  id: [
    ['req 01HQ3K4B5C6D7E8F9G0H1J2K3M', 'req <id>'],
    ['key 5vK0mQ2xR9sT7uW1yZ3a', 'key <id>'],
    ['java2dRenderingPipelineFactory', 'java2dRenderingPipelineFactory'],
  ],
  git_sha: [
    ['rev 3f2a1b9', 'rev <git_sha>'],
    ['rev abcdefa', 'rev abcdefa'],
    ['rev 3F2A1B9', 'rev 3F2A1B9'],
  ],
  float: [
    ['-0.5 and 12.25', '<float> and <float>'],
    ['1.5e-10 and 2e8', '<float> and <float>'],
    ['1,234.56', '<float>'],
  ],
  int: [
    ['bad thing 1234567', 'bad thing <int>'],
    ['at 1795200013883 of 12345678', 'at <int> of <int>'],
    ['x=-5', 'x=<int>'],
    ['item-5 of list[-1]', 'item-<int> of list[<int>]'],
    ['users/17/edit #3', 'users/<int>/edit #<int>'],
    ['1,234,567 rows', '<int> rows'],
    ['512MB of 2GiB at 50%', '<int>MB of <int>GiB at <int>%'],
    ['order_17 and job_12345', 'order_<int> and job_<int>'],
    ['sha_256 utf_8 utf8 x86_64 h2', 'sha_256 utf_8 utf8 x86_64 h2'],
    ["'missing-5'", "'missing-<int>'"],
  ],
  quoted_str: [
    ["name='bob smith' said 'no'", "name=<quoted_str> said 'no'"],
    ['name="a \\" b" x', 'name=<quoted_str> x'],
    ["key=b'raw'", 'key=<quoted_str>'],
    ["it's = 'x'", "it's = 'x'"],
  ],
  bool: [
    ['retry=True force=false', 'retry=<bool> force=<bool>'],
    ['retry true', 'retry true'],
    ['retry=Trueish', 'retry=Trueish'],
  ],
  priority: [
    ['https://bob@example.com/550e8400-e29b-41d4-a716-446655440000', '<url>'],
    ['id=550e8400-e29b-41d4-a716-446655440000 n=3', 'id=<uuid> n=<int>'],
    ["at='2026-11-20 12:00:00'", 'at=<quoted_str>'],
  ],
  lines: [
    ['  a  ', 'a'],
    ['a\n', 'a'],
    ['\n\na\r\n\r\n  b \n', 'a\n  b'],
    ['a\nb\nc 5', 'a\nb...'],
    ['a 1\nb 2', 'a <int>\nb <int>'],
    ['', ''],
  ],
};

/** Patterns that could make a matcher go back and forth; each fills a text of 10,000 characters. */
const hostile = [
  ...['a', '0', 'f', 'a.', '1.', 'a-', 'a_', '-', ':', '1:', 'f:', '::1', '1,', '1 ', 'a1', 'a 1'],
  ...['a@', 'a@b.', 'a.b@c', 'www.', 'a.co.', 'http://', 'http://)', 'jdbc:a:', 'https://a.b/c?d=e&'],
  ...['="', "='", '="\\', "='a\\'", 'x=', 'x=t', '1ms', '1m', '1e', '1.1e', '1,111', '0x', 'tx', '00-', '12:', '12:30'],
  ...['Jan ', 'Mon, ', 'Monday', 'Jan 1 ', '1 Jan ', '2024-01-', '2024-01-01 ', '20240101T', 'datetime.datetime('],
  ...[
    '((',
    'datetime.date((',
    'datetime.datetime(()',
    '/var/',
    '/tmp/a/',
    'C:\\',
    '/var/a b',
    'a1b2',
    'Z9',
    '00:',
    '0a-',
    ' /home/',
    '()',
    'é',
    '\u2028',
    '\t',
    '<int>',
  ],
];
/** Far above the milliseconds it takes, far below what a runaway pattern would. */
const PATIENCE_MS = 100;

describe('group v1: message parameterisation', () => {
  for (const [kind, rows] of Object.entries(table)) {
    describe(kind, () => {
      for (const [text, expected] of rows) {
        it(JSON.stringify(text), () => assert.equal(parameterise(text), expected));
      }
    });
  }

  it('leaves plain text alone', () => {
    for (const text of ['disk full', "can't read 'name' of undefined", 'Überlauf: Puffer voll!', 'a/b\\c <x>']) {
      assert.equal(parameterise(text), text);
    }
  });

  it('gives the same for its own output where nothing was cut', () => {
    const words = fc.constantFrom(
      'user 5',
      'at 10.0.0.1',
      'x=true',
      'bob@example.com',
      'failed',
      "n='b'",
      '1.5s',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
        const once = parameterise(parts.join(' ').replaceAll('\n', ''));
        assert.equal(parameterise(once), once);
      }),
      { seed: 7 },
    );
  });

  it('never throws and never grows text without end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        assert.ok(parameterise(text).length <= text.length * 16 + 16);
      }),
      { seed: 7, numRuns: 60 },
    );
  });

  it('takes hostile texts of 10,000 characters in its stride', () => {
    for (const pattern of hostile) {
      for (const tail of ['', '!', '\u0001']) {
        const text = pattern.repeat(10_000).slice(0, 10_000 - tail.length) + tail;
        const took = Math.min(...[1, 2, 3].map(() => millisecondsFor(text)));
        assert.ok(took < PATIENCE_MS, `${JSON.stringify(pattern)} took ${took.toFixed(1)} ms`);
      }
    }
  });
});

function millisecondsFor(text: string): number {
  const started = process.hrtime.bigint();
  parameterise(text);
  return Number(process.hrtime.bigint() - started) / 1e6;
}
