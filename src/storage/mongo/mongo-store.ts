import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { RECORD_METHODS } from '../records/record-methods.ts';
import type { Records } from '../records/records.ts';
import { methodsOf } from '../store-table.ts';
import { FactLog } from './alerts/fact-log.ts';
import { batchCollections } from './batch/mongo-collections.ts';
import { PruneWalk } from './blocks/prune-walk.ts';
import type { MongoContext } from './engine/context.ts';
import { LiveBatches } from './live-batches.ts';
import { MongoMerges } from './merging/mongo-merges.ts';
import { METHODS, type MethodContext } from './method-table.ts';
import { toAppError } from './engine/mongo-errors.ts';
import { ReadCache } from './engine/read-cache.ts';
import { mongoRecords } from './records/mongo-records.ts';

export interface MongoStoreOptions {
  /** Hosts of the store, for messages. */
  readonly hosts: string;
  /** Folder with the journals whose batches this store accepts; their plans are stored beside them. */
  readonly dataDir: string;
  /** Maximum age in milliseconds of projects, roles and settings changed by another process. Default 0. */
  readonly maxAgeMs?: number;
}

/**
 * Creates the store for several machines. The context comes from `openContext`; the store closes its connection. Every
 * method throws AppErrors only; `store_unavailable` when the store is closed.
 */
export function createMongoStore(context: MongoContext, { hosts, dataDir, maxAgeMs = 0 }: MongoStoreOptions): Store {
  const { connection, now } = context;
  const batches = new LiveBatches(context, dataDir);
  const recent = new ReadCache({ now, maxAgeMs });
  const work: MethodContext = {
    ...context,
    recent,
    batches,
    merges: new MongoMerges(batchCollections(connection), now),
    pruning: new PruneWalk(),
    facts: new FactLog(batchCollections(connection), now),
    records: mongoRecords({ ...context, recent }),
  };
  let closed = false;
  const run = async <T>(row: (work: MethodContext) => T): Promise<Awaited<T>> => {
    if (closed) throw new AppError('store_unavailable', 'the store is closed');
    try {
      return await row(work);
    } catch (error) {
      throw toAppError(error, hosts);
    }
  };
  return {
    ...methodsOf<MethodContext, typeof METHODS>(METHODS, run),
    ...methodsOf<Records, typeof RECORD_METHODS>(RECORD_METHODS, (row) => run(({ records }) => row(records))),

    /** Refuses further calls, releases the journals and closes the connection; safe to repeat. */
    async close() {
      if (closed) return;
      closed = true;
      await batches.rest();
      await connection.close();
    },
  };
}
