import { UnusableMap } from './parse-map.ts';

export const COMMA = 0x2c;
export const SEMICOLON = 0x3b;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Value of each digit of base 64; 64 at other characters. */
const DIGIT_VALUES = new Uint8Array(128).fill(64);
for (let value = 0; value < DIGITS.length; value += 1) DIGIT_VALUES[DIGITS.charCodeAt(value)] = value;

/** Bits of a number in one digit, and the bit that says that another digit follows. */
const DIGIT_BITS = 5;
const CONTINUED = 1 << DIGIT_BITS;
/** Digits of a number of 32 bits. */
const MAX_DIGITS = 7;

/** Reads mappings: segments of numbers, with a comma between them and a semicolon at the end of a line. */
export class VlqReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** True at the end of the text. */
  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Goes over a comma or a semicolon; returns false where a segment begins. */
  takes(separator: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== separator) return false;
    this.#at += 1;
    return true;
  }

  /** Returns true when another number of the segment follows. */
  hasMore(): boolean {
    if (this.#at >= this.#text.length) return false;
    const code = this.#text.charCodeAt(this.#at);
    return code !== COMMA && code !== SEMICOLON;
  }

  /** Reads a number: digits of base 64, the lowest first, the sign in the lowest bit. Throws `UnusableMap`. */
  number(): number {
    let value = 0;
    for (let digits = 0; digits < MAX_DIGITS; digits += 1) {
      const digit = DIGIT_VALUES[this.#text.charCodeAt(this.#at)] ?? 64;
      if (digit === 64) break;
      this.#at += 1;
      value |= (digit & (CONTINUED - 1)) << (digits * DIGIT_BITS);
      if (digit < CONTINUED) return value & 1 ? -(value >>> 1) : value >>> 1;
    }
    throw new UnusableMap(NO_SEGMENTS);
  }
}

export const NO_SEGMENTS = 'the mappings of the source map are no segments';
