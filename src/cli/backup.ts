import { existsSync, linkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config/schema.ts';
import { targetOf } from '../audit/shown-values.ts';
import { AppError } from '../domain/app-error.ts';
import { INSTANCE } from '../domain/audit/audit-event.ts';
import { systemClock } from '../domain/ports/clock.ts';
import { counted } from '../lib/counted.ts';
import type { StoreFileCounts } from '../storage/sqlite/files/store-file.ts';
import { storeTraits } from '../storage/open/store-traits.ts';
import { KEY_FILE } from '../thirdparty/secrets/key-ring.ts';
import { acquireDataDir } from './data-dir/data-dir.ts';
import { refuseLostFile } from './data-dir/lost-store.ts';
import { commandAudit } from './call/command-audit.ts';
import { reference, withOperands } from './call/operands.ts';
import { printJson, printLine, printWarning, showProgress } from './call/output.ts';
import { putSecretKey, readSecretKey } from './data-dir/secret-key.ts';
import { dataDirOf, readConfig } from './people/session.ts';

/** Name of the encryption key among a backup's secrets. */
const SECRET_KEY = 'secret_key';

interface BackupOptions {
  readonly withSecrets?: boolean;
  readonly json?: boolean;
}

function secretsOf(config: Config, dataDir: string): Record<string, string> {
  const key = readSecretKey(config, dataDir);
  if (key === null) printWarning('there is no secret key yet: the backup contains none');
  return key === null ? {} : { [SECRET_KEY]: key };
}

/** Throws `invalid_configuration` when the store is a database server. */
function requireFile({ store }: Config, command: 'backup' | 'restore'): void {
  if (!storeTraits(store.url).shared) return;
  throw new AppError(
    'invalid_configuration',
    `${command} is for the embedded store: with MongoDB use its own tools (mongodump --oplog, mongorestore), and keep ERRGATE_SECRET_KEY`,
  );
}

function contentText({ projects, errors, events }: StoreFileCounts): string {
  return `${counted(projects, 'project')}, ${counted(errors, 'error')} and ${counted(events, 'event')}`;
}

async function backup(file: string, options: BackupOptions): Promise<void> {
  const config = await readConfig();
  requireFile(config, 'backup');
  const dataDir = dataDirOf(config);
  await refuseLostFile(config, dataDir);
  const { backupSqlite } = await import('../storage/sqlite/files/backup.ts');
  const { sqliteFile } = await import('../storage/open/open-store.ts');
  const progress = showProgress('backing up', 'pages');
  try {
    const { projects, errors, events } = await backupSqlite(sqliteFile(config.store.url, dataDir), file, {
      secrets: options.withSecrets === true ? secretsOf(config, dataDir) : {},
      onProgress: (done, total) => {
        progress.update(done, total);
      },
    });
    progress.stop();
    if (options.json === true) printJson({ file, projects, errors, events });
    else printLine(`backed up ${contentText({ projects, errors, events })} to ${file}`);
  } finally {
    progress.stop();
  }
  if (options.withSecrets === true) printWarning('the backup holds secrets: keep it as safe as the data dir');
}

/** Links a file that will be replaced to another name. Returns that name; null when there is no file. */
function keepReplaced(file: string, suffix: string): string | null {
  if (!existsSync(file)) return null;
  linkSync(file, file + suffix);
  return file + suffix;
}

/** Keeps the store and its write-ahead log. */
function keepReplacedStore(file: string, suffix: string): string | null {
  const kept = keepReplaced(file, suffix);
  if (kept !== null && existsSync(`${file}-wal`)) linkSync(`${file}-wal`, `${kept}-wal`);
  return kept;
}

/** Activates the key of the backup. Keeps the former key file, because the former store needs it. */
function restoreKey(config: Config, dataDir: string, key: string, suffix: string): void {
  if (readSecretKey(config, dataDir) === key) return;
  if (config.secretKey !== null) {
    printWarning('the backup has another secret key than ERRGATE_SECRET_KEY: third-party tokens cannot be read');
    return;
  }
  const kept = keepReplaced(join(dataDir, KEY_FILE), suffix);
  putSecretKey(dataDir, key);
  if (kept !== null) {
    printLine(`the secret key was replaced by the one of the backup; the former store needs the former key: ${kept}`);
  }
}

/**
 * Writes to the audit log of the restored store that what followed the backup is missing in it. A backup of an earlier
 * schema is left as it is: the next start migrates it.
 */
async function recordRestore(config: Config, dataDir: string, file: string): Promise<void> {
  const { openStore } = await import('../storage/open/open-store.ts');
  const store = await openStore({ url: config.store.url, dataDir, migrate: false }).catch(() => null);
  if (store === null) return;
  try {
    const target = targetOf('Backup', null, basename(file));
    const entry = { event: 'store_restored', entity: INSTANCE, target } as const;
    await commandAudit(store).change(entry, () => Promise.resolve());
  } finally {
    await store.close();
  }
}

async function restoreStore(config: Config, dataDir: string, file: string): Promise<void> {
  const { restoreSqlite } = await import('../storage/sqlite/files/restore.ts');
  const { sqliteFile } = await import('../storage/open/open-store.ts');
  const { inspectStoreFile } = await import('../storage/sqlite/files/store-file.ts');
  inspectStoreFile(file, 'backup');
  const target = sqliteFile(config.store.url, dataDir);
  const suffix = `.replaced-${new Date(systemClock.now()).toISOString().replace(/[-:.]/g, '')}`;
  const kept = keepReplacedStore(target, suffix);
  const { projects, errors, events, secrets, waitingAlerts, missingFiles } = await restoreSqlite(file, target, {
    force: true,
  });
  printLine(`restored ${contentText({ projects, errors, events })} to ${target}`);
  if (kept !== null) printLine(`the previous store: ${kept}`);
  if (missingFiles > 0) {
    printWarning(`${missingFiles} files of uploads are missing: keep the folder ${file}.files beside the backup`);
  }
  await recordRestore(config, dataDir, file);
  const key = secrets[SECRET_KEY];
  if (waitingAlerts > 0) {
    printLine('alerts that waited when the backup was made are not sent, because they may have been sent since');
  }
  if (key !== undefined) restoreKey(config, dataDir, key, suffix);
}

async function restore(file: string): Promise<void> {
  const config = await readConfig();
  requireFile(config, 'restore');
  const dataDir = dataDirOf(config);
  const owner = await acquireDataDir(dataDir, 'restore');
  try {
    await restoreStore(config, dataDir, file);
  } finally {
    owner.release();
  }
}

export function addBackupCommands(program: Command): void {
  withOperands(
    program
      .command('backup')
      .description('copy the store to a file, with a folder beside it for uploads; the service may be running')
      .option('--with-secrets', 'include the key that decrypts third-party tokens')
      .option('--json', 'print JSON'),
    { file: reference('the file to write') },
    ({ file }, options: BackupOptions) => backup(resolve(file), options),
  );
  withOperands(
    program.command('restore').description('replace the store with a backup; the service must be stopped'),
    { file: reference('a file that `errgate backup` wrote') },
    ({ file }) => restore(resolve(file)),
  );
}
