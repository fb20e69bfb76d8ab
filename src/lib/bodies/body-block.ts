import { decodeText, encodeText } from './payload-codec.ts';

/**
 * Block of event bodies: bodies of one project that are compressed together, because events resemble each other. It is
 * text with a line per body: the event id, 32 hex digits, and the body as JSON without line breaks. A body is found by
 * its event id alone, never by its position. All bodies of a block came on one day, so that they are removed together.
 * Compressed alone, a body takes 38 µs and about 660 bytes; among 16 others of the same kind, 6 µs and 122 bytes
 * (docs/adr/0013-blocks-of-event-bodies.md).
 */

/** Maximum bodies of a block. */
export const MAX_BLOCK_BODIES = 64;
/** Maximum characters of a block's bodies. Reading one event inflates the whole block, within a millisecond. */
export const MAX_BLOCK_CHARACTERS = 64 * 1024;
/** Maximum bytes of a compressed body that is packed into a block later. Larger ones gain little by it. */
export const MAX_PACKED_LATER_BYTES = 16 * 1024;
/** Minimum bodies that are worth a block. Fewer are stored each with its event. */
export const MIN_BLOCK_BODIES = 8;

/**
 * Milliseconds of the windows of receipt, UTC days, in one of which all bodies of a block came. The bytes of a body
 * stay as long as its block, so at most this much longer than an event that is removed by age.
 */
export const BLOCK_WINDOW_MS = 86_400_000;

const ID_DIGITS = 32;
/** Bytes of most decoded blocks: the characters of the bodies, their ids, and room for those beyond ASCII. */
const DECODED_BYTES = MAX_BLOCK_CHARACTERS + MAX_BLOCK_BODIES * (ID_DIGITS + 1) + 8 * 1024;
const LINE_BREAK = 0x0a;

export interface Body {
  /** 32 lower-case hex digits. */
  readonly eventId: string;
  /** JSON text without line breaks. */
  readonly json: string;
}

/** Body with the time of receipt of its event, in milliseconds since the epoch. */
export interface ReceivedBody extends Body {
  readonly receivedAt: number;
}

interface OpenBlock<T> {
  readonly projectId: number;
  readonly members: T[];
  characters: number;
}

/** Returns the window in which bodies of a project may share a block, as text. */
export function blockWindow(projectId: number, receivedAt: number): string {
  return `${projectId} ${Math.floor(receivedAt / BLOCK_WINDOW_MS)}`;
}

/** Sorts bodies into blocks, by project and within the bounds of a block. Keeps at most one open block per window. */
export class BlockPacker<T extends ReceivedBody> {
  readonly #onBlock: (projectId: number, members: readonly T[]) => void;
  readonly #onAlone: (member: T) => void;
  readonly #open = new Map<string, OpenBlock<T>>();

  /** `onBlock` gets each complete block; `onAlone` each body that is too large, or has too few others, for one. */
  constructor(onBlock: (projectId: number, members: readonly T[]) => void, onAlone: (member: T) => void) {
    this.#onBlock = onBlock;
    this.#onAlone = onAlone;
  }

  add(projectId: number, member: T): void {
    const characters = member.json.length;
    if (characters >= MAX_BLOCK_CHARACTERS) {
      this.#onAlone(member);
      return;
    }
    const window = blockWindow(projectId, member.receivedAt);
    let block = this.#open.get(window);
    if (block !== undefined && block.characters + characters > MAX_BLOCK_CHARACTERS) {
      this.#onBlock(projectId, block.members);
      block = undefined;
    }
    if (block === undefined) {
      block = { projectId, members: [], characters: 0 };
      this.#open.set(window, block);
    }
    block.members.push(member);
    block.characters += characters;
    if (block.members.length === MAX_BLOCK_BODIES) {
      this.#onBlock(projectId, block.members);
      this.#open.delete(window);
    }
  }

  /** Ends the open blocks. */
  finish(): void {
    for (const { projectId, members } of this.#open.values()) {
      if (members.length >= MIN_BLOCK_BODIES) this.#onBlock(projectId, members);
      else members.forEach(this.#onAlone);
    }
    this.#open.clear();
  }
}

/** Encodes bodies as a block. Of bodies with the same event id, a reader finds the first. */
export function encodeBlock(bodies: readonly Body[]): Uint8Array {
  return encodeText(bodies.map(({ eventId, json }) => eventId + json).join('\n'));
}

/** Decoded block. */
export class BodyBlock {
  readonly #text: Buffer;

  /** Throws when the bytes are no block. */
  constructor(encoded: Uint8Array) {
    this.#text = decodeText(encoded, DECODED_BYTES);
  }

  /** Returns the JSON of a body in UTF-8; null when the block does not have it. */
  find(eventId: string): Buffer | null {
    const id = Buffer.from(eventId, 'latin1');
    for (const line of this.#lines()) {
      if (line.compare(id, 0, id.length, 0, ID_DIGITS) === 0) return line.subarray(ID_DIGITS);
    }
    return null;
  }

  /** Returns the event ids, in the order of the bodies. */
  eventIds(): string[] {
    return [...this.#lines()].map((line) => line.toString('latin1', 0, ID_DIGITS));
  }

  /** Returns all bodies by event id, as views of one buffer; of equal ids the first. */
  bodies(): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    for (const line of this.#lines()) {
      const id = line.toString('latin1', 0, ID_DIGITS);
      if (!found.has(id)) found.set(id, line.subarray(ID_DIGITS));
    }
    return found;
  }

  *#lines(): Generator<Buffer> {
    for (let from = 0; from < this.#text.length;) {
      const found = this.#text.indexOf(LINE_BREAK, from);
      const to = found === -1 ? this.#text.length : found;
      yield this.#text.subarray(from, to);
      from = to + 1;
    }
  }
}
