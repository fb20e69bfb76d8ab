import { newEventId, normaliseEventId } from './read/event-id.ts';
import type { ReadEvent } from './read/read-event.ts';
import type { RequestDraft } from './request-draft.ts';
import { unsupportedCategory } from './read/item-category.ts';

/** Drafts the event of a `store` body. Drops and counts a transaction or the like. */
export function draftOfStore({ eventId, type, bytes }: ReadEvent): RequestDraft {
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
