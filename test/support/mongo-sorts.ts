import type { mongo } from 'mongoose';

type Members = Record<string, unknown>;

/** The driver keeps orders as maps. */
function membersOf(document: unknown): Members {
  if (document instanceof Map) return Object.fromEntries(document) as Members;
  return (document ?? {}) as Members;
}

/** A single value, or a few in an `$in`, which mongod reads one after the other and merges. */
function isPoint(condition: unknown): boolean {
  if (condition === null || typeof condition !== 'object' || '_bsontype' in condition) return true;
  return Object.keys(condition).every((operator) => operator === '$in' || operator === '$eq');
}

/**
 * Whether reading an index from end to end, or from its end, gives the rows of a look-up in their order: points
 * of the filter stand in front of the sort's members. Without such an index a server sorts all that matches in
 * its memory. This holds for every server, also one that does not say in its plan what it sorts.
 */
export function ordersBy(index: mongo.IndexDescription, lookup: mongo.Document): boolean {
  const filter = membersOf(lookup['filter']);
  const keys = Object.entries(membersOf(index.key));
  const sort = Object.entries(membersOf(lookup['sort'])).filter(
    ([member]) => !isPoint(filter[member]) || !(member in filter),
  );
  const from = keys.findIndex(([member]) => !(member in filter) || !isPoint(filter[member]));
  const ordered = from < 0 ? [] : keys.slice(from);
  if (ordered.length < sort.length) return sort.length === 0;
  const turns = sort.map(([member, order], at) => {
    const [key, direction] = ordered[at] ?? ['', 0];
    return key === member ? Number(order) * Number(direction) : 0;
  });
  return turns.every((turn) => turn !== 0 && turn === turns[0]);
}

/** mongod's own word for sorting in memory; merging ranges that are in order is another stage. */
export function sortsInMemory(plan: unknown): boolean {
  if (plan === null || typeof plan !== 'object') return false;
  if ((plan as Members)['stage'] === 'SORT') return true;
  // Plans that were not taken do no harm.
  return Object.entries(plan).some(([name, value]) => name !== 'rejectedPlans' && sortsInMemory(value));
}
