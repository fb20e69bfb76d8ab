import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Holds the key of installations whose configuration names none: 32 bytes in hex per line, mode 0600. */
export const KEY_FILE = 'secret.key';

export interface SecretKey {
  /** 12 hex digits that name the key without telling it; stored with every value it sealed. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** The first key seals; all of them open. */
export type KeyRing = readonly SecretKey[];

/** `text`: 64 hex digits or 44 characters of base64. Null for anything else. */
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
  /** From the configuration; null: the keys are in a file of the data dir. */
  readonly secretKey: string | null;
  /** A second key that only opens: the former one, or the coming one on the way in. */
  readonly secretKeyPrevious: string | null;
  readonly dataDir: string;
}

/**
 * The keys in force now. Those of a file are read anew each time, so that a rotation beside the running
 * service is seen by it. Empty when there is no key yet.
 */
export function readKeyRing({ secretKey, secretKeyPrevious, dataDir }: KeyRingSource): KeyRing {
  if (secretKey === null) return fileRing(dataDir);
  return [secretKey, secretKeyPrevious].map((text) => (text === null ? null : parseSecretKey(text))).filter(present);
}
