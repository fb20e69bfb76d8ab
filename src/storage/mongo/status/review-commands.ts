import { LOOKED_AT } from '../updates/marks.ts';
import type { MongoContext } from '../engine/context.ts';
import { requireBulkStep } from '../../errors/bulk-step.ts';
import { writing } from '../engine/operation-options.ts';
import { loadGroups } from '../errors/error-groups.ts';

/**
 * Marks errors as looked at, or as not; of merged ones all members. Returns those that changed: those that asked for a
 * review, or asked for none.
 */
export async function reviewErrors(
  context: MongoContext,
  p: number,
  errorIds: readonly string[],
  reviewed: boolean,
  now: number,
): Promise<string[]> {
  requireBulkStep(errorIds);
  const groups = await loadGroups<'ask' | 'g'>(context, p, errorIds, { ask: 1, 'g.ask': 1 });
  const changed = groups.filter(({ root }) => ((root.g?.ask ?? root.ask) !== undefined) === reviewed);
  // The displayed row of a merged error follows its members.
  const ask = (isRoot: boolean) => ({ $set: { ask: now, ...(isRoot ? { 'g.ask': now } : {}) } });
  const operations = changed.flatMap(({ root, members }) => {
    const touched = reviewed ? members : members.filter(({ id }) => id === root.id);
    return touched.map(({ _id, id }) => {
      const update = reviewed ? LOOKED_AT : ask(id === root.id && root.g !== undefined);
      return { updateOne: { filter: { _id, p }, update } };
    });
  });
  if (operations.length === 0) return [];
  operations.sort((a, b) => Buffer.compare(a.updateOne.filter._id.buffer, b.updateOne.filter._id.buffer));
  await context.collections.errors.bulkWrite(operations, { ...writing('errors.review'), ordered: false });
  return changed.map(({ root }) => String(root.id));
}
