import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { ensureDataDir, readRunInfo, type RunInfo } from '../data-dir/data-dir.ts';
import { commandAudit, type CommandAudit } from '../call/command-audit.ts';
import { surroundings } from '../call/invocation.ts';
import { missingStore } from '../data-dir/missing-store.ts';
import { printWarning } from '../call/output.ts';

/** Resources of a command that works on the store. */
export interface Session {
  readonly config: Config;
  /** Absolute. */
  readonly dataDir: string;
  readonly store: Store;
  readonly audit: CommandAudit;
}

/** The configuration in force; loaded late, so that `--help` does not wait for it. */
export async function readConfig(): Promise<Config> {
  const { loadConfig } = await import('../../../config/load.ts');
  return loadConfig({ env: surroundings().env });
}

export function dataDirOf(config: Config): string {
  return resolve(config.dataDir);
}

const NOTHING_HERE = 'set ERRGATE_DATA_DIR or start the service once';

/**
 * Throws `not_found` when the data dir is missing: most likely the command was started in another folder than the
 * service.
 */
export function requireDataDir(dataDir: string): void {
  if (!existsSync(dataDir)) throw new AppError('not_found', `there is no data dir at ${dataDir}; ${NOTHING_HERE}`);
}

async function requireStore(config: Config, dataDir: string): Promise<void> {
  const file = await missingStore(config, dataDir);
  if (file === null) return;
  requireDataDir(dataDir);
  throw new AppError('not_found', `there is no store at ${file}; ${NOTHING_HERE}`);
}

export interface StoreWork {
  /** Makes a missing data dir and store: for work that needs nothing to be there. Default: refuses with `not_found`. */
  readonly create?: boolean;
}

/**
 * Opens the store beside a running service, or alone, for a short task. Leaves an outdated store to `migrate` and to
 * the next start of the service. Refuses a lost one, as the service does.
 */
export async function withStore<T>(
  work: (session: Session) => Promise<T>,
  { create = false }: StoreWork = {},
): Promise<T> {
  const config = await readConfig();
  const dataDir = dataDirOf(config);
  if (create) {
    if (!existsSync(dataDir)) printWarning(`there was no data dir yet; created ${dataDir} (ERRGATE_DATA_DIR)`);
    ensureDataDir(dataDir);
  }
  const { refuseLostStore } = await import('../data-dir/lost-store.ts');
  await refuseLostStore(config, dataDir, null);
  if (!create) await requireStore(config, dataDir);
  const { openStore } = await import('../../storage/open/open-store.ts');
  const store = await openStore({ url: config.store.url, dataDir, migrate: 'missing' });
  try {
    await refuseLostStore(config, dataDir, store);
    const result = await work({ config, dataDir, store, audit: commandAudit(store) });
    if (create) {
      const { recordStoreUse } = await import('../data-dir/store-use.ts');
      await recordStoreUse(config, dataDir, store);
    }
    return result;
  } finally {
    await store.close();
  }
}

/** Milliseconds that a running service has to tell its address. */
const ADDRESS_MS = 2000;

/**
 * Returns the address for users and SDKs of the running service, without a slash at its end. Returns `http://localhost`
 * with its port when it does not answer in time.
 */
export async function addressOfService({ url }: RunInfo): Promise<string> {
  try {
    const answer = await fetch(`${url}/-/session`, { signal: AbortSignal.timeout(ADDRESS_MS) });
    const { external_url: address } = (await answer.json()) as { readonly external_url?: unknown };
    if (typeof address === 'string' && URL.canParse(address)) return address;
  } catch {
    // The address below has the port.
  }
  return `http://localhost:${portOf(url)}`;
}

/** Returns the port of the address in `run.json`, which is plain http. */
export function portOf(url: string): number {
  return Number(new URL(url).port || 80);
}

/**
 * Returns the address by this command's own configuration. Null for a free port: only the running service knows its
 * number.
 */
export function configuredAddress({ server }: Config): string | null {
  if (server.externalUrl !== null) return server.externalUrl.replace(/\/+$/, '');
  return server.port === 0 ? null : `http://localhost:${server.port}`;
}

/**
 * Returns the address for users and SDKs, without a slash at its end. That is the configured external URL, else the
 * address of the running service. The service may have been started with other variables than this command. Without
 * both it is made from the configured port.
 */
export async function externalUrl(config: Config): Promise<string> {
  const run = config.server.externalUrl === null ? await readRunInfo(dataDirOf(config)) : null;
  if (run !== null) return addressOfService(run);
  return configuredAddress(config) ?? 'http://localhost:0';
}
