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

/** Text before the commit in stored details of errors that are resolved in a commit alone. */
export const COMMIT_START = '{"inCommit":{"commit":"';

/**
 * Ranges as of `resolvedRanges`, of errors that are resolved in a commit alone which has the first of these digits. The
 * others are compared without case: earlier versions stored commits as they were written.
 */
export function commitRanges(digits: string): [from: string, until: string][] {
  const first = digits.slice(0, 1);
  const spelled = [...new Set([first.toLowerCase(), first.toUpperCase()])];
  return spelled.map((digit) => [COMMIT_START + digit, COMMIT_START + digit + AFTER]);
}
