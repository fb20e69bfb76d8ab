import type { ErrorStatus } from '../../../domain/tracked-error.ts';
import { STATUS_CODES } from '../../error-status.ts';
import type { MongoContext } from '../context.ts';
import type { Collections } from '../collections.ts';
import { reading } from '../operation-options.ts';
import type { QueryName } from '../query-names.ts';

/** Errors that stand alone, and what is shown of merged ones; each index is read up to the limit. */
export async function countErrors(
  { collections }: MongoContext,
  projectId: number,
  status: ErrorStatus,
  limit: number,
): Promise<number> {
  const inStatus = { p: projectId, st: STATUS_CODES[status] };
  const counts = await Promise.all([
    count(collections, 'errors.count', { ...inStatus, into: null }, limit),
    count(collections, 'errors.count_merged', { ...inStatus, g: { $exists: true } }, limit),
  ]);
  return Math.min(limit, counts[0] + counts[1]);
}

function count({ errors }: Collections, name: QueryName, filter: object, limit: number): Promise<number> {
  return errors.countDocuments(filter, { ...reading(name), limit });
}
