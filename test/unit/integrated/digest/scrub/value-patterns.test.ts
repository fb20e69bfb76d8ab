import assert from 'node:assert/strict';
import { scrubAddresses, scrubText } from '../../../../../src/integrated/digest/scrub/value-patterns.ts';

const F = '[Filtered]';
const scrub = (text: string) => scrubText(text, (name) => (name.includes('token') ? 'sensitive' : 'plain'));

describe('secrets in text', () => {
  const rows: [what: string, text: string, expected: string][] = [
    ['Visa', 'card 4111111111111111.', `card ${F}.`],
    ['Visa of 13 digits', '4222222222222', F],
    ['in groups', '4111-1111-1111-1111 and 4111 1111 1111 1111', `${F} and ${F}`],
    ['Mastercard', '5555555555554444', F],
    ['Mastercard of the 2 series', '2223003122003222', F],
    ['Amex', '378282246310005 or 3782 822463 10005', `${F} or ${F}`],
    ['Discover', '6011111111111117', F],
    ['wrong check digit', '4111111111111112', '4111111111111112'],
    ['no card prefix', '9111111111111111', '9111111111111111'],
    ['part of a longer number', '14111111111111111', '14111111111111111'],
    ['part of an identifier', 'id_4111111111111111x', 'id_4111111111111111x'],
    ['milliseconds', 'at 1795198781650', 'at 1795198781650'],
    ['bearer token', 'Authorization: Bearer abc.DEF-123_~+/==', `Authorization: Bearer ${F}`],
    ['bearer in any case', 'bearer  xyz', `bearer  ${F}`],
    ['the word alone', 'the bearer', 'the bearer'],
    ['user and password in an address', 'postgres://u:p%40@db.example/x', `postgres://${F}@db.example/x`],
    ['user only', 'ssh://git@h/x', 'ssh://git@h/x'],
    ['port and path', 'http://h:80/a@b', 'http://h:80/a@b'],
    ['secret parameter', 'GET /p?a=1&my_token=abc#x', `GET /p?a=1&my_token=${F}#x`],
    ['empty parameter', '/path?token=&a=1', '/path?token=&a=1'],
    [
      'private key',
      'x -----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY----- y',
      `x -----BEGIN RSA PRIVATE KEY-----\n${F}\n-----END RSA PRIVATE KEY----- y`,
    ],
    ['private key that was cut', '-----BEGIN PRIVATE KEY-----\nMIIabc...', `-----BEGIN PRIVATE KEY-----\n${F}`],
    [
      'public key',
      '-----BEGIN PUBLIC KEY-----\nA\n-----END PUBLIC KEY-----',
      `-----BEGIN PUBLIC KEY-----\n${F}\n-----END PUBLIC KEY-----`,
    ],
    ['certificate', '-----BEGIN CERTIFICATE-----\nA', '-----BEGIN CERTIFICATE-----\nA'],
    ['nothing', 'just some text = fine', 'just some text = fine'],
    ['short', 'Bearer', 'Bearer'],
  ];
  for (const [what, text, expected] of rows) {
    it(what, () => assert.equal(scrub(text), expected));
  }
});

describe('addresses in text', () => {
  const rows: [text: string, expected: string][] = [
    ['10.0.0.1', F],
    ['a 192.168.1.255, b', `a ${F}, b`],
    ['from 10.0.0.1.', `from ${F}.`],
    ['[2001:db8::1]:80', `[${F}]:80`],
    ['::1 up', `${F} up`],
    ['::ffff:10.0.0.1', F],
    ['256.1.1.1', '256.1.1.1'],
    ['1.2.3.4.5', '1.2.3.4.5'],
    ['12:30:45', '12:30:45'],
    ['std::vector', 'std::vector'],
    ['a :: b', 'a :: b'],
    ['1.2.3', '1.2.3'],
  ];
  for (const [text, expected] of rows) {
    it(text, () => assert.equal(scrubAddresses(text), expected));
  }
});
