declare global {
  // Node has both since version 20; the library types of the compile target do not declare them.
  interface String {
    isWellFormed(): boolean;
    toWellFormed(): string;
  }
}

/** Suffix of truncated text. */
const ELLIPSIS = '...';

/** Makes text valid for all stores and JSON parsers: removes NUL, replaces each lone surrogate by U+FFFD. */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes('\0') ? formed.replaceAll('\0', '') : formed;
}

/** Returns false when `cleanText` would change the text. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * Truncates well-formed text to `max` UTF-16 units, including a final `...`. Text of up to `max` + `tolerance` units
 * stays whole. Never splits a surrogate pair.
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

/** Returns the text up to the first line break; skips leading blank lines. */
export function firstLine(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.search(/[\r\n\u2028\u2029]/);
  return (end < 0 ? trimmed : trimmed.slice(0, end)).trimEnd();
}
