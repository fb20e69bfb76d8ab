import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { scryptSync } from 'node:crypto';
import { promisify } from 'node:util';

const PROGRAM = `
  const { hashPassword, verifyPassword } = await import(${JSON.stringify(new URL('../../../src/auth/password.ts', import.meta.url).href)});
  const hash = await hashPassword('correct horse battery');
  const accepted = [await verifyPassword('correct horse battery', hash), await verifyPassword('correct horse', hash)];
  process.stdout.write([hash, ...accepted].join(' '));
`;

describe('the hash of a password', () => {
  it('is by scrypt with at least the cost that OWASP advises, and names it', async () => {
    // In a process of its own: in this one scrypt is cheap.
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import=tsx',
      '--input-type=module',
      '-e',
      PROGRAM,
    ]);
    const [hash = '', right, wrong] = stdout.split(' ');
    assert.deepEqual([right, wrong], ['true', 'false']);
    const [scheme, n, r, p, salt = '', key = ''] = hash.split('$');
    assert.deepEqual([scheme, n, r, p], ['scrypt', '32768', '8', '3']);
    const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: 64 * 1024 * 1024 };
    const made = scryptSync('correct horse battery', Buffer.from(salt, 'base64url'), 32, cost);
    assert.equal(key, made.toString('base64url'));
  });
});
