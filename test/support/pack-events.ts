import type { DigestedBatch, DigestedEvent } from '../../src/domain/ingest/digest.ts';
import { PackedEvents, type UnpackedEvent } from '../../src/integrated/digest/packed-events.ts';
import { decodeText, encodeText } from '../../src/lib/bodies/payload-codec.ts';

/** Packs the payloads of events as the digest does: from eight events of a project on in blocks. */
export function packEvents(events: readonly DigestedEvent[]): Pick<DigestedBatch, 'events' | 'blocks'> {
  const packed = new PackedEvents();
  const encoded = events.filter(isEncoded);
  for (const event of encoded) {
    packed.add({ ...event, payload: decodeText(event.payload).toString('utf8') });
  }
  const finished = packed.finish();
  const byIndex = new Map<DigestedEvent, DigestedEvent | undefined>(
    encoded.map((event, index) => [event, finished.events[index]]),
  );
  return { ...finished, events: events.map((event) => byIndex.get(event) ?? event) };
}

/** Returns false for payloads that a test made unreadable on purpose. */
function isEncoded(event: DigestedEvent): event is DigestedEvent & { readonly payload: Uint8Array } {
  return event.payload instanceof Uint8Array && event.payload[0] === 1;
}

/** Returns the digested event with a payload that stands by itself. */
export function withOwnPayload(event: UnpackedEvent): DigestedEvent {
  return { ...event, payload: encodeText(event.payload) };
}
