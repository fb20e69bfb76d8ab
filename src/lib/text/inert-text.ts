/**
 * Characters that control a terminal or the reading order: C0 and C1 controls (escape sequences begin with one), line
 * and paragraph separators, and direction marks.
 */
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Characters of `ACTIVE` without line feed and tab, for text of several lines. */
const ACTIVE_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Makes one line safe for terminals: each active character becomes a blank. */
export function inertLine(text: string): string {
  return text.replace(ACTIVE, ' ');
}

/** Replaces characters as `inertLine`, but keeps line feeds and tabs. */
export function inertLines(text: string): string {
  return text.replace(ACTIVE_BUT_LINES, ' ');
}

/** Escaped backslash in JSON, or escape of a control character other than line feed and tab. */
const ESCAPES = /\\(?:\\|u00[01][0-9a-f]|[bfr])/g;
const RAW = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes a line of JSON safe for terminals. With `shown` it stays safe after decoding: controls are spelled out
 * (`\u001b`).
 */
export function inertJson(line: string, shown: boolean): string {
  const spelled = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = line.replace(RAW, (character) => (shown ? `\\${spelled(character)}` : spelled(character)));
  return shown ? escaped.replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : `\\${escape}`)) : escaped;
}
