import type { ErrorDelta } from '../../../fold.ts';
import { MAX_TAG_KEYS, maxValuesOf } from '../../../search/tag-bounds.ts';
import { errorKey } from '../../documents/document-keys.ts';
import type { ErrorTagsDocument, TagKeyCounts } from '../../documents/error-documents.ts';
import { tagHash, tagTerm, valueTerms } from '../../documents/tag-terms.ts';
import type { PlannedWrite } from '../../engine/planned-write.ts';

export interface PlannedTags {
  /** Write of the tags; null when none is within the bounds. */
  readonly write: PlannedWrite | null;
  /**
   * Values by which filters find the error: all counted ones, not only new ones. So a plan made again after a
   * half-applied one is the same.
   */
  readonly facets: { readonly env: readonly string[]; readonly rel: readonly string[] };
}

/**
 * Selects the keys and values to count, the first ones up to the bounds. Gateways that plan at the same moment may
 * exceed the bounds together; readers show the bounded part.
 */
export function planTags(delta: ErrorDelta, stored: Pick<ErrorTagsDocument, 't'> | undefined): PlannedTags {
  const known = stored?.t ?? {};
  let keys = Object.keys(known).length;
  const $inc: Record<string, number> = {};
  const $set: Record<string, string> = {};
  const facets = { env: [] as string[], rel: [] as string[] };
  const terms: string[] = [];
  for (const [key, values] of delta.tags) {
    const name = tagHash(key);
    const counts = known[name];
    if (counts === undefined) {
      if (keys >= MAX_TAG_KEYS) {
        continue;
      }
      keys += 1;
      $set[`t.${name}.k`] = key;
      terms.push(tagTerm(key, null));
    }
    const counted = addValues(key, maxValuesOf(key), values, counts, { $inc, $set, terms });
    if (key === 'environment') {
      facets.env.push(...counted);
    } else if (key === 'release') {
      facets.rel.push(...counted);
    }
  }
  if (Object.keys($inc).length === 0) {
    return { write: null, facets };
  }
  const fresh = terms.length === 0 ? {} : { $addToSet: { x: { $each: terms } } };
  const update = { $inc, ...(Object.keys($set).length === 0 ? {} : { $set }), ...fresh };
  const write = { _id: errorKey(delta.projectId, delta.groupHash), p: delta.projectId, update, upsert: true };
  return { write, facets };
}

interface PlannedMembers {
  readonly $inc: Record<string, number>;
  readonly $set: Record<string, string>;
  /** Terms of keys and values that are counted for the first time. */
  readonly terms: string[];
}

/** Counts values up to the bound, and all in the key's total; returns the counted values. */
function addValues(
  key: string,
  bound: number,
  values: ReadonlyMap<string, number>,
  counts: TagKeyCounts | undefined,
  { $inc, $set, terms }: PlannedMembers,
): string[] {
  const name = tagHash(key);
  const stored = counts?.v ?? {};
  let room = bound - Object.keys(stored).length;
  let total = 0;
  const listed: string[] = [];
  for (const [value, count] of values) {
    total += count;
    const hash = tagHash(value);
    const path = `t.${name}.v.${hash}`;
    if (stored[hash] === undefined && $set[`${path}.v`] === undefined) {
      if (room <= 0) {
        continue;
      }
      room -= 1;
      $set[`${path}.v`] = value;
      terms.push(...valueTerms(key, value));
    }
    listed.push(value);
    $inc[`${path}.c`] = ($inc[`${path}.c`] ?? 0) + count;
  }
  $inc[`t.${name}.n`] = total;
  return listed;
}
