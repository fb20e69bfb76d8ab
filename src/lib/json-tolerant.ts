/** Numbers that JSON does not know but old clients write. */
const BARE_NUMBER = /-?\bInfinity\b|\bNaN\b/g;

/**
 * JSON.parse that also takes a byte order mark and the bare tokens NaN, Infinity and -Infinity, which
 * become null. Costs nothing extra for valid JSON. Throws SyntaxError for anything else.
 */
export function parseTolerantJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    if (!json.includes('NaN') && !json.includes('Infinity')) {
      throw error;
    }
    return JSON.parse(nullBareNumbers(json)) as unknown;
  }
}

/** Replaces the tokens `NaN`, `Infinity` and `-Infinity` outside of strings by null; one pass, linear in the text. */
export function nullBareNumbers(json: string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const open = json.indexOf('"', from);
    if (open < 0) {
      return out + json.slice(from).replace(BARE_NUMBER, 'null');
    }
    const end = endOfString(json, open);
    out += json.slice(from, open).replace(BARE_NUMBER, 'null') + json.slice(open, end);
    from = end;
  }
}

/** Index after the closing quote of the string that opens at `open`; the text's end when it never closes. */
function endOfString(json: string, open: number): number {
  let close = json.indexOf('"', open + 1);
  while (close > 0) {
    let backslashes = 0;
    while (json.charCodeAt(close - 1 - backslashes) === 0x5c) {
      backslashes += 1;
    }
    if (backslashes % 2 === 0) {
      return close + 1;
    }
    close = json.indexOf('"', close + 1);
  }
  return json.length;
}
