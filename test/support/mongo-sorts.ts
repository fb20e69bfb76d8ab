import type { mongo } from 'mongoose';

type Members = Record<string, unknown>;

/** Returns the members of a document. The driver stores sort orders as maps. */
function membersOf(document: unknown): Members {
  if (document instanceof Map) return Object.fromEntries(document) as Members;
  return (document ?? {}) as Members;
}

/** Whether a condition has one value or an `$in`, whose values mongod reads in turn and merges. */
function isPoint(condition: unknown): boolean {
  if (condition === null || typeof condition !== 'object' || '_bsontype' in condition) return true;
  return Object.keys(condition).every((operator) => operator === '$in' || operator === '$eq');
}

/**
 * Whether an index returns the rows of a look-up in their order, read forwards or backwards.
 * For this, equality members of the filter precede the sort's members in the index.
 * Without such an index every server sorts all matches in memory, even if its plan does not show it.
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

/** Whether a plan of mongod sorts in memory. Merging sorted ranges is another stage. */
export function sortsInMemory(plan: unknown): boolean {
  if (plan === null || typeof plan !== 'object') return false;
  if ((plan as Members)['stage'] === 'SORT') return true;
  // Rejected plans are not executed.
  return Object.entries(plan).some(([name, value]) => name !== 'rejectedPlans' && sortsInMemory(value));
}
