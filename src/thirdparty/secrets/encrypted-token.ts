import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '../../domain/app-error.ts';
import type { Seal } from '../../domain/ports/seal.ts';
import type { KeyRing, SecretKey } from './key-ring.ts';

/** Format of an encrypted value: `v1.<key id>.<iv>.<ciphertext and tag>`, the last two in base64url. */
const FORM = /^v1\.([0-9a-f]{12})\.([\w-]{16})\.([\w-]+)$/;
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts tokens at rest (AES-256-GCM, a new IV per value). A value decrypts only for its project. An attacker with
 * write access to the store cannot move a token to another project.
 */
export interface TokenCipher {
  /** Encrypts a token. Throws `invalid_configuration` without a key. */
  encrypt(token: string, projectId: number): string;
  /** Decrypts a token. Throws `invalid_configuration` for a modified value or an unknown key. */
  decrypt(encrypted: string, projectId: number): string;
  /** Returns true when the newest key encrypted this value. */
  isCurrent(encrypted: string): boolean;
}

/**
 * What a value is for. One stored in the place of another does not decrypt. A second factor belongs to a user, whose id
 * takes the place of that of the project.
 */
export type SealedThing =
  | 'third-party token'
  | 'forward DSN'
  | 'alert channel'
  | 'issue tracker token'
  | 'issue hook'
  | 'sign-in cookie'
  | 'refresh token'
  | 'second factor';

function boundTo(thing: SealedThing, projectId: number): Buffer {
  return Buffer.from(`${thing} of ${thing === 'second factor' ? 'user' : 'project'} ${projectId}`);
}

function encryptWith(key: SecretKey, token: string, bound: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES }).setAAD(bound);
  const parts = [cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `v1.${key.id}.${iv.toString('base64url')}.${Buffer.concat(parts).toString('base64url')}`;
}

/** Error for a token that cannot be decrypted. */
export function unreadableToken(why: string, thing: SealedThing = 'third-party token'): AppError {
  const cure = 'bring the key back (ERRGATE_SECRET_KEY_PREVIOUS takes a second one), or enter it again';
  return new AppError('invalid_configuration', `the stored ${thing} cannot be decrypted: ${why}; ${cure}`);
}

/** Creates the encryption of tokens. Calls `ring` for each value: keys may change while the service runs. */
export function createTokenCipher(ring: () => KeyRing, thing: SealedThing = 'third-party token'): TokenCipher {
  const unreadable = (why: string): AppError => unreadableToken(why, thing);
  const current = (): SecretKey => {
    const [key] = ring();
    if (key !== undefined) return key;
    throw new AppError(
      'invalid_configuration',
      'there is no secret key yet: start the service once, which makes one, or set ERRGATE_SECRET_KEY to 32 bytes in hex',
    );
  };
  return {
    encrypt: (token, projectId) => encryptWith(current(), token, boundTo(thing, projectId)),
    decrypt(encrypted, projectId) {
      const [, keyId, iv, data] = FORM.exec(encrypted) ?? [];
      if (keyId === undefined || iv === undefined || data === undefined) throw unreadable('it has no known form');
      const key = ring().find(({ id }) => id === keyId);
      if (key === undefined) throw unreadable(`it was encrypted under another key (${keyId})`);
      const bytes = Buffer.from(data, 'base64url');
      if (bytes.length < TAG_BYTES) throw unreadable('it is too short');
      try {
        const decipher = createDecipheriv(ALGORITHM, key.bytes, Buffer.from(iv, 'base64url'), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(boundTo(thing, projectId)).setAuthTag(bytes.subarray(-TAG_BYTES));
        return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw unreadable('it was changed, or belongs to another project');
      }
    },
    isCurrent: (encrypted) => FORM.exec(encrypted)?.[1] === current().id,
  };
}

/** Creates an encryption whose unreadable values count as absent. */
export function createSeal(ring: () => KeyRing, thing: SealedThing): Seal {
  const cipher = createTokenCipher(ring, thing);
  return {
    seal: (text, ownerId) => cipher.encrypt(text, ownerId),
    open(sealed, ownerId) {
      try {
        return cipher.decrypt(sealed, ownerId);
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    },
  };
}
