import assert from 'node:assert/strict';
import { isCommonPassword } from '../../../src/auth/common-passwords.ts';
import { generatePassword } from '../../../src/auth/password.ts';

describe('common passwords', () => {
  const common: [rule: string, password: string][] = [
    ['any case', 'PassWord'],
    ['substituted letters and a mark at the end', 'Passw0rd!'],
    ['a row of keys', 'qwertyuiop'],
    ['a row of German keys', 'qwertzuiop'],
    ['the name of the product and a digit', 'errgate1'],
    ['the name of the product and digits', 'errgate123'],
    ['a season and a year', 'Summer2026'],
    ['a sequence of letters', 'abcdefgh'],
    ['a sequence downwards, in any case', 'ZYXWVUTS'],
    ['a sequence of another alphabet', 'абвгдежз'],
    ['a sequence and digits', 'abcdef2026'],
    ['two characters, repeated', 'abababab'],
    ['two digits, repeated', '12121212'],
    ['three characters, the last time not all of them', 'xyzxyzxy'],
    ['four random characters twice', 'x7Qpx7Qp'],
    ['a common word twice', 'rootroot'],
    ['a longer common word twice', 'adminadmin'],
    ['a common word twice and a year', 'RootRoot2026'],
    ['a common word twice with a sign between', 'admin-admin'],
    ['a common word three times with signs between', 'root.root.root'],
    ['a common word in a usual variant twice', 'Summer2026Summer2026'],
    ['a row of keys twice', 'qwertyqwerty'],
    ['the name of the product twice', 'errgateerrgate'],
    ['the famous passphrase', 'correcthorsebatterystaple'],
  ];
  for (const [rule, password] of common) {
    it(`are recognised: ${rule}`, async () => assert.equal(await isCommonPassword(password), true));
  }

  it('do not include random ones, long phrases, a word with a long end, or only the beginning of a sequence', async () => {
    for (let count = 0; count < 500; count += 1) assert.equal(await isCommonPassword(generatePassword()), false);
    for (const password of [
      'summer rain on 7 roofs',
      'errgate-84619357',
      's3cret-Pa55',
      'my own password',
      'abcdx7Qp',
      'x7Qp2x7Qp2',
      'banana boats',
      'rootbeer-rootless',
    ]) {
      assert.equal(await isCommonPassword(password), false, password);
    }
  });
});
