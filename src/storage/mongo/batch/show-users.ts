import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import { duplicatesIn } from './answers.ts';
import type { BatchCollection } from '../engine/batch-collections.ts';
import { keyFilters } from './known/key-filters.ts';
import type { PlannedWrite } from '../engine/planned-write.ts';

/** Shows the greater of own users and those of the tracker, in every state of the document. */
const SHOW = [{ $set: { u: { $max: ['$imp.bu', '$imp.uo'] } } }];

/**
 * Shows the own users of imported errors after a batch has counted them. Not guarded, because it gives the same result
 * at any time. Free without imported errors.
 */
export async function showUsers(errors: BatchCollection, writes: readonly PlannedWrite[]): Promise<void> {
  for (const keys of keyFilters(writes.filter(isImported))) {
    duplicatesIn(await errors.updateMany({ ...keys, $expr: { $lt: ['$u', '$imp.uo'] } }, SHOW));
  }
}

function isImported({ update }: PlannedWrite): boolean {
  const { $setOnInsert } = update as { readonly $setOnInsert?: { readonly v?: number } };
  return $setOnInsert?.v === IMPORTED_GROUPING_VERSION;
}
