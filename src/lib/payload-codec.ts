import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { payloadDictionary } from './payload-dictionary.ts';

/** First byte of an encoded payload: how the rest was made. New ways get new numbers; old ones stay readable. */
const DEFLATE_WITH_DICTIONARY_1 = 1;

/** Bound while decoding, in bytes: far above anything the normaliser lets through. */
const MAX_DECODED_BYTES = 32 * 1024 * 1024;

/**
 * Bytes that deflate asks for at a time. Almost every event fits; the usual 16 KiB for each would be most of what a
 * batch leaves to the garbage collector.
 */
const CHUNK_BYTES = 4096;

/** Encodes a JSON value compactly: raw deflate, level 3, with a preset dictionary; one leading version byte. */
export function encodePayload(value: unknown): Uint8Array {
  return encodeJson(JSON.stringify(value));
}

/** The same of a value that is JSON already. */
export function encodeJson(json: string): Uint8Array {
  const deflated = deflateRawSync(json, { level: 3, chunkSize: CHUNK_BYTES, dictionary: payloadDictionary });
  const encoded = Buffer.allocUnsafe(deflated.length + 1);
  encoded[0] = DEFLATE_WITH_DICTIONARY_1;
  deflated.copy(encoded, 1);
  return encoded;
}

/** Reads what `encodePayload` wrote, in this or an earlier version. Throws on anything else. */
export function decodePayload(encoded: Uint8Array): unknown {
  return decodeSized(encoded).value;
}

/** The same with the bytes of its JSON: what it costs to read, which says little about the bytes that are stored. */
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
