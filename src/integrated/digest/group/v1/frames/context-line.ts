/** Maximum characters of a source line in a key. Longer lines are minified or generated. */
const MAX_LENGTH = 120;

const NEEDS_COLLAPSE = /\s\s|[\t\n\r\f\v]/;

/** Returns the source line with white space collapsed; null when it is absent, blank or too long. */
export function contextLine(line: string | null): string | null {
  if (line === null) return null;
  // Some SDKs keep the line end; it does not count against the bound.
  const ended = line.endsWith('\n') ? line.trimEnd() : line;
  if (ended.length > MAX_LENGTH) return null;
  const trimmed = ended.trim();
  if (trimmed === '') return null;
  return NEEDS_COLLAPSE.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}
