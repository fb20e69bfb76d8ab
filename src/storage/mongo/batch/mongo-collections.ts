import { mongo, type Connection } from 'mongoose';
import { COLLECTIONS } from '../engine/collections.ts';
import {
  BATCH_COLLECTIONS,
  type BatchCollection,
  type BatchCollectionName,
  type BatchCollections,
  type Doc,
  type UpdateOne,
  type WriteAnswer,
} from '../engine/batch-collections.ts';
import { MAJORITY, withinLimit } from '../engine/operation-options.ts';
import type { QueryName } from '../engine/query-name.ts';
import { unconfirmed } from './answers.ts';

type Collection = mongo.Collection;

/**
 * Opens the collections of a connection through the driver: mongoose's bulks drop values they cannot cast. An operation
 * ends after `limitMs` at the latest (default: the general limit).
 */
export function batchCollections(connection: Connection, limitMs?: number): BatchCollections {
  const { db } = connection;
  if (db === undefined) {
    throw unconfirmed('there is no connection yet');
  }
  const entries = BATCH_COLLECTIONS.map((name): [string, BatchCollection] => [
    name,
    new MongoCollection(db.collection(COLLECTIONS[name].name), limitMs),
  ]);
  return Object.fromEntries(entries) as Record<BatchCollectionName, BatchCollection>;
}

class MongoCollection implements BatchCollection {
  readonly #collection: Collection;
  readonly #limitMs: number | undefined;

  constructor(collection: Collection, limitMs: number | undefined) {
    this.#collection = collection;
    this.#limitMs = limitMs;
  }

  insertMany(documents: readonly Doc[], name?: QueryName): Promise<WriteAnswer> {
    const operations = documents.map((document) => ({ insertOne: { document } }));
    return this.#bulk(operations, name);
  }

  updateEach(operations: readonly UpdateOne[], name?: QueryName): Promise<WriteAnswer> {
    return this.#bulk(
      operations.map((operation) => ({ updateOne: operation })),
      name,
    );
  }

  async updateMany(filter: Doc, update: Doc | Doc[]): Promise<WriteAnswer> {
    return this.#bulk([{ updateMany: { filter, update } }]);
  }

  async deleteMany(filter: Doc, name?: QueryName): Promise<WriteAnswer> {
    return this.#bulk([{ deleteMany: { filter } }], name);
  }

  async findOneAndUpdate(filter: Doc, update: Doc, upsert: boolean): Promise<Doc | 'duplicate' | null> {
    try {
      return await this.#collection.findOneAndUpdate(filter, update, {
        writeConcern: MAJORITY,
        ...withinLimit(this.#limitMs),
        upsert,
        returnDocument: 'after',
      });
    } catch (error) {
      if (error instanceof mongo.MongoServerError && error.code === 11000) {
        return 'duplicate';
      }
      throw error;
    }
  }

  find(filter: Doc, projection: Doc, concern: 'majority' | 'local', name?: QueryName, limit?: number): Promise<Doc[]> {
    return this.#collection
      .find(filter, {
        projection,
        readConcern: { level: concern },
        readPreference: 'primary',
        ...(limit === undefined ? {} : { limit }),
        ...commentOf(name),
        ...withinLimit(this.#limitMs),
      })
      .toArray();
  }

  async #bulk(operations: mongo.AnyBulkWriteOperation[], name?: QueryName): Promise<WriteAnswer> {
    if (operations.length === 0) {
      return { inserted: 0, matched: 0, upserted: 0, writeErrors: [], writeConcernError: null };
    }
    try {
      const options = { ...commentOf(name), writeConcern: MAJORITY, ...withinLimit(this.#limitMs), ordered: false };
      return toAnswer(await this.#collection.bulkWrite(operations, options));
    } catch (error) {
      // Refused operations and write-concern errors come as an error with a result; other errors have no answer.
      if (!(error instanceof mongo.MongoBulkWriteError)) {
        throw error;
      }
      const answer = toAnswer(error.result);
      if (answer.writeErrors.length === 0 && answer.writeConcernError === null) {
        throw error;
      }
      return answer;
    }
  }
}

function commentOf(name: QueryName | undefined): { readonly comment?: QueryName } {
  return name === undefined ? {} : { comment: name };
}

function toAnswer(result: mongo.BulkWriteResult): WriteAnswer {
  return {
    inserted: result.insertedCount,
    matched: result.matchedCount,
    upserted: result.upsertedCount,
    writeErrors: result.getWriteErrors().map(({ index, code, errmsg }) => ({ index, code, message: errmsg ?? '' })),
    writeConcernError: result.getWriteConcernError()?.errmsg ?? null,
  };
}
