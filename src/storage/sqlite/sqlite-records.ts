import type { AnyKind, AnyRow } from '../records/kind.ts';
import type { Part, Records } from '../records/records.ts';
import type { Condition } from '../records/writes.ts';
import type { CommandArguments, WriteExecutor } from './command-table.ts';
import type { SqliteDatabase } from './engine/database.ts';
import { getRecord, listRecords } from './records/record-statements.ts';

/** Records of the embedded store. `read` runs a view on its connection for reads; writes are one transaction. */
export function sqliteRecords(
  read: <T>(view: (db: SqliteDatabase) => T) => Promise<T>,
  writer: WriteExecutor,
  now: () => number,
): Records {
  const get = (kind: AnyKind, where: Condition<AnyRow>) => read((db) => getRecord(db, kind, where));
  const records = {
    now,
    get,
    find: get,
    list: (kind: AnyKind, where: Condition<AnyRow>, part?: Part<AnyRow>) =>
      read((db) => listRecords(db, kind, where, part)),
    write: (...args: CommandArguments<'writeRecords'>) => writer.run('writeRecords', ...args),
  };
  // The rows are those of the kind, which the declaration types.
  return records as unknown as Records;
}
