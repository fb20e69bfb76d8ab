declare global {
  // Node has both since version 20; the language library of the compile target does not name them yet.
  interface String {
    isWellFormed(): boolean;
    toWellFormed(): string;
  }
}

/** Ends every text that was cut. */
const ELLIPSIS = '...';

/** Text that any store and any JSON reader takes: no NUL, each lone surrogate replaced by U+FFFD. */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes('\0') ? formed.replaceAll('\0', '') : formed;
}

/** False when `cleanText` would change the text. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * Cuts well-formed text to `max` UTF-16 units, of which the last three are `...`; up to `tolerance`
 * units more are let through uncut. Never splits a surrogate pair.
 */
export function cutText(text: string, max: number, tolerance = 0): string {
  if (text.length <= max + tolerance) {
    return text;
  }
  let end = Math.max(0, max - ELLIPSIS.length);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) {
    end -= 1;
  }
  return text.slice(0, end) + ELLIPSIS;
}

/** Up to the first line break; leading blank lines are skipped. */
export function firstLine(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.search(/[\r\n\u2028\u2029]/);
  return (end < 0 ? trimmed : trimmed.slice(0, end)).trimEnd();
}
