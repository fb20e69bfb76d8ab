/** Words of a name in camel case, capitals that end before the last one of `HTTPError`, and figures. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|\d+/g;
const VOWEL = /[aeiouyAEIOUY]/;
/** Figures of a version end a name; those of an id stand anywhere. */
const FIGURES_INSIDE = /[A-Za-z]\d+[A-Za-z]/;
/** Minimum share of changes between small letters, capitals, figures and signs, of all neighbours. */
const CHANGES = 0.34;

/**
 * Returns true for a token that a generator made, such as a nanoid or the id of a payment. Names of code have words,
 * words have vowels, and their letters change between small and capital seldom.
 * `prefixed`: a prefix names its kind, so less has to show it.
 */
export function isRandom(token: string, prefixed = false): boolean {
  if (!/[a-z\d][A-Z]/.test(token) || !/[a-z]/.test(token)) return false;
  // Letters alone with single capitals are abbreviated names: `MyHttpXmlTcpClient`. Few ids are so.
  if (!/\d|[A-Z]{2}/.test(token)) return false;
  let unspeakable = 0;
  let pieces = 0;
  let figures = 0;
  for (const [piece] of token.matchAll(PIECE)) {
    pieces += 1;
    if (/\d/.test(piece)) figures += 1;
    else if (!VOWEL.test(piece)) unspeakable += 1;
  }
  const needed = (figures === 0 ? 3 : 2) - (prefixed && (figures === 0 || FIGURES_INSIDE.test(token)) ? 1 : 0);
  return unspeakable >= needed && changes(token) >= CHANGES * (token.length - 1) && pieces > needed;
}

function changes(token: string): number {
  let count = 0;
  for (let at = 1; at < token.length; at += 1) {
    if (kindOf(token.charCodeAt(at)) !== kindOf(token.charCodeAt(at - 1))) count += 1;
  }
  return count;
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 48 && code <= 57 ? 2 : 3;
}
