import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32: no letters that look alike. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
const TIME_BYTES = 6;
const RANDOM_BYTES = 11;

function encode(bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < LENGTH; index += 1) {
    text = (DIGITS[Number(number & 31n)] ?? '') + text;
    number >>= 5n;
  }
  return `msg_${text}`;
}

/** Returns a new id; ids sort by their time. */
export function newMessageId(now: number): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(Math.max(0, now), 0, TIME_BYTES);
  return encode(Buffer.concat([time, randomBytes(RANDOM_BYTES)]));
}

/** Returns the id of a message that would be the same if it were made again. */
export function messageIdOf(text: string): string {
  return encode(
    createHash('sha256')
      .update(text)
      .digest()
      .subarray(0, TIME_BYTES + RANDOM_BYTES),
  );
}
