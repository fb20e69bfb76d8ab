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
    ['the famous passphrase', 'correcthorsebatterystaple'],
  ];
  for (const [rule, password] of common) {
    it(`are recognised: ${rule}`, async () => assert.equal(await isCommonPassword(password), true));
  }

  it('do not include random ones, long phrases, or a word with a long end', async () => {
    for (let count = 0; count < 500; count += 1) assert.equal(await isCommonPassword(generatePassword()), false);
    for (const password of ['summer rain on 7 roofs', 'errgate-84619357', 's3cret-Pa55', 'my own password']) {
      assert.equal(await isCommonPassword(password), false, password);
    }
  });
});
