/**
 * Characters that do something to a terminal or to the order of what is read there: C0 and C1 controls (escape
 * sequences begin with one), line and paragraph separators, and the marks that turn the direction of text.
 */
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** The same without the line feed and the tab, for text of several lines. */
const ACTIVE_BUT_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One line that a terminal shows and never obeys: each active character becomes a blank. */
export function inertLine(text: string): string {
  return text.replace(ACTIVE, ' ');
}

/** As `inertLine`, but the text keeps its lines and tabs. */
export function inertLines(text: string): string {
  return text.replace(ACTIVE_BUT_LINES, ' ');
}

/** An escaped backslash in JSON, or the escape of a control character other than line feed and tab. */
const ESCAPES = /\\(?:\\|u00[01][0-9a-f]|[bfr])/g;
const RAW = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * A line of JSON that is inert as it stands, and, with `shown`, also after a reader has decoded it to show it:
 * controls are spelled out (`\u001b`) there.
 */
export function inertJson(line: string, shown: boolean): string {
  const spelled = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = line.replace(RAW, (character) => (shown ? `\\${spelled(character)}` : spelled(character)));
  return shown ? escaped.replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : `\\${escape}`)) : escaped;
}
