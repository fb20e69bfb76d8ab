const QUOTES = `"'\``;
const BACKSLASH = '\\';
/** Letters that some languages allow before a literal, as in `rb'x'`. */
const PREFIX = /^(?:|.*\W)[bfru]{1,2}$/i;

/**
 * Creates a function that returns the quotation mark of the string literal around a position of a source line, `''`
 * outside of literals. Positions must ascend, so that all calls together read the line once.
 */
export function literalsOf(line: string): (position: number) => string {
  let at = 0;
  let quote = '';
  return (position) => {
    for (; at < position; at += 1) {
      const char = line.charAt(at);
      if (quote === '') {
        if (QUOTES.includes(char) && !isApostrophe(line, at)) quote = char;
      } else if (char === BACKSLASH) {
        at += 1;
      } else if (char === quote) {
        quote = '';
      }
    }
    return quote;
  };
}

/** Returns true when the mark is inside a word, as in `don't`. */
function isApostrophe(line: string, at: number): boolean {
  if (line.charAt(at) !== "'" || at === 0) return false;
  return /\w/.test(line.charAt(at - 1)) && !PREFIX.test(line.slice(Math.max(0, at - 3), at));
}
