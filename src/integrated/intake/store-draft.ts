import { newEventId, normaliseEventId } from './event-id.ts';
import type { RequestDraft } from './request-draft.ts';
import { decodeStoreBody } from './store-body.ts';
import { unsupportedCategory } from './item-category.ts';

/**
 * Drafts the event of a `store` body. Accepts, drops and counts a transaction or the like. Errors as `decodeStoreBody`.
 */
export async function draftOfStore(body: Buffer, maxEventBytes: number): Promise<RequestDraft> {
  const { eventId, type, bytes } = await decodeStoreBody(body, maxEventBytes);
  const category = unsupportedCategory(type);
  if (category !== null) {
    return {
      events: [],
      items: [],
      outcomes: [{ category, outcome: 'filtered', reason: 'unsupported_item', quantity: 1 }],
      limits: [],
      sentAt: null,
    };
  }
  const id = normaliseEventId(eventId) ?? newEventId();
  return { events: [{ id, body: bytes }], items: [], outcomes: [], limits: [], sentAt: null };
}
