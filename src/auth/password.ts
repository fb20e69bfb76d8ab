import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost by OWASP's password storage advice for scrypt; 60 to 270 ms of processor time and 32 MB per check. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/**
 * Returns `scrypt$N$r$p$<salt>$<key>`, salt and key in base64url. The cost is part of the hash, so that it can be
 * raised later.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Compares a password with its hash in constant time; false for text in another form. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = stored.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false;
  if (Number(n) !== COST.N || Number(r) !== COST.r || Number(p) !== COST.p) return false;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/**
 * Returns a hash that no known password matches, for users without a password. Its check takes as long as that of
 * others.
 */
export function unusablePasswordHash(): string {
  const [salt, key] = [randomBytes(SALT_BYTES), randomBytes(KEY_BYTES)].map((bytes) => bytes.toString('base64url'));
  return ['scrypt', COST.N, COST.r, COST.p, salt, key].join('$');
}

/** Creates a password for a first administrator: 20 characters without look-alikes, about 115 bits. */
export function generatePassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const picked: string[] = [];
  while (picked.length < 20) {
    for (const byte of randomBytes(32)) {
      // Skips bytes beyond the last whole multiple, which would favour the first letters.
      if (byte < alphabet.length * 4 && picked.length < 20) picked.push(alphabet.charAt(byte % alphabet.length));
    }
  }
  return picked.join('');
}
