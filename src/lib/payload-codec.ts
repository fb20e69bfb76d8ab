import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { payloadDictionary } from './payload-dictionary.ts';

/** First byte of an encoded payload: its format. New formats get new numbers; old ones stay readable. */
const DEFLATE_WITH_DICTIONARY_1 = 1;

/** Maximum decoded size in bytes: far above any output of the normaliser. */
const MAX_DECODED_BYTES = 32 * 1024 * 1024;

/**
 * Chunk size of deflate in bytes. Almost every event fits. The default of 16 KiB each would be most of the garbage of a
 * batch.
 */
const CHUNK_BYTES = 4096;

/** Encodes a JSON value compactly: raw deflate, level 3, with a preset dictionary; one leading version byte. */
export function encodePayload(value: unknown): Uint8Array {
  return encodeJson(JSON.stringify(value));
}

/** Encodes as `encodePayload`, for a value that is JSON text already. */
export function encodeJson(json: string): Uint8Array {
  const deflated = deflateRawSync(json, { level: 3, chunkSize: CHUNK_BYTES, dictionary: payloadDictionary });
  const encoded = Buffer.allocUnsafe(deflated.length + 1);
  encoded[0] = DEFLATE_WITH_DICTIONARY_1;
  deflated.copy(encoded, 1);
  return encoded;
}

/** Decodes the output of `encodePayload`, of this or an earlier format. Throws on anything else. */
export function decodePayload(encoded: Uint8Array): unknown {
  return decodeSized(encoded).value;
}

/**
 * Decodes like `decodePayload` and returns the size of the JSON in bytes. It is the cost of reading; the stored size
 * says little about it.
 */
export function decodeSized(encoded: Uint8Array): { readonly value: unknown; readonly bytes: number } {
  if (encoded[0] !== DEFLATE_WITH_DICTIONARY_1) {
    throw new Error(`stored payload has unknown format ${encoded[0] ?? 'empty'}`);
  }
  const json = inflateRawSync(encoded.subarray(1), {
    dictionary: payloadDictionary,
    maxOutputLength: MAX_DECODED_BYTES,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  return { value: JSON.parse(json.toString('utf8')) as unknown, bytes: json.length };
}
