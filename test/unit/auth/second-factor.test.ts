import assert from 'node:assert/strict';
import { TOTP, URI } from 'otpauth';
import { newSecret, secretUrl, stepOf } from '../../../src/auth/second-factor/one-time-codes.ts';
import { newRecoveryCodes, recoveryHash } from '../../../src/auth/second-factor/recovery-codes.ts';

/** Secret and codes of RFC 6238, appendix B, for SHA-1, with six digits. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const RFC_CODES = { 59: '287082', 1111111109: '081804', 1111111111: '050471', 20000000000: '353130' } as const;

describe('one-time codes', () => {
  for (const [seconds, code] of Object.entries(RFC_CODES)) {
    it(`are those of RFC 6238 at ${seconds} s`, () => {
      assert.equal(stepOf(RFC_SECRET, code, Number(seconds) * 1000), Math.floor(Number(seconds) / 30));
    });
  }

  it('name the step of a clock that differs by one, and none beyond', () => {
    const at = 1_111_111_111_000;
    const step = Math.floor(at / 30_000);
    for (const [offset, expected] of [
      [-60_000, null],
      [-30_000, step],
      [0, step],
      [30_000, step],
      [60_000, null],
    ] as const) {
      assert.equal(stepOf(RFC_SECRET, '050471', at + offset), expected, `${offset}`);
    }
  });

  it('are six digits, with spaces', () => {
    const at = 1_111_111_111_000;
    assert.notEqual(stepOf(RFC_SECRET, ' 050 471 ', at), null);
    for (const text of ['', '50471', '0504711', '05047a', '０５０４７１', '-50471', '5e4711']) {
      assert.equal(stepOf(RFC_SECRET, text, at), null, text);
    }
  });

  it('have secrets of 160 random bits, which apps read from an address', () => {
    const secret = newSecret();
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.notEqual(newSecret(), secret);
    const read = URI.parse(secretUrl(RFC_SECRET, 'errgate errors.example', 'ada.l'));
    assert.ok(read instanceof TOTP);
    assert.deepEqual(
      [read.issuer, read.label, read.secret.base32, read.algorithm, read.digits, read.period],
      ['errgate errors.example', 'ada.l', RFC_SECRET, 'SHA1', 6, 30],
    );
  });
});

describe('recovery codes', () => {
  it('are ten different ones, whose hash does not depend on how they are typed', () => {
    const codes = newRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) {
      const hash = recoveryHash(code);
      assert.match(hash ?? '', /^[0-9a-f]{64}$/);
      assert.equal(recoveryHash(` ${code.replaceAll('-', '').toUpperCase()} `), hash);
    }
    for (const text of ['', '123456', 'abcd-efgh-ijkm', `${codes[0]}a`]) assert.equal(recoveryHash(text), null);
  });
});
