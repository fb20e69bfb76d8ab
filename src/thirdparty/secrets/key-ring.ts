import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Key file of installations without a configured key: 32 bytes in hex per line, mode 0600. */
export const KEY_FILE = 'secret.key';

export interface SecretKey {
  /** 12 hex digits that identify the key without revealing it; stored with every encrypted value. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** The first key encrypts; all keys decrypt. */
export type KeyRing = readonly SecretKey[];

/** Parses 64 hex digits or 44 characters of base64; null for anything else. */
export function parseSecretKey(text: string): SecretKey | null {
  const trimmed = text.trim();
  const bytes = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (bytes.length !== 32 || !/^([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$/i.test(trimmed)) return null;
  const id = createHash('sha256').update('errgate secret key id\n').update(bytes).digest('hex').slice(0, 12);
  return { id, bytes };
}

function present<T>(value: T | null): value is T {
  return value !== null;
}

function fileRing(dataDir: string): KeyRing {
  try {
    return readFileSync(join(dataDir, KEY_FILE), 'utf8').split('\n').map(parseSecretKey).filter(present);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export interface KeyRingSource {
  /** Key from the configuration; null: keys are in a file of the data dir. */
  readonly secretKey: string | null;
  /** Second key for decryption only: the former or the next key of a rotation. */
  readonly secretKeyPrevious: string | null;
  readonly dataDir: string;
}

/**
 * Returns the current keys. Reads a key file at every call, so that a running service sees a rotation. Empty without a
 * key.
 */
export function readKeyRing({ secretKey, secretKeyPrevious, dataDir }: KeyRingSource): KeyRing {
  if (secretKey === null) return fileRing(dataDir);
  return [secretKey, secretKeyPrevious].map((text) => (text === null ? null : parseSecretKey(text))).filter(present);
}
