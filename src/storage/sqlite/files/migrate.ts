import { AppError } from '../../../domain/app-error.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { migrations, SCHEMA_VERSION } from '../migrations/migrations.ts';
import { missingParts } from '../records/kind-tables.ts';

/** Application id "ergt" in the file's header, which identifies store files among SQLite databases. */
export const APPLICATION_ID = 0x65726774;

/**
 * Migrates the file to this schema, and creates what it lacks of declared kinds. One exclusive transaction: only one of
 * several starting processes migrates. Throws `store_too_new` for a file of a later version. Throws `store_outdated`
 * when migration is needed but `allowed` is false. `onStep`: called before each step in a file that is not new, with a
 * sentence.
 */
export function migrate(db: SqliteDatabase, allowed: boolean, onStep?: (progress: string) => void): void {
  const found = checkVersion(db);
  // Both settings are stored in the file; auto_vacuum only takes effect before the first table.
  db.connection.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
  const isCurrent = found === SCHEMA_VERSION;
  if (isCurrent && missingParts(db).length === 0) {
    return;
  }
  if (!allowed) {
    const reason = isCurrent
      ? 'the store lacks tables or columns of this program'
      : `the store has schema version ${found}, this program needs ${SCHEMA_VERSION}`;
    throw new AppError('store_outdated', `${reason}: run \`errgate migrate\``);
  }
  db.rebuild(() => {
    const begins = checkVersion(db);
    for (const [index, script] of migrations.entries()) {
      if (index < begins) continue;
      if (begins > 0) onStep?.(progressOf(begins, index + 1));
      db.connection.exec(script);
    }
    for (const statement of missingParts(db).flatMap(({ statements }) => statements)) {
      db.connection.exec(statement);
    }
    db.connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function progressOf(begins: number, version: number): string {
  const steps = SCHEMA_VERSION - begins;
  return `the store is being updated from schema version ${begins} to ${SCHEMA_VERSION}: step ${version - begins} of ${steps}`;
}

/** Returns the file's schema version, 0 for an empty file. Throws when it is foreign or too new. */
export function checkVersion(db: Pick<SqliteDatabase, 'number' | 'file'>): number {
  const version = db.number('PRAGMA user_version');
  const applicationId = db.number('PRAGMA application_id');
  const empty = db.number('SELECT count(*) FROM sqlite_schema') === 0;
  if (applicationId !== APPLICATION_ID && !empty) {
    throw new AppError('invalid_configuration', `${db.file} is a database of another program, not an errgate store`);
  }
  if (version > SCHEMA_VERSION) {
    throw new AppError(
      'store_too_new',
      `the store has schema version ${version}, this program knows ${SCHEMA_VERSION}: a newer errgate wrote it. ` +
        'Install that version again, or restore a backup made before the upgrade',
    );
  }
  return version;
}
