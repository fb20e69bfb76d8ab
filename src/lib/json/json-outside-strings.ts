/** Applies `replace` to the parts of a JSON text outside strings; strings stay unchanged. One linear pass. */
export function replaceOutsideStrings(json: string, replace: (plain: string) => string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const open = json.indexOf('"', from);
    if (open < 0) {
      return out + replace(json.slice(from));
    }
    const end = endOfString(json, open);
    out += replace(json.slice(from, open)) + json.slice(open, end);
    from = end;
  }
}

/** Index after the closing quote of the string at `open`; the length of the text when it is not closed. */
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
