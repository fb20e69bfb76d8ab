import type { mongo } from 'mongoose';
import { AppError } from '../../../domain/app-error.ts';
import { snakeCase, type AnyKind, type AnyRow, type Reference } from '../../records/kind.ts';
import { kindOf, type KindLabel } from '../../records/kinds.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import type { Part, Records } from '../../records/records.ts';
import type { Check, Requirement, Write } from '../../records/writes.ts';
import type { Collections } from '../engine/collections.ts';
import { bumpingIngestVersion } from '../engine/ingest-version.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey, isWriteConflict } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import type { ReadCache } from '../engine/read-cache.ts';
import { LIST_LIMIT_MS, reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import {
  changedMembers,
  filterOf,
  keyOrder,
  orderOf,
  projectionOf,
  recordDocument,
  recordKey,
  toRecord,
} from '../documents/record-documents.ts';
import type { RecordDocument } from '../documents/record-documents.ts';
import { recordQuery } from './record-queries.ts';

/** Rows that one command puts: a second's work of a busy server. */
const PUTS_AT_ONCE = 100;

type RecordContext = Pick<MongoContext, 'collections' | 'now'> & {
  /** Cache of a store that pages read from; absent elsewhere. */
  readonly recent?: ReadCache;
};

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

  now(): number {
    return this.#context.now();
  }

  async get(kind: AnyKind, key: AnyRow): Promise<AnyRow | null> {
    const _id = recordKey(kind, key);
    const read = () => this.#findOne(kind, { _id }, 'get');
    const { recent } = this.#context;
    return kind.cached && recent !== undefined ? recent.read(`${kind.name} ${_id}`, read) : read();
  }

  async find(kind: AnyKind, where: AnyRow): Promise<AnyRow | null> {
    return this.#findOne(kind, filterOf(kind, where), 'find');
  }

  async #findOne(kind: AnyKind, filter: AnyRow, query: 'get' | 'find'): Promise<AnyRow | null> {
    const row = await this.#of(kind).findOne(filter, reading(recordQuery(kind, query)));
    return row === null ? null : toRecord(kind, row);
  }

  async list(
    kind: AnyKind,
    where: AnyRow,
    { newest, from, below, also = {}, skip = 0, limit = 0, only }: Part<AnyRow> = {},
  ): Promise<AnyRow[]> {
    const time = Object.keys(where).length === 0 ? { maxTimeMS: LIST_LIMIT_MS } : {};
    const projection = only === undefined ? undefined : projectionOf(kind, only);
    const options = { ...reading(recordQuery(kind, 'list'), projection), ...time };
    // An index has the greatest values of a member of the key at its end, so that it is left out of the rest.
    const byKey = keyOrder(kind, { ...where, ...(newest !== undefined && { [newest]: null }) });
    const order = { ...(newest !== undefined && orderOf(kind, [`-${newest}`])), ...byKey };
    const range = newest === undefined ? {} : rangeOf(kind, newest, { $gte: from, $lt: below });
    const filter = { ...filterOf(kind, { ...where, ...also }), ...range };
    const found = this.#of(kind).find(filter, options).sort(order).skip(skip).limit(limit);
    return (await found.toArray()).map((row) => toRecord(kind, row, only));
  }

  async write(writes: readonly Write[], requirements: readonly Requirement[] = []): Promise<unknown[]> {
    for (const { needed, code, message } of requirements) {
      if (!(await this.#holds(needed))) throw new AppError(code, message);
    }
    const inOrder = async () => {
      const results: unknown[] = [];
      for (const some of sentTogether(writes)) {
        const [first, ...more] = some;
        results.push(
          ...(more.length === 0 ? [await this.#write(first)] : await this.#putAll(kindOf(first.kind), some)),
        );
      }
      return results;
    };
    const kinds = writes.map(({ kind }) => kindOf(kind));
    const run = () => (kinds.some(({ ingest }) => ingest) ? bumpingIngestVersion(this.#context, inOrder) : inOrder());
    const { recent } = this.#context;
    return recent !== undefined && kinds.some(({ cached }) => cached) ? recent.after(run()) : run();
  }

  async #write(write: Write): Promise<unknown> {
    const kind = kindOf(write.kind);
    const rows = this.#of(kind);
    const isAllowed = await this.#allHold(write.when);
    if (write.op === 'insert') return isAllowed ? this.#insert(kind, write) : null;
    if (!isAllowed) return false;
    if (write.op === 'put') return this.#put(kind, write);
    if (write.op === 'removeAll') return this.#removeAll(kind, write);
    const options = () => writing(recordQuery(kind, write.op));
    const filter = { ...write.if, _id: recordKey(kind, write.row) };
    if (write.op === 'remove') return (await rows.deleteOne(filter, options())).deletedCount > 0;
    const update = updateOf({ $set: changedMembers(kind, write.set), $inc: write.add, $max: write.max });
    if (Object.keys(update).length === 0) return (await this.#findOne(kind, filter, 'get')) !== null;
    return (await rows.updateOne(filter, update, options())).matchedCount > 0;
  }

  async #put(kind: AnyKind, write: Write): Promise<true> {
    const { filter, update } = putOf(kind, write);
    await retryFirstUpsert(() =>
      this.#of(kind).updateOne(filter, update, { ...writing(recordQuery(kind, 'put')), upsert: true }),
    );
    return true;
  }

  /** Puts rows of one kind in one command, which takes the time of about one. */
  async #putAll(kind: AnyKind, writes: readonly Write[]): Promise<true[]> {
    const operations = writes.map((write) => ({ updateOne: { ...putOf(kind, write), upsert: true } }));
    try {
      await this.#of(kind).bulkWrite(operations, { ...writing(recordQuery(kind, 'put')), ordered: true });
      return writes.map(() => true);
    } catch (error) {
      // Another process writes some of them at once, as it may again. Some servers write a command as a whole.
      if (!isDuplicateKey(error) && !isWriteConflict(error)) throw error;
      const results: true[] = [];
      for (const write of writes) results.push(await this.#put(kind, write));
      return results;
    }
  }

  async #removeAll(kind: AnyKind, { row, left }: Write): Promise<boolean> {
    const rows = this.#of(kind);
    const options = () => writing(recordQuery(kind, 'removeAll'));
    if (left === undefined) return (await rows.deleteMany(filterOf(kind, row), options())).deletedCount > 0;
    const surplus = await rows
      .find(
        { ...filterOf(kind, row), _id: { $ne: recordKey(kind, left.besides) } },
        reading(recordQuery(kind, 'surplus'), { _id: 1 }),
      )
      .sort({ [left.newest]: -1 })
      .skip(left.keep)
      .toArray();
    if (surplus.length === 0) return false;
    const ids = surplus.map(({ _id }) => _id);
    return (await rows.deleteMany({ _id: { $in: ids } }, options())).deletedCount > 0;
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

/** Returns a condition on the values of a number; bounds that are undefined are left out. */
function rangeOf(kind: AnyKind, member: string, bounds: Readonly<Record<string, number | undefined>>): AnyRow {
  const given = definedMembers(bounds);
  if (Object.keys(given).length === 0) return {};
  return Object.fromEntries(Object.keys(orderOf(kind, [member])).map((name) => [name, given]));
}

/** Splits writes, in their order, into puts of one kind that are sent in one command, and single others. */
function* sentTogether(writes: readonly Write[]): Generator<readonly [Write, ...Write[]]> {
  const isPlainPut = ({ op, when }: Write): boolean => op === 'put' && when === undefined;
  let together: [Write, ...Write[]] | null = null;
  for (const write of writes) {
    const [first] = together ?? [];
    const fits = first !== undefined && first.kind === write.kind && isPlainPut(first) && isPlainPut(write);
    if (together !== null && fits && together.length < PUTS_AT_ONCE) together.push(write);
    else {
      if (together !== null) yield together;
      together = [write];
    }
  }
  if (together !== null) yield together;
}

/** Returns the document that a put changes, and the change. */
function putOf(kind: AnyKind, { row, set }: Write) {
  const { _id, ...members } = recordDocument(kind, row);
  const isSet = ([member]: readonly [string, unknown]) => set === undefined || Object.hasOwn(set, member);
  // Sets the declared members: a later version may have further ones.
  const $set = Object.fromEntries(Object.entries(members).filter(isSet));
  const others = Object.fromEntries(Object.entries(members).filter((member) => !isSet(member)));
  // A row of its key alone has no members.
  const $setOnInsert = Object.keys(members).length === 0 ? { _id } : others;
  return { filter: { _id }, update: updateOf({ $set, $setOnInsert }) };
}

/** Returns an update without operators that have nothing to do, which servers refuse. */
function updateOf(operators: Readonly<Record<string, AnyRow | undefined>>): Readonly<Record<string, AnyRow>> {
  const used = Object.entries(operators).filter(([, values]) => Object.keys(values ?? {}).length > 0);
  return Object.fromEntries(used) as Readonly<Record<string, AnyRow>>;
}

/** Returns the counter of a numbered kind. */
function counterOf({ name }: AnyKind): KindLabel {
  return snakeCase(name) as KindLabel;
}
