import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../domain/app-error.ts';
import { systemClock, type Clock } from '../../domain/ports/clock.ts';
import type { ExportSource } from '../../domain/ports/export-source.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { CopySource, CopyTarget } from '../copy/copy-rows.ts';
import { openCopySource } from '../sqlite/copy/copy-source.ts';
import { LocalExecutor } from '../sqlite/local-executor.ts';
import { openSqliteExport } from '../sqlite/export-source.ts';
import { FileArea, fileAreaOf } from '../sqlite/files/file-area.ts';
import { openDatabase } from '../sqlite/files/open-database.ts';
import { RemoteExecutor } from '../sqlite/remote-executor.ts';
import { serveWrites } from '../sqlite/serve-writes.ts';
import { createSqliteStore } from '../sqlite/sqlite-store.ts';
import { storeTraits } from './store-traits.ts';

export interface OpenStoreOptions {
  /** `sqlite:` for the file in the data dir, `sqlite:/absolute/file`, or a `mongodb:` or `mongodb+srv:` address. */
  readonly url: string;
  /** Data directory. A MongoDB store keeps the plans of its journals' batches here. */
  readonly dataDir: string;
  /** Port to a `WriterStore.serve`; without it this store writes itself, as every MongoDB store does. */
  readonly writer?: MessagePort;
  /**
   * Allows migrating an outdated store and creating a missing one; `missing`: only the second. Default: both for the
   * embedded store. Default for MongoDB: `missing`, because gateways of an older version may use it.
   */
  readonly migrate?: boolean | 'missing';
  /** Called before each step of a migration of an existing store, with a sentence for people. */
  readonly onMigration?: (progress: string) => void;
  /**
   * Maximum age in milliseconds of projects, roles and settings changed by another process. Default 0. A local file is
   * always read.
   */
  readonly maxAgeMs?: number;
  /** Clock for leases and retention; replaced in tests. */
  readonly clock?: Clock;
}

/** Store of the thread that writes for the process. */
export interface WriterStore {
  readonly store: Store;
  /** Runs the writes that another thread's store sends through the port. */
  serve(port: MessagePort): void;
}

/**
 * Opens the store that the URL names. Throws `invalid_configuration` for a bad URL, credentials or another
 * program's data, `store_too_new`, `store_outdated` (where it may not migrate), `store_unavailable`.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  if (storeTraits(options.url).shared) {
    return openMongo(options);
  }
  if (options.writer === undefined) {
    return (await openWriterStore(options)).store;
  }
  const file = sqliteFile(options.url, options.dataDir);
  const reader = await openDatabase(file, 'reader', mayMigrateFile(options, file));
  return createSqliteStore(reader, new RemoteExecutor(options.writer), nowOf(options), fileArea(file, options));
}

/** Opens the store with its own write connection, which other threads can use through `serve`. */
export async function openWriterStore(options: Omit<OpenStoreOptions, 'writer'>): Promise<WriterStore> {
  if (storeTraits(options.url).shared) {
    return { store: await openMongo(options), serve: () => undefined };
  }
  const file = sqliteFile(options.url, options.dataDir);
  const executor = new LocalExecutor(
    await openDatabase(file, 'writer', mayMigrateFile(options, file), options.onMigration),
    options.clock,
  );
  try {
    const files = fileArea(file, options);
    const store = createSqliteStore(await openDatabase(file, 'reader', false), executor, nowOf(options), files);
    return { store, serve: (port) => serveWrites(port, executor) };
  } catch (error) {
    await executor.close();
    throw error;
  }
}

function fileArea(file: string, { clock = systemClock }: Pick<OpenStoreOptions, 'clock'>): FileArea {
  return new FileArea(fileAreaOf(file), clock);
}

/** Returns the file of an `sqlite:` URL. */
export function sqliteFile(url: string, dataDir: string): string {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null;
  if (path === '') {
    return join(dataDir, 'errgate.db');
  }
  if (path === null || !isAbsolute(path)) {
    throw new AppError(
      'invalid_configuration',
      'store.url must be `sqlite:`, `sqlite:/absolute/file`, `mongodb://…` or `mongodb+srv://…`',
    );
  }
  return path;
}

const nowOf =
  ({ clock = systemClock }: Pick<OpenStoreOptions, 'clock'>) =>
  () =>
    clock.now();

function mayMigrateFile({ migrate = true }: Pick<OpenStoreOptions, 'migrate'>, file: string): boolean {
  return migrate === 'missing' ? !existsSync(file) : migrate;
}

async function openMongo(options: OpenStoreOptions): Promise<Store> {
  // Loads the driver only where it is used, because loading is slow.
  const { createMongoStore } = await import('../mongo/mongo-store.ts');
  const { openContext } = await import('../mongo/open-context.ts');
  const { requireCompleteCopy } = await import('../mongo/copy/copy-target.ts');
  const { mongoHosts } = await import('../mongo/engine/mongo-hosts.ts');
  const { url, dataDir, migrate = 'missing', maxAgeMs = 0 } = options;
  const change = migrate === 'missing' ? 'set_up' : migrate ? 'migrate' : 'nothing';
  const context = await openContext(url, change, nowOf(options), options.onMigration);
  try {
    await requireCompleteCopy(context);
  } catch (error) {
    await context.connection.close();
    throw error;
  }
  return createMongoStore(context, { hosts: mongoHosts(url), dataDir, maxAgeMs });
}

/** Opens one state of an existing store to be exported, beside a running service. Throws as `openStore` does. */
export async function openExport({ url, dataDir }: Pick<OpenStoreOptions, 'url' | 'dataDir'>): Promise<ExportSource> {
  if (!storeTraits(url).shared) return openSqliteExport(sqliteFile(url, dataDir));
  const { openMongoExport } = await import('../mongo/export/export-source.ts');
  const { openContext } = await import('../mongo/open-context.ts');
  return openMongoExport(await openContext(url, 'nothing', Date.now));
}

/** Opens both ends of a copy: a store file, and an empty database, which is set up if needed. */
export async function openCopy(file: string, targetUrl: string): Promise<{ source: CopySource; target: CopyTarget }> {
  if (!storeTraits(targetUrl).shared) {
    throw new AppError(
      'invalid_configuration',
      'a store is copied to a mongodb:// address; for another file use `errgate backup`',
    );
  }
  const { createCopyTarget } = await import('../mongo/copy/copy-target.ts');
  const { openContext } = await import('../mongo/open-context.ts');
  const source = await openCopySource(file);
  try {
    return { source, target: createCopyTarget(await openContext(targetUrl, 'set_up', Date.now)) };
  } catch (error) {
    await source.close();
    throw error;
  }
}
