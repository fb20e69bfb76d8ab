import { encodeText } from '../../src/lib/bodies/payload-codec.ts';

/** Encodes a value as the payload of an event that is stored by itself. */
export function encodePayload(value: unknown): Uint8Array {
  return encodeText(JSON.stringify(value));
}
