import { ERRORS_LOOKED_AT } from '../../search/environment-names.ts';
import { STATUS_CODES, type StatusCode } from '../../errors/error-status.ts';
import type { Doc } from '../engine/batch-collections.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { orderKey } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import { readBounded } from '../engine/page-bounds.ts';

/** Error by when it was seen last; of merged ones the root, with what is displayed. */
export interface NewestError {
  readonly _id: Binary;
  readonly lastSeen: number;
  readonly environments: readonly string[];
}

type Row = Pick<ErrorDocument, '_id' | 'id' | 'env' | 'last' | 'g'>;

interface Source {
  readonly name: 'errors.newest' | 'errors.merged_newest' | 'errors.last_seen';
  readonly member: string;
  readonly own: Doc;
  readonly row: Doc;
}

const SOURCES: readonly Source[] = [
  { name: 'errors.newest', member: 'last.at', own: { into: null }, row: { id: 1, env: 1, 'last.at': 1 } },
  {
    name: 'errors.merged_newest',
    member: 'g.last.at',
    own: { g: { $exists: true } },
    row: { id: 1, 'g.env': 1, 'g.last.at': 1 },
  },
];

/** Errors that were merged into another one included: a merged error was seen last when one of its members was. */
const ALL: Source = { name: 'errors.last_seen', member: 'last.at', own: {}, row: { id: 1, 'last.at': 1 } };

const STATUSES = Object.values(STATUS_CODES);

/** Returns the errors of a project seen last, at most ERRORS_LOOKED_AT of each status, single and merged. */
export async function newestErrors(context: MongoContext, p: number): Promise<NewestError[]> {
  const arms = STATUSES.flatMap((st) =>
    SOURCES.map((source) => newestOf(context, { p, st, source, limit: ERRORS_LOOKED_AT })),
  );
  return (await Promise.all(arms)).flat();
}

/** Returns when an error of a project was seen last; null: it has none. */
export async function lastSeen(context: MongoContext, p: number): Promise<number | null> {
  const arms = await Promise.all(STATUSES.map((st) => newestOf(context, { p, st, source: ALL, limit: 1 })));
  const times = arms.flat().map((error) => error.lastSeen);
  return times.length === 0 ? null : Math.max(...times);
}

interface Arm {
  readonly p: number;
  readonly st: StatusCode;
  readonly source: Source;
  readonly limit: number;
}

async function newestOf({ collections, pageBounds }: MongoContext, arm: Arm): Promise<NewestError[]> {
  const { p, st, limit } = arm;
  const { name, member, own, row } = arm.source;
  const rows = await readBounded(
    pageBounds,
    `${name} ${limit} ${p} ${st}`,
    limit,
    (bound) =>
      collections.errors
        .find<Row>(
          { p, st, ...(bound === null ? {} : { [member]: { $gte: bound.value } }), ...own },
          reading(name, row),
        )
        .hint(orderKey(member))
        .sort({ [member]: -1, id: -1 })
        .limit(limit)
        .batchSize(limit)
        .toArray(),
    ({ id, last, g }) => ({ id, value: (g?.last ?? last).at }),
  );
  return rows.map(({ _id, env, last, g }) => ({
    _id,
    lastSeen: (g?.last ?? last).at,
    environments: g?.env ?? env ?? [],
  }));
}
