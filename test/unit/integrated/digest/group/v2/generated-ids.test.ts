import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { parameterise } from '../../../../../../src/integrated/digest/group/v1/values/parameterise.ts';
import { withKnownIds } from '../../../../../../src/integrated/digest/group/v2/generated-ids.ts';
import { isRandom } from '../../../../../../src/integrated/digest/group/v2/random-token.ts';
import { hostile } from '../v1/hostile-texts.ts';

/** Milliseconds of the processor, as in the test of version 1. */
const PATIENCE_MS = 100;
const TRIES = 8;

/** Signs of the rules of version 2, each fills a text of 10,000 characters. */
const HOSTILE = [
  'request id: ',
  'RequestId',
  'aB1',
  'aB1_',
  'a_B',
  'aB-',
  'x1 - gsmtp',
  'a1.',
  '1aB2cD-',
  'cus_aB1 ',
  'Id=',
  'kB9/',
];

describe('group v2: generated ids', () => {
  const rows: [text: string, expected: string][] = [
    ['No such customer: cus_NffrFeUfNV2Hib', 'No such customer: cus_<id>'],
    ['no session V1StGXR8_Z5jdHi6B-myT.', 'no session <id>.'],
    ['GET /carts/V1StGXR8_Z5jdHi6B-myT failed', 'GET /carts/<id> failed'],
    ['code=ch_NffrFeUfNV2Hib', 'code=ch_<id>'],
    ['Request ID: Xj3nMHJ2IAMFkRg=, denied', 'Request ID: <id>, denied'],
    ["(requestId='1b9e0b3e-1111-5c5c-9a0c-5e1a2b3c4d5e')", '(requestId=<value>)'],
    ['421 Try again x14si1234567qvb.39 - gsmtp', '<number> Try again <id> - gsmtp'],
    ['message 1rXyZ0-0001aB-Cd is too big', 'message <id> is too big'],
    // What version 1 recognises as a whole keeps its placeholder.
    ['https://x.example/V1StGXR8_Z5jdHi6B-myT failed', '<url> failed'],
    ["bad key 'V1StGXR8_Z5jdHi6B-myT'", 'bad key <quoted>'],
    ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N', 'Bearer <token>'],
    ['bad cursor dGhpcyBpcyBhIHRlc3Q= given', 'bad cursor <token> given'],
    ['GET /items?cursor=WzE3LCJhYmMiXQ%3D%3D', 'GET /items'],
    ['cursor=WzE3LCJhYmMiXQ%3D%3D', 'cursor=<value>'],
    ['request id: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N', 'request id: <token>'],
    ['sha384 oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQ= blocked', 'sha384 <token> blocked'],
    // Words and names stay.
    ['request id missing from header', 'request id missing from header'],
    ['getUserByIdV2 of OAuth2LoginController', 'getUserByIdV2 of OAuth2LoginController'],
    ['XMLHttpRequestUpload, iPhone14ProMax', 'XMLHttpRequestUpload, iPhone14ProMax'],
    ['user_profileSettings payment-processing-job', 'user_profileSettings payment-processing-job'],
    ['E_CARD_DECLINED_TWICE com.acme.CheckoutServiceImpl', 'E_CARD_DECLINED_TWICE com.acme.CheckoutServiceImpl'],
    ['col_fkUsrPrdId, MyHttpXmlTcpClient', 'col_fkUsrPrdId, MyHttpXmlTcpClient'],
  ];
  for (const [text, expected] of rows) {
    it(JSON.stringify(text), () => assert.equal(parameterise(withKnownIds(text)), expected));
  }

  it('finds nearly all that a generator makes', () => {
    // Hashes of numbers: the same tokens in every run.
    const token = (n: number, length: number, signs: boolean) => {
      const text = createHash('sha512').update(String(n)).digest('base64url');
      return (signs ? text : text.replace(/[_-]/g, '')).slice(0, length);
    };
    const share = (length: number, signs: boolean, prefixed: boolean) =>
      Array.from({ length: 2000 }, (_, n) => isRandom(token(n, length, signs), prefixed)).filter(Boolean).length / 2000;
    assert.ok(share(21, true, false) > 0.95);
    assert.ok(share(14, false, true) > 0.9);
    assert.ok(share(24, false, true) > 0.97);
  });

  it('splits nothing that version 1 joins', () => {
    const random = (n: number, bytes: number) =>
      createHash('sha512').update(`${n}/${bytes}`).digest().subarray(0, bytes);
    const words = [17, 23, 24].flatMap((bytes) => [
      (n: number) => random(n, bytes).toString('base64'),
      (n: number) => random(n, bytes).toString('base64url'),
      (n: number) => encodeURIComponent(random(n, bytes).toString('base64')),
      (n: number) => `eyJ${random(n, bytes).toString('base64url')}.${random(n + 1, bytes).toString('base64url')}.`,
    ]);
    const texts = [
      (word: string) => `${word} was refused`,
      (word: string) => `id=${word} was refused`,
      (word: string) => `request id: ${word}`,
      (word: string) => `lock redis:${word}:held`,
      (word: string) => `mail to user-${word}@shop.example bounced`,
    ];
    let joined = 0;
    for (const word of words) {
      for (const text of texts) {
        for (let n = 0; n < 100; n += 2) {
          const pair = [text(word(n)), text(word(n + 1))] as const;
          if (parameterise(pair[0]) !== parameterise(pair[1])) continue;
          joined += 1;
          assert.equal(parameterise(withKnownIds(pair[0])), parameterise(withKnownIds(pair[1])), pair.join('\n'));
        }
      }
    }
    assert.ok(joined > 500, `${joined} pairs`);
  });

  it('handles hostile texts of 10,000 characters quickly', () => {
    for (const pattern of [...hostile, ...HOSTILE]) {
      for (const tail of ['', '!', ' aB1', ' id', ' - gsmtp']) {
        const text = pattern.repeat(10_000).slice(0, 10_000 - tail.length) + tail;
        let took = Infinity;
        for (let tries = 0; tries < TRIES && took >= PATIENCE_MS; tries += 1) {
          const before = process.cpuUsage();
          withKnownIds(text);
          const { user, system } = process.cpuUsage(before);
          took = (user + system) / 1000;
        }
        assert.ok(took < PATIENCE_MS, `${JSON.stringify(pattern)} took ${took.toFixed(1)} ms`);
      }
    }
  });
});
