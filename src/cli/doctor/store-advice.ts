import { AppError } from '../../domain/app-error.ts';
import { isDamage, sqliteCode } from '../../storage/sqlite/engine/sqlite-errors.ts';

/** Remedy for a damaged store file. */
export const DAMAGE_ADVICE = 'stop the service, restore a backup with `errgate restore FILE` and start it';
/** Primary result codes of SQLite: another program holds the lock. */
const LOCKED = new Set([5, 6, 15]);

/** Returns the remedy for a store that could not be opened or examined. `shared`: it is a server, not a file. */
export function storeAdvice(error: unknown, shared: boolean): string {
  switch (error instanceof AppError ? error.code : null) {
    case 'store_unavailable':
      return shared
        ? 'start the database, or correct ERRGATE_STORE_URL or the network; until then gateways accept events of known keys; they resume by themselves'
        : fileAdvice(error);
    case 'invalid_configuration':
      return 'correct ERRGATE_STORE_URL; docs/running.md, "Choosing a store", shows its forms';
    case 'store_outdated':
      return shared
        ? 'stop all gateways, run `errgate migrate`, start them'
        : 'start the service, or run `errgate migrate`';
    case 'store_too_new':
      return 'install the errgate that wrote it, or a newer one';
    case 'conflict':
      return 'complete the copy: run the same `errgate copy-store` again';
    default:
      return shared
        ? 'see the log of the database; docs/backup.md, "Backup with MongoDB"'
        : 'see docs/running.md, "Backup and restore"';
  }
}

/** Returns the remedy by the result code of SQLite, which `toAppError` keeps as the cause. */
function fileAdvice(error: unknown): string {
  if (isDamage(error)) return DAMAGE_ADVICE;
  const code = sqliteCode((error as Error).cause) ?? 0;
  if (LOCKED.has(code & 0xff)) return 'find out which other program holds the file, and stop it';
  return 'check that the file and its folder are writable, and that the disk works and has space';
}
