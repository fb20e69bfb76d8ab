import type { ErrorStatus } from '../../../domain/tracked-error.ts';
import type { MongoContext } from '../context.ts';
import { STATUS_CODES } from '../documents.ts';
import type { Models } from '../models/define-models.ts';
import { reading } from '../operation-options.ts';
import type { QueryName } from '../query-names.ts';

/** Errors that stand alone, and what is shown of merged ones; each index is read up to the limit. */
export async function countErrors(
  { models }: MongoContext,
  projectId: number,
  status: ErrorStatus,
  limit: number,
): Promise<number> {
  const inStatus = { p: projectId, st: STATUS_CODES[status] };
  const counts = await Promise.all([
    count(models, 'errors.count', { ...inStatus, into: null }, limit),
    count(models, 'errors.count_merged', { ...inStatus, g: { $exists: true } }, limit),
  ]);
  return Math.min(limit, counts[0] + counts[1]);
}

function count({ errors }: Models, name: QueryName, filter: object, limit: number): Promise<number> {
  const { comment, readPreference, maxTimeMS } = reading(name);
  return errors.countDocuments(filter, { comment, readPreference, maxTimeMS, limit });
}
