import { randomBytes } from 'node:crypto';
import { encodeBlock, type ReceivedBody } from '../../../lib/bodies/body-block.ts';
import { ownJson } from '../../events/event-body.ts';
import { blockDocument, blockOf, blockRef } from '../documents/block-document.ts';
import { eventIdOf, type Binary } from '../documents/document-keys.ts';
import { UNPACKED, type EventDocument } from '../documents/documents.ts';
import { duplicatesIn } from './answers.ts';
import { byId, type Doc } from '../engine/batch-collections.ts';
import type { BlockContext } from './block-removal.ts';

/** Slot in blocks that no batch wrote. */
const NO_SLOT = -1;
export const UNMARK = { $unset: { i: '' as const } };

/** Body of a stored event. */
export interface StoredBody extends ReceivedBody, Pick<EventDocument, 'p' | 's' | 'n' | 'g'> {
  readonly _id: Binary;
}

/** Members to read of events that may be packed. */
export const PACKABLE = { p: 1, r: 1, s: 1, n: 1, d: 1, g: 1 } as const;
export type Packable = Pick<EventDocument, '_id' | 'p' | 'r' | 's' | 'n' | 'd' | 'g'>;

/** Returns the body of an event; null when it does not stand by itself, or its bytes are damaged. */
export function storedBodyOf({ _id, p, r, s, n, d, g }: Packable): StoredBody | null {
  if (d === undefined || blockOf(p, d) !== null) return null;
  const json = ownJson(d.buffer);
  if (json === null) return null;
  return { _id, p, s, n, eventId: eventIdOf(_id), receivedAt: r, json, ...(g === undefined ? {} : { g }) };
}

/** Moves payloads of a project, which stand by themselves, into a block. It is durable before an event refers to it. */
export async function packBodies({ collections, now }: BlockContext, members: readonly StoredBody[]): Promise<void> {
  const [first] = members;
  if (first === undefined) return;
  const { p } = first;
  const content = { projectId: p, eventIds: members.map(({ eventId }) => eventId), bodies: encodeBlock(members) };
  const block = blockDocument(randomBytes(16).toString('hex'), content, { s: NO_SLOT, n: 0, t: now() });
  duplicatesIn(await collections.eventBlocks.insertMany([block as unknown as Doc], 'blocks.insert'));
  const update: Doc = { $set: { d: blockRef(block._id) }, ...UNMARK };
  const operations = [...members]
    .sort((a, b) => byId(a._id, b._id))
    .map(({ _id: event, s, n, g }) => ({
      // A delayed command does not apply once another batch has taken the event, or its payload has left a block.
      filter: { _id: event, p, s, n, ...UNPACKED, d: { $exists: true }, g: g ?? { $exists: false } },
      update,
      upsert: false,
    }));
  duplicatesIn(await collections.events.updateEach(operations, 'events.pack'));
}
