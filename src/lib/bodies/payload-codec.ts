import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { payloadDictionary } from './payload-dictionary.ts';

/** First byte of encoded text: its format. New formats get new numbers; old ones stay readable. */
const DEFLATE_WITH_DICTIONARY_1 = 1;

/** Maximum decoded size in bytes: far above any output of the normaliser. */
const MAX_DECODED_BYTES = 32 * 1024 * 1024;

/**
 * Chunk size of deflate in bytes. Almost every event fits, and every block of about 16 events. The default of 16 KiB
 * each would be most of the garbage of a batch.
 */
const CHUNK_BYTES = 4096;

/**
 * Encodes text, or its UTF-8 bytes, compactly: raw deflate, level 3, with a preset dictionary; one leading format byte.
 */
export function encodeText(text: string | Uint8Array): Uint8Array {
  const deflated = deflateRawSync(text, { level: 3, chunkSize: CHUNK_BYTES, dictionary: payloadDictionary });
  const encoded = Buffer.allocUnsafe(deflated.length + 1);
  encoded[0] = DEFLATE_WITH_DICTIONARY_1;
  deflated.copy(encoded, 1);
  return encoded;
}

/** Expected bytes of decoded text, zlib's default. */
const DECODED_BYTES = 16 * 1024;

/**
 * Returns the UTF-8 bytes of encoded text, of this or an earlier format. Text of at most `expectedBytes` is not copied.
 * Throws on anything else, and above 32 MB.
 */
export function decodeText(encoded: Uint8Array, expectedBytes = DECODED_BYTES): Buffer {
  if (encoded[0] !== DEFLATE_WITH_DICTIONARY_1) {
    throw new Error(`stored payload has unknown format ${encoded[0] ?? 'empty'}`);
  }
  return inflateRawSync(encoded.subarray(1), {
    dictionary: payloadDictionary,
    maxOutputLength: MAX_DECODED_BYTES,
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: expectedBytes,
  });
}
