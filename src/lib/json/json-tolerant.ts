import { quoteInexactNumbers } from './json-exact-numbers.ts';
import { replaceOutsideStrings } from './json-outside-strings.ts';

/** Numbers outside JSON that old clients write. */
const BARE_NUMBER = /-?\bInfinity\b|\bNaN\b/g;

/**
 * Parses like `parseExactJson`, and converts NaN, Infinity and -Infinity to null. No extra cost for valid JSON. Throws
 * SyntaxError for anything else.
 */
export function parseTolerantJson(text: string): unknown {
  const json = quoteInexactNumbers(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    if (!json.includes('NaN') && !json.includes('Infinity')) {
      throw error;
    }
    return JSON.parse(nullBareNumbers(json)) as unknown;
  }
}

/** Replaces the tokens `NaN`, `Infinity` and `-Infinity` outside strings by null; linear in the length of the text. */
export function nullBareNumbers(json: string): string {
  return replaceOutsideStrings(json, (plain) => plain.replace(BARE_NUMBER, 'null'));
}
