import { replaceOutsideStrings } from './json-outside-strings.ts';

/** 2^53 has 16 digits: an integer with fewer digits is exact as a double. */
const EXACT_DIGITS = 15;
const STRIDE = EXACT_DIGITS + 1;

/** Exponent that may exceed the range of doubles, about 1.8e308. */
const LARGE_EXPONENT = /\d[eE]\+?\d{3}/g;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;
/** Length of the shortest number beyond the range of doubles: `1e309`. */
const SHORTEST = 5;

/**
 * Parses JSON and keeps numbers as text that a double cannot hold. These are integers beyond ±(2^53 - 1) and numbers
 * that would become Infinity. Accepts a byte order mark. Costs a fraction of a microsecond per kilobyte without such
 * numbers. Throws SyntaxError like JSON.parse.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(quoteInexactNumbers(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)) as unknown;
}

/** Quotes the numbers that `parseExactJson` keeps as text; linear in the length of the text. */
export function quoteInexactNumbers(json: string): string {
  return holdsManyDigits(json) || holdsLargeExponent(json)
    ? replaceOutsideStrings(json, (plain) => (plain.length < SHORTEST ? plain : plain.replace(NUMBER, quoteInexact)))
    : json;
}

function quoteInexact(number: string): string {
  const value = Number(number);
  const exact = INTEGER.test(number) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return exact ? number : `"${number}"`;
}

/**
 * Searches for 16 consecutive digits where a number may be: not after a letter, a quotation mark or a point. Such a run
 * always covers a multiple of 16, so only every 16th character is checked.
 */
function holdsManyDigits(json: string): boolean {
  for (let at = STRIDE - 1; at < json.length; at += STRIDE) {
    if (isDigit(json.charCodeAt(at))) {
      let start = at;
      while (isDigit(json.charCodeAt(start - 1))) start -= 1;
      let end = at + 1;
      while (isDigit(json.charCodeAt(end))) end += 1;
      if (end - start > EXACT_DIGITS && mayPrecedeNumber(json.charCodeAt(start - 1))) return true;
      // The next checked character is after these digits, so each digit is read once.
      at += Math.floor((end - 1 - at) / STRIDE) * STRIDE;
    }
  }
  return false;
}

/** Searches for digits with an exponent where a number may be: hexadecimal ids contain such sequences too. */
function holdsLargeExponent(json: string): boolean {
  LARGE_EXPONENT.lastIndex = 0;
  for (let match = LARGE_EXPONENT.exec(json); match !== null; match = LARGE_EXPONENT.exec(json)) {
    let start = match.index;
    while (isDigit(json.charCodeAt(start - 1)) || json.charCodeAt(start - 1) === 0x2e) start -= 1;
    if (mayPrecedeNumber(json.charCodeAt(start - 1))) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns true for a blank, `-`, `,`, `:`, `[` or the start of the text. */
function mayPrecedeNumber(code: number): boolean {
  return code <= 0x20 || code === 0x2d || code === 0x2c || code === 0x3a || code === 0x5b || Number.isNaN(code);
}
