import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../../src/domain/app-error.ts';
import { parseSecretKey, readKeyRing, type SecretKey } from '../../../../src/thirdparty/secrets/key-ring.ts';
import { createTokenCipher } from '../../../../src/thirdparty/secrets/encrypted-token.ts';

const key = (): SecretKey => parseSecretKey(randomBytes(32).toString('hex'))!;
const TOKEN = 'sntryu_0123456789abcdef';

const unreadable = (error: unknown): boolean => {
  assert.ok(error instanceof AppError);
  assert.equal(error.code, 'invalid_configuration');
  assert.doesNotMatch(error.message, /sntryu/);
  return true;
};

describe('an encrypted token', () => {
  const ours = key();
  const cipher = createTokenCipher(() => [ours]);

  it('decrypts to the original, names its key and holds nothing of the token', () => {
    const encrypted = cipher.encrypt(TOKEN, 7);
    assert.equal(cipher.decrypt(encrypted, 7), TOKEN);
    assert.ok(encrypted.startsWith(`v1.${ours.id}.`));
    assert.ok(!encrypted.includes(TOKEN) && !encrypted.includes(Buffer.from(TOKEN).toString('base64url')));
    assert.ok(cipher.isCurrent(encrypted));
  });

  it('has another IV each time', () => {
    const ivs = Array.from({ length: 50 }, () => cipher.encrypt(TOKEN, 7).split('.')[2]);
    assert.equal(new Set(ivs).size, 50);
  });

  it('takes any text, also an empty one', () => {
    for (const text of ['', 'é☃', 'x'.repeat(5000)]) assert.equal(cipher.decrypt(cipher.encrypt(text, 1), 1), text);
  });

  it('opens for its project only', () => {
    assert.throws(() => cipher.decrypt(cipher.encrypt(TOKEN, 7), 8), unreadable);
  });

  it('does not open when any part was changed', () => {
    const encrypted = cipher.encrypt(TOKEN, 7);
    for (let at = 0; at < encrypted.length; at += 1) {
      const replaced = encrypted[at] === 'A' ? 'B' : 'A';
      const changed = encrypted.slice(0, at) + replaced + encrypted.slice(at + 1);
      // The last character of base64 may hold bits that mean nothing.
      if (at === encrypted.length - 1) continue;
      assert.throws(() => cipher.decrypt(changed, 7), unreadable, `character ${at}`);
    }
    for (const broken of ['', 'v1', 'v2.0.0.0', encrypted.slice(0, 40), `${encrypted}!`]) {
      assert.throws(() => cipher.decrypt(broken, 7), unreadable, broken);
    }
  });

  it('is decrypted with a former key, and encrypted with the newest', () => {
    const newest = key();
    const old = cipher.encrypt(TOKEN, 7);
    const both = createTokenCipher(() => [newest, ours]);
    assert.equal(both.decrypt(old, 7), TOKEN);
    assert.equal(both.isCurrent(old), false);
    assert.ok(both.encrypt(TOKEN, 7).startsWith(`v1.${newest.id}.`));
    assert.throws(() => createTokenCipher(() => [newest]).decrypt(old, 7), unreadable);
  });

  it('cannot be made without a key', () => {
    assert.throws(() => createTokenCipher(() => []).encrypt(TOKEN, 7), /there is no secret key/);
  });
});

describe('the key ring', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'errgate-ring-'))));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('knows one key in hex and in base64 as the same', () => {
    const bytes = randomBytes(32);
    assert.equal(parseSecretKey(bytes.toString('hex'))?.id, parseSecretKey(`${bytes.toString('base64')}\n`)?.id);
    assert.match(parseSecretKey(bytes.toString('hex'))?.id ?? '', /^[0-9a-f]{12}$/);
    for (const wrong of ['', 'abc', 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(44)]) {
      assert.equal(parseSecretKey(wrong), null, wrong);
    }
  });

  it('prefers the configuration, and reads the file at each call', () => {
    const [first, second, third] = Array.from({ length: 3 }, () => randomBytes(32).toString('hex'));
    const source = { secretKey: null, secretKeyPrevious: null, dataDir };
    const ids = (ring: readonly SecretKey[]) => ring.map(({ id }) => id);
    assert.deepEqual(readKeyRing(source), []);
    writeFileSync(join(dataDir, 'secret.key'), `${first}\n`);
    assert.deepEqual(ids(readKeyRing(source)), [parseSecretKey(first!)?.id]);
    writeFileSync(join(dataDir, 'secret.key'), `${second}\n${first}\n`);
    assert.deepEqual(ids(readKeyRing(source)), [parseSecretKey(second!)?.id, parseSecretKey(first!)?.id]);
    const configured = { secretKey: third!, secretKeyPrevious: first!, dataDir };
    assert.deepEqual(ids(readKeyRing(configured)), [parseSecretKey(third!)?.id, parseSecretKey(first!)?.id]);
  });
});
