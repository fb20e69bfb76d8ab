import { AppError } from '../../../domain/app-error.ts';
import { corruptBody, inflatedTooLarge } from './inflate-errors.ts';

/** Largest window a decoder has to support (RFC 8878, 3.1.1.1.2); larger ones are refused. */
const MAX_WINDOW_BYTES = 8 * 1024 * 1024;
/** Maximum bytes one block may produce (RFC 8878, 3.1.1.2.4). */
const MAX_BLOCK_BYTES = 128 * 1024;

/** Maximum number of frames; one is usual, and each starts the decoder again. */
const MAX_FRAMES = 1000;

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;

/**
 * Walks the frames and blocks of a zstd body without decoding them. So a decoder never allocates what a header merely
 * claims. Refuses windows beyond 8 MiB, content sizes beyond `maxBytes`, oversized blocks, dictionaries and truncated
 * bodies. Throws `ingest_too_large` or `ingest_invalid`. Returns the frames with data, as views of the body.
 */
export function checkZstdFrames(body: Buffer, maxBytes: number): Buffer[] {
  const frames: Buffer[] = [];
  let at = 0;
  for (let count = 0; at < body.length; count += 1) {
    if (count === MAX_FRAMES) {
      throw corruptBody();
    }
    const skippable = (uint(body, at, 4) & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC;
    const end = skippable ? at + 8 + uint(body, at + 4, 4) : frameEnd(body, at, maxBytes);
    if (end > body.length) {
      throw corruptBody();
    }
    if (!skippable) {
      frames.push(body.subarray(at, end));
    }
    at = end;
  }
  if (frames.length === 0) {
    throw corruptBody();
  }
  return frames;
}

function frameEnd(body: Buffer, start: number, maxBytes: number): number {
  if (uint(body, start, 4) !== FRAME_MAGIC) {
    throw corruptBody();
  }
  const descriptor = uint(body, start + 4, 1);
  const singleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = DICTIONARY_ID_BYTES[descriptor & 3] ?? 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && singleSegment ? 1 : (CONTENT_SIZE_BYTES[sizeFlag] ?? 0);
  if ((descriptor & 8) !== 0) {
    throw corruptBody();
  }
  let at = start + 5;
  if (!singleSegment) {
    const window = uint(body, at, 1);
    const base = 2 ** (10 + (window >> 3));
    if (base + (base / 8) * (window & 7) > MAX_WINDOW_BYTES) {
      throw new AppError('ingest_too_large', `The zstd window exceeds ${MAX_WINDOW_BYTES} bytes.`);
    }
    at += 1;
  }
  if (uint(body, at, dictionaryBytes) !== 0) {
    throw new AppError('ingest_invalid', 'The request body needs a zstd dictionary, which is not supported.', {
      details: { outcome: 'corrupt_encoding' },
    });
  }
  at += dictionaryBytes;
  const contentBytes = uint(body, at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  if (contentBytes > maxBytes) {
    throw inflatedTooLarge(maxBytes);
  }
  at = blocksEnd(body, at + sizeBytes);
  return (descriptor & 4) === 0 ? at : at + 4;
}

function blocksEnd(body: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const header = uint(body, at, 3);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    if (type === 3 || size > MAX_BLOCK_BYTES) {
      throw corruptBody();
    }
    // A run-length block holds one byte, whatever size it expands to.
    at += 3 + (type === 1 ? 1 : size);
    if ((header & 1) === 1) {
      return at;
    }
  }
}

/** Reads a little-endian number of 0 to 8 bytes. Beyond 2^53 it is approximate, and every bound refuses it. */
function uint(body: Buffer, at: number, bytes: number): number {
  if (at + bytes > body.length) {
    throw corruptBody();
  }
  let value = 0;
  for (let index = bytes - 1; index >= 0; index -= 1) {
    value = value * 256 + (body[at + index] ?? 0);
  }
  return value;
}
