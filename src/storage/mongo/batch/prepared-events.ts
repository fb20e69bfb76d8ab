import { mongo } from 'mongoose';
import type { DigestedEvent } from '../../../domain/ingest/digest.ts';
import { MAX_PACKED_LATER_BYTES } from '../../../lib/bodies/body-block.ts';
import { eventKey, hexBinary } from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';

/** Maximum bytes of a payload that always fits into a document. */
const MAX_PAYLOAD_BYTES = 15 * 1024 * 1024;

export interface PreparedEvent {
  readonly event: DigestedEvent;
  /** Without the reference to a block, which the claim determines. */
  readonly document: Omit<EventDocument, 's' | 'n'>;
}

/** Creates the documents before any write: a fault in an event must not leave half a batch. */
export function prepareEvents(events: readonly DigestedEvent[]): PreparedEvent[] {
  return events.map((event) => {
    const { payload } = event;
    if (typeof payload !== 'number' && payload.byteLength > MAX_PAYLOAD_BYTES) {
      throw new RangeError(`a payload of ${payload.byteLength} bytes does not fit into a document`);
    }
    const document = {
      _id: eventKey(event.projectId, event.eventId),
      p: event.projectId,
      l: hexBinary(event.groupHash),
      v: event.groupingVersion,
      u: event.userHash === null ? null : hexBinary(event.userHash),
      at: event.at,
      r: event.receivedAt,
    };
    if (typeof payload === 'number') return { event, document };
    const packedLater = payload.byteLength <= MAX_PACKED_LATER_BYTES ? { i: 1 as const } : {};
    return { event, document: { ...document, d: new mongo.Binary(payload), ...packedLater } };
  });
}
