import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { replacePrivateFile } from '../../lib/private-file.ts';
import { storeTraits } from '../../storage/open/store-traits.ts';
import { isEmpty, wasStarted } from './first-start.ts';
import { printWarning } from '../call/output.ts';

export type UsedStore = Pick<Store, 'getMeta' | 'listUsers' | 'listProjects'>;

/** File in the data dir that records that its embedded store has held a user or a project. */
export const STORE_USE_FILE = 'store.json';

/** Key of the same record in the store, which stays in use when everything in it was deleted. */
const IN_USE_SINCE = 'in_use_since';

/** Content of `store.json`; a member is null when it cannot be read. */
export interface StoreUse {
  /** Address of the store, in the form of `ERRGATE_STORE_URL`. */
  readonly url: string | null;
  /** Time of the first use that was seen, RFC 3339. */
  readonly since: string | null;
}

/** Reads `store.json`; null when there is none. */
export function readStoreUse(dataDir: string): StoreUse | null {
  const file = join(dataDir, STORE_USE_FILE);
  if (!existsSync(file)) return null;
  try {
    const { url, in_use_since: since } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return { url: typeof url === 'string' ? url : null, since: typeof since === 'string' ? since : null };
  } catch {
    return { url: null, since: null };
  }
}

/** Returns true when the store was never in use: no record of use, no first start, no user and no project. */
export async function isUnused(store: UsedStore): Promise<boolean> {
  return (await store.getMeta(IN_USE_SINCE)) === null && !(await wasStarted(store)) && (await isEmpty(store));
}

/**
 * Records the use of an embedded store as soon as it holds a user or a project. The store comes first, so that a data
 * dir still starts after a process was killed in between. A file that cannot be written is only a warning: the next
 * start tries again.
 */
export async function recordStoreUse(
  config: Config,
  dataDir: string,
  store: UsedStore & Pick<Store, 'initMeta'>,
): Promise<void> {
  const { url } = config.store;
  if (storeTraits(url).shared) return;
  let since = await store.getMeta(IN_USE_SINCE);
  if (since === null) {
    if (await isEmpty(store)) return;
    since = await store.initMeta(IN_USE_SINCE, new Date(systemClock.now()).toISOString());
  }
  const known = readStoreUse(dataDir);
  if (known?.url === url && known.since === since) return;
  const file = join(dataDir, STORE_USE_FILE);
  try {
    replacePrivateFile(file, `${JSON.stringify({ url, in_use_since: since })}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printWarning(`${file} cannot be written, so a loss of the store may go unnoticed: ${reason}`);
  }
}
