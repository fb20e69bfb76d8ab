import type { Binary } from '../documents/document-keys.ts';
import { duplicatesIn, unconfirmed } from './answers.ts';
import { byId, type BatchCollection, type Doc } from '../engine/batch-collections.ts';
import { findKeys } from './known/key-filters.ts';
import type { Claim, Slots } from './slots.ts';

/** Row with the id of the batch that counted it. */
export interface MarkedRow {
  readonly _id: Binary;
  readonly p: number;
  readonly s: number;
  readonly n: number;
}

export interface RowOptions {
  readonly claim: Claim;
  readonly slots: Slots;
  /** Members to read of existing rows. */
  readonly projection: Doc;
  /** Reads before inserting: cheaper where most rows exist. */
  readonly lookFirst: boolean;
  /** Members that an existing row of an abandoned batch gets from the given row when this batch takes it. */
  readonly takeOver?: readonly string[];
  /** Receives the rows of other batches, by `_id` as hex. */
  readonly others?: Map<string, MarkedRow>;
}

/**
 * Stored rows of this batch by `_id` (as hex). `inserted`: inserted now, as given. `other`: counted by another batch.
 */
export type RowOwners<T> = ReadonlyMap<string, T | 'inserted' | 'other'>;

/**
 * Inserts missing rows. An existing row with this batch's id is its own: an earlier run created it, and the stored one
 * is returned. Throws `store_unavailable` when the state of a row is unknown, `RefusedDocument` when the database will
 * never store one.
 */
export async function claimRows<T extends MarkedRow>(
  collection: BatchCollection,
  rows: readonly T[],
  options: RowOptions,
): Promise<RowOwners<T>> {
  const { lookFirst } = options;
  const owners = new Map<string, T | 'inserted' | 'other'>();
  const sorted = [...rows].sort((a, b) => byId(a._id, b._id));
  // Rows found here are not written again, so the read must exclude writes that a failover may roll back.
  const found = lookFirst ? await readRows<T>(collection, sorted, options, 'majority') : new Map<string, T>();
  const missing = lookFirst ? sorted.filter(({ _id }) => !found.has(hex(_id))) : sorted;
  const refused = new Set(
    missing.length === 0 ? [] : duplicatesIn(await collection.insertMany(missing as unknown as Doc[])),
  );
  const duplicates = missing.filter((_, index) => refused.has(index));
  for (const { _id } of missing) {
    owners.set(hex(_id), 'inserted');
  }
  if (duplicates.length > 0) {
    const stored = await readRows<T>(collection, duplicates, options);
    for (const { _id } of duplicates) {
      const row = stored.get(hex(_id));
      if (row === undefined) {
        throw unconfirmed('a row that was refused is not there');
      }
      found.set(hex(_id), row);
    }
  }
  await findOwners(collection, [...found.values()], owners, { ...options, given: sorted });
  return owners;
}

async function findOwners<T extends MarkedRow>(
  collection: BatchCollection,
  found: readonly T[],
  owners: Map<string, T | 'inserted' | 'other'>,
  options: RowOptions & { readonly given: readonly T[] },
): Promise<void> {
  const { claim, slots, takeOver = [], given } = options;
  const others: T[] = [];
  for (const row of found) {
    if (row.s === claim.slot && row.n === claim.n) {
      owners.set(hex(row._id), row);
    } else {
      owners.set(hex(row._id), 'other');
      others.push(row);
      options.others?.set(hex(row._id), row);
    }
  }
  if (others.length === 0) {
    return;
  }
  const givenUp = await slots.givenUp(others);
  const ownerless = others.filter(({ s, n }) => givenUp.has(`${s} ${n}`));
  if (ownerless.length === 0) {
    return;
  }
  const own = new Map(takeOver.length === 0 ? [] : given.map((row) => [hex(row._id), row as unknown as Doc]));
  // No batch counts rows of an abandoned one: the batch that first replaces their mark owns them.
  const operations = ownerless
    .sort((a, b) => byId(a._id, b._id))
    .map(({ _id, p, s, n }) => ({
      filter: { _id, p, s, n },
      update: { $set: { s: claim.slot, n: claim.n, ...membersOf(own.get(hex(_id)), takeOver) } },
      upsert: false,
    }));
  duplicatesIn(await collection.updateEach(operations));
  const taken = await readRows<T>(collection, ownerless, options);
  const lost = [...taken.values()].filter((row) => row.s !== claim.slot || row.n !== claim.n);
  // A delayed command may have given a row the id of another abandoned batch.
  const stillGivenUp = lost.length === 0 ? givenUp : await slots.givenUp(lost);
  for (const { _id } of ownerless) {
    const row = taken.get(hex(_id));
    if (row === undefined || stillGivenUp.has(`${row.s} ${row.n}`)) {
      throw unconfirmed('a row without an owner could not be taken');
    }
    owners.set(hex(_id), row.s === claim.slot && row.n === claim.n ? row : 'other');
    options.others?.set(hex(_id), row);
  }
}

/** Returns those of the members that the row has. */
function membersOf(row: Doc | undefined, names: readonly string[]): Doc {
  return Object.fromEntries(names.flatMap((name) => (row?.[name] === undefined ? [] : [[name, row[name]]])));
}

async function readRows<T extends MarkedRow>(
  collection: BatchCollection,
  rows: readonly T[],
  { projection }: RowOptions,
  concern: 'majority' | 'local' = 'local',
): Promise<Map<string, T>> {
  const found = (await findKeys(collection, rows, projection, concern)) as unknown as T[];
  return new Map(found.map((row) => [hex(row._id), row]));
}

export function hex(id: Binary): string {
  return id.toString('hex');
}
