/**
 * Finds the ends of values in the bytes of JSON text, without making values of them. The text must be as
 * `JSON.stringify` writes it: blanks between tokens are refused. Content of strings is taken as it is, UTF-8 or not.
 *
 * Intake has a scan of its own (`scan-event.ts`), which allows blanks: one for both made it 10 to 15 % slower.
 */

/** Result for bytes that are no such JSON. */
export const NO_END = -1;

/** Maximum depth of lists and objects: far more than the normaliser keeps. Deeper ones have no end. */
const MAX_DEPTH = 200;

export const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  n: 0x6e,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

const { quote, comma, colon, openList, backslash, closeList, openObject, closeObject } = BYTE;

const LITERALS = ['null', 'true', 'false'].map((word) => Buffer.from(word, 'latin1'));
const ESCAPED = new Set(Buffer.from('"\\/bfnrt', 'latin1'));
const UNICODE_ESCAPE = 0x75;
const HEX_DIGITS = 4;

/** Returns the index behind the value that begins at `at`; NO_END when there is none. */
export function endOfValue(bytes: Uint8Array, at: number, depth = 0): number {
  switch (bytes[at]) {
    case quote:
      return endOfString(bytes, at);
    case openObject:
      return depth === MAX_DEPTH ? NO_END : endOfObject(bytes, at, depth + 1);
    case openList:
      return depth === MAX_DEPTH ? NO_END : endOfList(bytes, at, depth + 1);
    default:
      return endOfNumber(bytes, at) ?? endOfLiteral(bytes, at);
  }
}

/** Returns the index behind the closing quote of the string that begins at `at`; NO_END when there is none. */
export function endOfString(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) return NO_END;
  for (let next = at + 1; ; next += 1) {
    // The end of the bytes is like a control character, which no string has.
    const byte = bytes[next] ?? 0;
    if (byte === quote) return next + 1;
    if (byte < 0x20) return NO_END;
    if (byte !== backslash) continue;
    next += 1;
    const escaped = bytes[next] ?? 0;
    if (escaped === UNICODE_ESCAPE) {
      if (!areHexDigits(bytes, next + 1)) return NO_END;
      next += HEX_DIGITS;
    } else if (!ESCAPED.has(escaped)) return NO_END;
  }
}

function endOfObject(bytes: Uint8Array, at: number, depth: number): number {
  if (bytes[at + 1] === closeObject) return at + 2;
  for (let next = at + 1; ; next += 1) {
    const name = endOfString(bytes, next);
    if (name === NO_END || bytes[name] !== colon) return NO_END;
    next = endOfValue(bytes, name + 1, depth);
    if (next === NO_END) return NO_END;
    if (bytes[next] === closeObject) return next + 1;
    if (bytes[next] !== comma) return NO_END;
  }
}

function endOfList(bytes: Uint8Array, at: number, depth: number): number {
  if (bytes[at + 1] === closeList) return at + 2;
  for (let next = at + 1; ; next += 1) {
    next = endOfValue(bytes, next, depth);
    if (next === NO_END) return NO_END;
    if (bytes[next] === closeList) return next + 1;
    if (bytes[next] !== comma) return NO_END;
  }
}

/** Null: no number begins there. */
function endOfNumber(bytes: Uint8Array, at: number): number | null {
  const digits = bytes[at] === 0x2d ? at + 1 : at;
  let end = endOfDigits(bytes, digits);
  if (end === digits) return null;
  if (bytes[digits] === 0x30 && end > digits + 1) return NO_END;
  if (bytes[end] === 0x2e) {
    const fraction = end + 1;
    end = endOfDigits(bytes, fraction);
    if (end === fraction) return NO_END;
  }
  if (bytes[end] === 0x65 || bytes[end] === 0x45) {
    const sign = bytes[end + 1];
    const exponent = end + (sign === 0x2b || sign === 0x2d ? 2 : 1);
    end = endOfDigits(bytes, exponent);
    if (end === exponent) return NO_END;
  }
  return end;
}

function endOfDigits(bytes: Uint8Array, at: number): number {
  let end = at;
  while (isDigit(bytes[end] ?? 0)) end += 1;
  return end;
}

function endOfLiteral(bytes: Uint8Array, at: number): number {
  for (const word of LITERALS) {
    if (hasBytes(bytes, at, word)) return at + word.length;
  }
  return NO_END;
}

/** Returns true when the bytes from `at` on begin with the word. */
export function hasBytes(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[at + index] !== word[index]) return false;
  }
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function areHexDigits(bytes: Uint8Array, at: number): boolean {
  for (let index = at; index < at + HEX_DIGITS; index += 1) {
    const byte = bytes[index] ?? 0;
    const letter = byte | 0x20;
    if (!isDigit(byte) && (letter < 0x61 || letter > 0x66)) return false;
  }
  return true;
}
