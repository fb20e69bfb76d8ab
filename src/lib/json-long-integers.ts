/** Integers of this many digits may lie beyond 2^53, where a double no longer tells neighbours apart. */
const LONG = /[:[,]\s*\d{16}/;
const LONG_INTEGER = /(?<![\d.eE+-])\d{16,}(?![\d.eE])/g;

/**
 * JSON.parse that keeps integers of 16 and more digits as text, so that numeric ids beyond 2^53 stay what
 * they are. Costs one search for JSON without such numbers. Throws SyntaxError like JSON.parse.
 */
export function parseJsonWithLongIntegers(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return JSON.parse(LONG.test(json) ? quoteLongIntegers(json) : json) as unknown;
}

/** Puts quotes around long integers outside of strings; one pass. */
function quoteLongIntegers(json: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const open = json.indexOf('"', from);
    const plain = open < 0 ? json.slice(from) : json.slice(from, open);
    parts.push(plain.replace(LONG_INTEGER, '"$&"'));
    if (open < 0) return parts.join('');
    from = endOfString(json, open);
    parts.push(json.slice(open, from));
  }
}

/** Index after the closing quote of the string that opens at `open`; the text's end when it never closes. */
function endOfString(json: string, open: number): number {
  for (let at = open + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x22) return at + 1;
  }
  return json.length;
}
