import { ERRORS_LOOKED_AT } from '../../environment-names.ts';
import { STATUS_CODES, type StatusCode } from '../../error-status.ts';
import type { MongoContext } from '../context.ts';
import type { Binary, ErrorDocument } from '../documents.ts';
import { orderKey } from '../error-indexes.ts';
import { reading } from '../operation-options.ts';
import { readBounded } from '../page-bounds.ts';

/** Error by when it was seen last; of merged ones the root, with what is displayed. */
export interface NewestError {
  readonly _id: Binary;
  readonly lastSeen: number;
  readonly environments: readonly string[];
}

type Row = Pick<ErrorDocument, '_id' | 'id' | 'env' | 'last' | 'g'>;

const SOURCES = [
  { name: 'errors.newest', member: 'last.at', own: { into: null }, row: { id: 1, env: 1, 'last.at': 1 } },
  {
    name: 'errors.merged_newest',
    member: 'g.last.at',
    own: { g: { $exists: true } },
    row: { id: 1, 'g.env': 1, 'g.last.at': 1 },
  },
] as const;

/** Returns the errors of a project seen last, at most `limit` of each status, single and merged. */
export async function newestErrors(context: MongoContext, p: number, limit = ERRORS_LOOKED_AT): Promise<NewestError[]> {
  const arms = Object.values(STATUS_CODES).flatMap((st) =>
    SOURCES.map((source) => newestOf(context, { p, st, source, limit })),
  );
  return (await Promise.all(arms)).flat();
}

interface Arm {
  readonly p: number;
  readonly st: StatusCode;
  readonly source: (typeof SOURCES)[number];
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
