/** Text that is greater than what follows a value in stored details: a comma or a closing brace. */
const AFTER = '~';

/**
 * Ranges of stored status details, `from` inclusive and `until` exclusive, of errors that are resolved in a release: by
 * its name, or as the next one after `previous`. `detailsToStore` writes these members first.
 */
export function resolvedRanges(release: string, previous: string | null): [from: string, until: string][] {
  const begins = [`{"inRelease":${JSON.stringify(release)}`];
  if (previous !== null) begins.push(`{"inNextRelease":true,"afterRelease":${JSON.stringify(previous)}`);
  return begins.map((text) => [text, text + AFTER]);
}

/** Ranges as of `resolvedRanges`, of errors that are resolved in a commit alone which begins with these digits. */
export function commitRanges(digits: string): [from: string, until: string][] {
  const spelled = [...new Set([digits.toLowerCase(), digits.toUpperCase()])];
  return spelled.map((text) => [`{"inCommit":{"commit":"${text}`, `{"inCommit":{"commit":"${text}${AFTER}`]);
}
