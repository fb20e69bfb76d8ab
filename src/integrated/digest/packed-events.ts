import type { DigestedEvent, EventBlock } from '../../domain/ingest/digest.ts';
import { BlockPacker, encodeBlock, type ReceivedBody } from '../../lib/bodies/body-block.ts';
import { encodeText } from '../../lib/bodies/payload-codec.ts';

/** Digested event before `PackedEvents` compresses its payload together with others. */
export interface UnpackedEvent extends Omit<DigestedEvent, 'payload'> {
  /** NormalisedEvent as JSON text without line breaks. */
  readonly payload: string;
}

/** Event whose text is replaced in place once it is compressed, which saves a copy of each of a thousand. */
interface PackedLater extends Omit<DigestedEvent, 'payload'> {
  payload: string | DigestedEvent['payload'];
}

interface BodyOfEvent extends ReceivedBody {
  readonly event: PackedLater;
}

/**
 * Compresses the payloads of a batch: those of a project together in blocks, and alone where there are few. Each block
 * is encoded once it is full, so that at most 64 KB of text per project and day wait.
 */
export class PackedEvents {
  readonly #events: PackedLater[] = [];
  readonly #blocks: EventBlock[] = [];
  readonly #packer = new BlockPacker<BodyOfEvent>(
    (projectId, members) => this.#addBlock(projectId, members),
    ({ event, json }) => (event.payload = encodeText(json)),
  );

  /** Adds an event, which belongs to the batch afterwards. */
  add(event: UnpackedEvent): void {
    const { projectId, eventId, receivedAt, payload: json } = event;
    this.#events.push(event);
    this.#packer.add(projectId, { event, eventId, receivedAt, json });
  }

  /** Returns the events in the order in which they were added, and their blocks. */
  finish(): { readonly events: readonly DigestedEvent[]; readonly blocks: readonly EventBlock[] } {
    this.#packer.finish();
    return { events: this.#events.filter(isPacked), blocks: this.#blocks };
  }

  #addBlock(projectId: number, members: readonly BodyOfEvent[]): void {
    const eventIds = members.map(({ eventId }) => eventId);
    const block = this.#blocks.push({ projectId, eventIds, bodies: encodeBlock(members) }) - 1;
    for (const { event } of members) event.payload = block;
  }
}

function isPacked(event: PackedLater): event is DigestedEvent {
  if (typeof event.payload === 'string') throw new Error('the payload of an event was not compressed');
  return true;
}
