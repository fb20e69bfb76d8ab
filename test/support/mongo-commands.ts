import type { mongo } from 'mongoose';

/** Read, or the look-up of a write, as sent to the server. */
export interface SentQuery {
  /** Comment of the query. Queries of batches have none; their name is the operation and the collection. */
  readonly name: string;
  readonly named: boolean;
  readonly collection: string;
  /** Query for the server's plan: only the look-up, because every server can explain it. Null if there is none. */
  readonly lookup: mongo.Document | null;
  /** Key of the index that the query asks for; null: none. */
  readonly hint: unknown;
}

type Filter = Record<string, unknown>;

/** Collects the queries of a client, which needs the option `monitorCommands`. */
export class SentQueries {
  readonly #queries = new Map<string, SentQuery>();

  constructor(client: mongo.MongoClient) {
    client.on('commandStarted', ({ commandName, command }) => this.#add(commandName, command));
  }

  /** One query per name and shape of filter. */
  all(): SentQuery[] {
    return [...this.#queries.values()];
  }

  /** Forgets the queries so far. */
  forget(): void {
    this.#queries.clear();
  }

  #add(kind: string, command: mongo.Document): void {
    const collection = command[kind] as unknown;
    if (typeof collection !== 'string') return;
    const hint: unknown = command['hint'] ?? null;
    for (const lookup of lookupsOf(kind, collection, command)) {
      const shape = `${lookup === null ? '' : shapeOf(lookup)} ${hint === null ? '' : JSON.stringify(hint)}`;
      const comment = command['comment'] as unknown;
      const named = typeof comment === 'string';
      const name = named ? comment : `${kind} ${collection}`;
      const key = `${name} ${collection} ${shape}`;
      if (!this.#queries.has(key)) this.#queries.set(key, { name, named, collection, lookup, hint });
    }
  }
}

function lookupsOf(kind: string, collection: string, command: mongo.Document): (mongo.Document | null)[] {
  const find = (filter: Filter, more: mongo.Document = {}) => ({ find: collection, filter, ...more });
  switch (kind) {
    case 'find': {
      const { filter, sort, limit, skip, projection } = command;
      const given = Object.entries({ sort, limit, skip, projection }).filter(([, value]) => value !== undefined);
      return [find((filter ?? {}) as Filter, Object.fromEntries(given))];
    }
    case 'aggregate':
      return [{ aggregate: collection, pipeline: command['pipeline'], cursor: {} }];
    case 'findAndModify':
      return [find(command['query'] as Filter)];
    case 'update':
      return (command['updates'] as { q: Filter }[]).map(({ q }) => find(q));
    case 'delete':
      return (command['deletes'] as { q: Filter }[]).map(({ q }) => find(q));
    case 'insert':
      return [null];
    default:
      return [];
  }
}

/** Describes the members and operators of a filter without their values. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].join()}]`;
  // The driver stores sort orders as maps.
  if (value instanceof Map) return shapeOf(Object.fromEntries(value));
  if (value === null || typeof value !== 'object' || '_bsontype' in value) return '';
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}:${shapeOf(each)}`)
    .join()}}`;
}

/** Condition in plans of the test engine for a scan of a whole collection along its primary key. */
const WHOLE_KEY = /^\(shard_key_value = '\d+'::bigint\)$/;

/** Steps of a plan that read part of an index, or nothing. */
const INDEX_STEPS = [
  ...['IXSCAN', 'IDHACK', 'CLUSTERED_IXSCAN', 'COUNT_SCAN', 'DISTINCT_SCAN', 'EOF'],
  ...['EXPRESS_IXSCAN', 'EXPRESS_CLUSTERED_IXSCAN'],
  ...['Index Scan', 'Index Only Scan', 'Bitmap Index Scan', 'Result'],
];

/**
 * Whether a plan reads a whole collection. mongod reports COLLSCAN; the test engine has plans of PostgreSQL.
 * Those contain Seq Scan, or a scan of the primary key with only the collection's number.
 */
export function scansCollection(plan: unknown): boolean {
  if (plan === null || typeof plan !== 'object') return false;
  const { stage, 'Node Type': node, 'Index Cond': condition } = plan as Record<string, unknown>;
  if (stage === 'COLLSCAN' || node === 'Seq Scan') return true;
  if (typeof condition === 'string' && WHOLE_KEY.test(condition)) return true;
  return Object.values(plan).some(scansCollection);
}

/**
 * Returns true when a unique index limits a look-up to one document. Every server uses the index then. A planner with
 * statistics may consider a scan up to the first match as cheap.
 */
export function findsOne(index: mongo.IndexDescription, lookup: mongo.Document): boolean {
  const filter = (lookup['filter'] ?? {}) as Filter;
  const members = Object.keys(index.key);
  return index.unique === true && members.every((member) => ['string', 'number'].includes(typeof filter[member]));
}

/** Whether a plan reads an index. A plan that neither does nor scans is unknown to the test. */
export function readsIndex(plan: unknown): boolean {
  if (plan === null || typeof plan !== 'object') return false;
  const { stage, 'Node Type': node } = plan as Record<string, unknown>;
  return INDEX_STEPS.includes(String(stage ?? node)) || Object.values(plan).some(readsIndex);
}
