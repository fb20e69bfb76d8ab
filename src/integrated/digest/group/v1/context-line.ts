/** Longer lines are minified or generated text, in characters; they are not grouped by. */
const MAX_LENGTH = 120;

const NEEDS_COLLAPSE = /\s\s|[\t\n\r\f\v]/;

/** The source line with white space collapsed; null when it is absent, blank or too long to mean anything. */
export function contextLine(line: string | null): string | null {
  if (line === null) return null;
  // Some SDKs leave the line's end in place; it does not count against the bound.
  const ended = line.endsWith('\n') ? line.trimEnd() : line;
  if (ended.length > MAX_LENGTH) return null;
  const trimmed = ended.trim();
  if (trimmed === '') return null;
  return NEEDS_COLLAPSE.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}
