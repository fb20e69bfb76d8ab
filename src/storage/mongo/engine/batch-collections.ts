import type { CollectionName } from './collections.ts';
import type { Binary } from '../documents/document-keys.ts';
import type { QueryName } from './query-name.ts';

/** Document, filter or update in the form of the database. */
export type Doc = Record<string, unknown>;

export interface WriteError {
  /** Index in the bulk. */
  readonly index: number;
  readonly code: number;
  readonly message: string;
}

/** Result of a bulk. One answer can have refused operations and a write-concern error. */
export interface WriteAnswer {
  readonly inserted: number;
  readonly matched: number;
  readonly upserted: number;
  readonly writeErrors: readonly WriteError[];
  readonly writeConcernError: string | null;
}

export interface UpdateOne {
  readonly filter: Doc;
  readonly update: Doc;
  readonly upsert: boolean;
}

/**
 * Collection as batches use it. Every write is confirmed by a majority with its journal; every read goes to the
 * primary. Bulks are unordered. Methods throw without an answer. A write may then have happened, or may still happen
 * later. `name`: sent as the comment of the command.
 */
export interface BatchCollection {
  insertMany(documents: readonly Doc[], name?: QueryName): Promise<WriteAnswer>;
  updateEach(operations: readonly UpdateOne[], name?: QueryName): Promise<WriteAnswer>;
  /** `update`: operators, or stages that compute from members of the document. */
  updateMany(filter: Doc, update: Doc | Doc[]): Promise<WriteAnswer>;
  deleteMany(filter: Doc, name?: QueryName): Promise<WriteAnswer>;
  /** Updates a document and returns the new state; null when none matched, `duplicate` when a unique index refused. */
  findOneAndUpdate(filter: Doc, update: Doc, upsert: boolean): Promise<Doc | 'duplicate' | null>;
  /** Finds documents, at most `limit`; absent: all. `majority`: only data that no failover rolls back. */
  find(filter: Doc, projection: Doc, concern: 'majority' | 'local', name?: QueryName, limit?: number): Promise<Doc[]>;
}

/** Collections that batches, merges and the log of facts read or write. */
export const BATCH_COLLECTIONS = [
  'events',
  'eventBlocks',
  'errors',
  'groupAliases',
  'continuations',
  'knownThere',
  'errorUsers',
  'errorHours',
  'errorTags',
  'outcomes',
  'sessionRows',
  'releases',
  'buildReleases',
  'releaseHours',
  'releaseUsers',
  'eventReports',
  'slots',
  'counters',
  'projects',
  'alertFacts',
  'control',
  'deletedErrors',
  'discardedHashes',
  'userNames',
  'meta',
] as const satisfies readonly CollectionName[];

export type BatchCollectionName = (typeof BATCH_COLLECTIONS)[number];
export type BatchCollections = Readonly<Record<BatchCollectionName, BatchCollection>>;

/** Orders documents as the database orders their keys. */
export function byId(a: Binary, b: Binary): number {
  return Buffer.compare(a.buffer, b.buffer);
}
