import type { mongo } from 'mongoose';
import { AppError } from '../../../domain/app-error.ts';
import { snakeCase, type AnyKind, type AnyRow, type Reference } from '../../records/kind.ts';
import { kindOf, type KindTable } from '../../records/kinds.ts';
import type { Records } from '../../records/records.ts';
import type { Check, Requirement, Write } from '../../records/writes.ts';
import type { Collections } from '../engine/collections.ts';
import { bumpingIngestVersion } from '../engine/ingest-version.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { LIST_LIMIT_MS, reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import { keyOrder, recordDocument, recordKey, toRecord, withKey } from '../documents/record-documents.ts';
import type { RecordDocument } from '../documents/record-documents.ts';
import { recordQuery } from './record-queries.ts';

type RecordContext = Pick<MongoContext, 'collections' | 'now'>;

/** Records of MongoDB, without transactions: see `Records.write`. */
export function mongoRecords(context: RecordContext): Records {
  const engine = new MongoRecords(context);
  // The rows are those of the kind, which the declaration types.
  return engine as unknown as Records;
}

class MongoRecords {
  readonly #context: RecordContext;

  constructor(context: RecordContext) {
    this.#context = context;
  }

  async get(kind: AnyKind, key: AnyRow): Promise<AnyRow | null> {
    const row = await this.#of(kind).findOne({ _id: recordKey(kind, key) }, reading(recordQuery(kind, 'get')));
    return row === null ? null : toRecord(kind, row);
  }

  async list(kind: AnyKind, where: AnyRow): Promise<AnyRow[]> {
    const limit = Object.keys(where).length === 0 ? { maxTimeMS: LIST_LIMIT_MS } : {};
    const found = this.#of(kind).find(withKey(kind, where), { ...reading(recordQuery(kind, 'list')), ...limit });
    return (await found.sort(keyOrder(kind, where)).toArray()).map((row) => toRecord(kind, row));
  }

  async write(writes: readonly Write[], requirements: readonly Requirement[] = []): Promise<unknown[]> {
    for (const { needed, code, message } of requirements) {
      if (!(await this.#holds(needed))) throw new AppError(code, message);
    }
    const inOrder = async () => {
      const results: unknown[] = [];
      for (const write of writes) results.push(await this.#write(write));
      return results;
    };
    return writes.some(({ kind }) => kindOf(kind).ingest) ? bumpingIngestVersion(this.#context, inOrder) : inOrder();
  }

  async #write(write: Write): Promise<unknown> {
    const kind = kindOf(write.kind);
    const rows = this.#of(kind);
    const isAllowed = await this.#allHold(write.when);
    if (write.op === 'insert') return isAllowed ? this.#insert(kind, write) : null;
    if (!isAllowed) return false;
    const options = () => writing(recordQuery(kind, write.op));
    if (write.op === 'put') {
      const { _id, ...members } = recordDocument(kind, write.row);
      // Sets the declared members: a later version may have further ones. A row of its key alone has none.
      const update = Object.keys(members).length === 0 ? { $setOnInsert: { _id } } : { $set: members };
      await retryFirstUpsert(() => rows.updateOne({ _id }, update, { ...options(), upsert: true }));
      return true;
    }
    const filter = { ...write.if, _id: recordKey(kind, write.row) };
    if (write.op === 'remove') return (await rows.deleteOne(filter, options())).deletedCount > 0;
    const set = write.set ?? {};
    if (Object.keys(set).length === 0) return (await rows.findOne(filter, reading(recordQuery(kind, 'get')))) !== null;
    return (await rows.updateOne(filter, { $set: set }, options())).matchedCount > 0;
  }

  async #insert(kind: AnyKind, { row, when }: Write): Promise<AnyRow | null> {
    const [key = ''] = kind.key;
    const hasNumber = !kind.numbered || Object.hasOwn(row, key);
    const whole = hasNumber ? row : { ...row, [key]: await nextId(this.#context.collections, counterOf(kind)) };
    const document = recordDocument(kind, whole);
    try {
      await this.#of(kind).insertOne(document, writing(recordQuery(kind, 'insert')));
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
    // A removal that did not find the row yet has removed what it belongs to before.
    if (await this.#allHold(when)) return toRecord(kind, document);
    await this.#of(kind).deleteOne({ _id: document._id }, writing(recordQuery(kind, 'undo')));
    return null;
  }

  async #allHold(checks: readonly Check[] = []): Promise<boolean> {
    for (const check of checks) {
      if (!(await this.#holds(check))) return false;
    }
    return true;
  }

  async #holds(needed: Check): Promise<boolean> {
    const rows = this.#of(needed.of);
    if (needed.check === 'fewer') {
      const { of, where, limit, besides } = needed;
      const others = besides === null ? {} : { _id: { $ne: recordKey(of, besides) } };
      return (await rows.countDocuments({ ...where, ...others }, reading(recordQuery(of, 'count')))) < limit;
    }
    const options = reading(recordQuery(needed.of, 'get'), { _id: 1 });
    return (
      ((await rows.findOne({ _id: recordKey(needed.of, needed.key) }, options)) !== null) ===
      (needed.check === 'exists')
    );
  }

  #of({ name }: Reference<never>): mongo.Collection<RecordDocument> {
    return this.#context.collections[name as keyof Collections] as unknown as mongo.Collection<RecordDocument>;
  }
}

/** Returns the counter of a numbered kind. */
function counterOf({ name }: AnyKind): KindTable {
  return snakeCase(name) as KindTable;
}
