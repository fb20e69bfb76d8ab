import type { CollectionName } from '../collections.ts';
import type { Binary } from '../documents.ts';

/** A document, filter or update as the database takes it. */
export type Doc = Record<string, unknown>;

export interface WriteError {
  /** Position in the bulk. */
  readonly index: number;
  readonly code: number;
  readonly message: string;
}

/** What a bulk came to. Refused operations and a write-concern error can stand in one answer. */
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
 * What a batch needs of a collection. Every write is confirmed by a majority with its journal, every read
 * goes to the primary. Bulks are unordered. Methods throw when there is no answer: what was written then is
 * unknown, and may still be written later.
 */
export interface BatchCollection {
  insertMany(documents: readonly Doc[]): Promise<WriteAnswer>;
  updateEach(operations: readonly UpdateOne[]): Promise<WriteAnswer>;
  updateMany(filter: Doc, update: Doc): Promise<WriteAnswer>;
  /** The document as it is afterwards; null when none matched, `duplicate` when a unique index refused. */
  findOneAndUpdate(filter: Doc, update: Doc, upsert: boolean): Promise<Doc | 'duplicate' | null>;
  /** `majority`: only what no failover takes back. */
  find(filter: Doc, projection: Doc, concern: 'majority' | 'local'): Promise<Doc[]>;
}

/** The collections that batches and merges read or write. */
export const BATCH_COLLECTIONS = [
  'events',
  'errors',
  'errorUsers',
  'errorHours',
  'errorTags',
  'outcomes',
  'sessionRows',
  'releases',
  'releaseHours',
  'releaseUsers',
  'eventReports',
  'slots',
  'counters',
  'projects',
] as const satisfies readonly CollectionName[];

export type BatchCollectionName = (typeof BATCH_COLLECTIONS)[number];
export type BatchCollections = Readonly<Record<BatchCollectionName, BatchCollection>>;

/** Orders documents as the database orders their keys. */
export function byId(a: Binary, b: Binary): number {
  return Buffer.compare(a.buffer, b.buffer);
}
