import { newEventId, normaliseEventId } from './event-id.ts';
import type { RequestDraft } from './request-draft.ts';
import { decodeStoreBody } from './store-body.ts';

/** A `store` body holds one event. A transaction is taken, dropped and counted. Errors as `decodeStoreBody`. */
export async function draftOfStore(body: Buffer, maxEventBytes: number): Promise<RequestDraft> {
  const { value, bytes } = await decodeStoreBody(body, maxEventBytes);
  if (value['type'] === 'transaction') {
    return {
      events: [],
      items: [],
      outcomes: [{ category: 'transaction', outcome: 'filtered', reason: 'unsupported_item', quantity: 1 }],
      limits: [],
      sentAt: null,
    };
  }
  const id = normaliseEventId(value['event_id']) ?? newEventId();
  return { events: [{ id, body: bytes }], items: [], outcomes: [], limits: [], sentAt: null };
}
