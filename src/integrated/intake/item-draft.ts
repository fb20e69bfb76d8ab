import type { EnvelopeItem } from './read/envelope.ts';
import { categoryOf } from './read/item-category.ts';
import { KEPT_ITEMS, type KeptItem } from './journal-record.ts';
import { objectSlice } from './read/lenient-json.ts';
import type { OutcomeTally } from './outcome-tally.ts';
import type { ItemDraft } from './request-draft.ts';

/**
 * Maximum bytes of a session, an aggregate of sessions or a user report; a larger one is not read. Real ones stay below
 * 4 KiB.
 */
const MAX_ITEM_BYTES = 64 * 1024;

const KEPT: ReadonlySet<string> = new Set(KEPT_ITEMS);

/** Returns true for item types that are stored, events aside. */
export function isKept(type: string): type is KeptItem {
  return KEPT.has(type);
}

/**
 * Creates the draft of a stored item without parsing it; the digest does that. Returns null and counts it as invalid
 * when it is too large or cannot be a JSON object. Feedback has the bound of an event.
 */
export function draftOfItem(
  item: KeptItem,
  { payload }: Pick<EnvelopeItem, 'payload'>,
  id: string | null,
  maxEventBytes: number,
  tally: OutcomeTally,
): ItemDraft | null {
  if (payload.length > (item === 'feedback' ? maxEventBytes : MAX_ITEM_BYTES)) {
    tally.add(categoryOf(item), 'invalid', 'too_large');
    return null;
  }
  const body = objectSlice(payload);
  if (body === null) {
    tally.add(categoryOf(item), 'invalid', 'invalid_json');
    return null;
  }
  return { item, id, body };
}
