import { AppError } from '../../domain/app-error.ts';
import type { FileStore } from '../../domain/ports/stores/file-store.ts';
import { MAX_RANKED } from '../../domain/ports/stores/list-store.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { RECORD_METHODS } from '../records/record-methods.ts';
import type { Records } from '../records/records.ts';
import { methodsOf } from '../store-table.ts';
import { STORE_WRITES, type CommandName, type WriteExecutor } from './command-table.ts';
import type { SqliteDatabase } from './engine/database.ts';
import { toAppError } from './engine/sqlite-errors.ts';
import { outdatedGroups } from './errors/error-groups.ts';
import { hasRanksDue, RANKED_AT_ONCE } from './updates/rank-errors.ts';
import { sqliteRecords } from './sqlite-records.ts';
import { hasDueMutes } from './status/triage-views.ts';
import { VIEWS } from './view-table.ts';
import type { WriteContext } from './engine/write-context.ts';

/**
 * Creates the embedded store: views on its own read connection, writes through an executor. It closes both. Large
 * content is in the file area. Every method throws AppErrors only; `store_unavailable` when the store is closed.
 */
export function createSqliteStore(
  reader: SqliteDatabase,
  writer: WriteExecutor,
  now: () => number,
  files: FileStore,
): Store {
  let closed = false;
  const read = async <T>(view: (db: SqliteDatabase) => T): Promise<T> => {
    if (closed) {
      throw new AppError('store_unavailable', 'the store is closed');
    }
    try {
      return view(reader);
    } catch (error) {
      throw toAppError(error);
    }
  };
  const records = sqliteRecords(read, writer, now);
  const write = writer.run.bind(writer) as (name: CommandName, ...args: readonly unknown[]) => Promise<unknown>;
  return {
    ...methodsOf<SqliteDatabase, typeof VIEWS>(VIEWS, read),
    ...methodsOf<WriteContext, typeof STORE_WRITES>(STORE_WRITES, (_row, name, args) => write(name, ...args)),
    ...methodsOf<Records, typeof RECORD_METHODS>(RECORD_METHODS, async (row) => row(records)),

    /** Removes a project in the first transaction, and its data in slices, also after a crash. */
    async deleteProject(id) {
      const existed = await writer.run('removeProject', id);
      while (!(await writer.run('sweepProject', id))) {
        await new Promise(setImmediate);
      }
      return existed;
    },

    /** Removes errors in the first transaction, and their rows in slices, also after a crash. */
    async deleteErrors(...args) {
      const deleted = await writer.run('removeErrors', ...args);
      while (deleted > 0 && !(await writer.run('sweepErrors'))) {
        await new Promise(setImmediate);
      }
      return deleted;
    },

    /** Rolls up merged errors. Checks without a transaction first: mostly nothing has changed. */
    async rollUpMerged() {
      const outdated = await read(outdatedGroups);
      return outdated.length === 0 ? 0 : writer.run('rollUpMerged');
    },

    /** Ends mutes. Checks without a transaction first: mostly none is due. */
    async endMutes(now) {
      return (await read((db) => hasDueMutes(db, now))) ? writer.run('endMutes', now) : 0;
    },

    /** Ranks in short transactions. Checks without one first: mostly nothing has changed. */
    async rankErrors(now) {
      let ranked = 0;
      while (ranked < MAX_RANKED && (await read((db) => hasRanksDue(db, now)))) {
        ranked += await writer.run('rankBatch', now, Math.min(RANKED_AT_ONCE, MAX_RANKED - ranked));
        await new Promise(setImmediate);
      }
      return ranked;
    },

    putFile: (...args) => files.putFile(...args),
    readFile: (name) => files.readFile(name),
    openFile: (name) => files.openFile(name),
    knownFiles: (names) => files.knownFiles(names),
    renewFiles: (names) => files.renewFiles(names),
    listFiles: (...args) => files.listFiles(...args),
    removeFile: (...args) => files.removeFile(...args),
    removeUnfinished: (begunBefore) => files.removeUnfinished(begunBefore),

    // The batches write to the log of facts.
    collectFacts: () => Promise.resolve(0),

    // No journals or gateways are listed, because one process owns the file. The lock on the data dir, which holds its
    // journal, shows whether it runs. The last batch number of a journal stays, which guards against a copy of it.
    announceGateway: () => Promise.resolve(),
    retireGateway: () => Promise.resolve(),
    listGateways: () => Promise.resolve([]),
    listJournals: () => Promise.resolve([]),
    releaseJournal: () => Promise.resolve(),

    /** Closes both connections. Safe to repeat. */
    async close() {
      if (!closed) {
        closed = true;
        reader.close();
        await writer.close();
      }
    },
  };
}
