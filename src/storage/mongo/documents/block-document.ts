import { mongo } from 'mongoose';
import type { EventBlock } from '../../../domain/ingest/digest.ts';
import { key, type Binary } from './document-keys.ts';

/**
 * Bodies of several events of a project. Inserted before their events, and never changed. Deleted when no event refers
 * to it any more and none will: `batch/block-removal.ts` has the rules.
 */
export interface EventBlockDocument {
  /** Project and 16 bytes: a hash of slot, batch and bodies, so that a replay meets equal bodies only. */
  readonly _id: Binary;
  readonly p: number;
  /** Slot and batch that wrote it; slot -1: written by retention or a copy. */
  readonly s: number;
  readonly n: number;
  /** Time when it was written. */
  readonly t: number;
  /** Event ids of the bodies, 16 bytes each. */
  readonly e: Binary;
  /** Bodies as lib/bodies/body-block.ts encodes them. */
  readonly d: Binary;
}

/** Bytes of a block's key behind those of its project. */
const KEY_BYTES = 16;

/** Returns the document of a block. `id`: at least 32 hex digits, of which the first 32 identify it in its project. */
export function blockDocument(
  id: string,
  { projectId, eventIds, bodies }: EventBlock,
  mark: Pick<EventBlockDocument, 's' | 'n' | 't'>,
): EventBlockDocument {
  return {
    _id: blockKey(projectId, id),
    p: projectId,
    ...mark,
    e: new mongo.Binary(Buffer.from(eventIds.join(''), 'hex')),
    d: new mongo.Binary(bodies),
  };
}

/** Returns the `_id` of a block. `id`: as for `blockDocument`. */
export function blockKey(projectId: number, id: string): Binary {
  return key(projectId, id.slice(0, 2 * KEY_BYTES), KEY_BYTES);
}

/** First byte of a reference to a block. Those of payloads, which name the format of the codec, are smaller. */
const BLOCK_REF = 0x80;
/** Bytes of a reference to a block. */
export const BLOCK_REF_BYTES = 1 + KEY_BYTES;

/** Returns the reference to a block: a byte and the 16 bytes behind the project in the block's `_id`. */
export function blockRef(blockId: Binary): Binary {
  const bytes = Buffer.from(blockId.buffer.subarray(0, 20)).subarray(3);
  bytes[0] = BLOCK_REF;
  return new mongo.Binary(bytes);
}

/** Returns the event ids of a block, 32 hex digits each. */
export function eventIdsOf({ e }: Pick<EventBlockDocument, 'e'>): string[] {
  return e.toString('hex').match(/.{32}/g) ?? [];
}

/** Returns the `_id` of the block that a payload refers to; null when the payload stands by itself. */
export function blockOf(projectId: number, payload: Binary): Binary | null {
  const bytes = Buffer.from(payload.buffer.subarray(0, payload.length()));
  return bytes[0] === BLOCK_REF ? blockKey(projectId, bytes.toString('hex', 1)) : null;
}

/** Returns a name of the block that a payload refers to, unique in the store; null when the payload stands by itself. */
export function blockNameOf(projectId: number, { buffer }: Binary): string | null {
  return buffer[0] === BLOCK_REF
    ? `${projectId} ${Buffer.from(buffer.buffer, buffer.byteOffset + 1, KEY_BYTES).toString('latin1')}`
    : null;
}
