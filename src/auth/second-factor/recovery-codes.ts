import { createHash, randomBytes } from 'node:crypto';

/** Number of codes of a user. */
const CODES = 10;

/** Letters and digits without look-alikes: 32, so that each has five bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Characters of a code without its hyphens: 80 bits, so that a plain hash keeps it secret. */
const LENGTH = 16;

/** Returns new codes, such as `abcd-efgh-ijkm-npqr`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    // 256 is a multiple of 32: no letter is more frequent.
    const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** Returns the lower-case hex SHA-256 of a code as people type it; null for text that cannot be one. */
export function recoveryHash(typed: string): string | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return /^[a-z0-9]{16}$/.test(code) ? createHash('sha256').update(code).digest('hex') : null;
}
