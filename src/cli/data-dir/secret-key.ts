import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { createPrivateFile, replacePrivateFile } from '../../lib/private-file.ts';
import { storeTraits } from '../../storage/open/store-traits.ts';
import { KEY_FILE, readKeyRing } from '../../thirdparty/secrets/key-ring.ts';

/** Shared value of the store: the id of the key that encrypts what is in it. */
export const SECRET_KEY_ID = 'secret_key_id';

/**
 * Creates the key file at the first start; later starts find it. Throws `invalid_configuration` for a shared store,
 * where several gateways cannot each create their own.
 */
export function ensureSecretKey(config: Config, dataDir: string): void {
  if (config.secretKey !== null) return;
  if (storeTraits(config.store.url).shared) {
    throw new AppError(
      'invalid_configuration',
      'ERRGATE_SECRET_KEY is required with a MongoDB store: set it to 32 random bytes in hex (`openssl rand -hex 32`), the same on every gateway',
    );
  }
  createPrivateFile(join(dataDir, KEY_FILE), `${randomBytes(32).toString('hex')}\n`);
}

/** Returns the active key; null before the first start. */
export function readSecretKey(config: Config, dataDir: string): string | null {
  if (config.secretKey !== null) return config.secretKey;
  const file = join(dataDir, KEY_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** Writes the key of a backup to the key file, in place of its content. */
export function putSecretKey(dataDir: string, key: string): void {
  replacePrivateFile(join(dataDir, KEY_FILE), `${key}\n`);
}

export interface SecretKeyCheck {
  readonly config: Config;
  /** Absolute. */
  readonly dataDir: string;
  readonly store: Pick<Store, 'initMeta' | 'setMeta' | 'listProjects' | 'settings'>;
  readonly warn: (message: string) => void;
}

/**
 * Compares the active keys with the key id in the store; a store without one records it. Throws `invalid_configuration`
 * when another key can do harm: with a shared store, or with tokens encrypted under the recorded key. Otherwise records
 * the new key, with a warning.
 */
export async function checkSecretKey(check: SecretKeyCheck): Promise<void> {
  const { config, dataDir, store } = check;
  // The first encrypts; a former one may stand beside it while keys are changed.
  const ids = readKeyRing({ ...config, dataDir }).map(({ id }) => id);
  const [current] = ids;
  if (current === undefined) return;
  const known = await store.initMeta(SECRET_KEY_ID, current);
  if (ids.includes(known)) return;
  const { shared } = storeTraits(config.store.url);
  const difference = `the store was set up with another secret key (id ${known}, here ${current})`;
  if (shared || (await holdsTokens(store))) {
    const where = config.secretKey === null ? join(dataDir, KEY_FILE) : 'ERRGATE_SECRET_KEY';
    throw new AppError('invalid_configuration', `${difference}: restore the former key in ${where}`);
  }
  await store.setMeta(SECRET_KEY_ID, current);
  check.warn(`${difference}; nothing is encrypted under it, so the new key is used from now on`);
}

async function holdsTokens(store: SecretKeyCheck['store']): Promise<boolean> {
  for (const { id } of await store.listProjects()) {
    if (((await store.settings(id))?.sealedToken ?? null) !== null) return true;
  }
  return false;
}
