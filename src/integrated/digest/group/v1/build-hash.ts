/** Placeholder of a build hash in a name, so that `app.3f2a1b.js` has the same name in every build. */
const PLACE = '<hash>';

/** Hexadecimal hash behind `.`, `-` or `~`: 6 to 64 digits. Letters or digits alone may be a word or a number. */
const HEX_SEGMENT = /(?<=[.~-])(?:[0-9a-f]{6,64}|[0-9A-F]{6,64})(?=[.~-]|$)/g;

/** Eight-character hash of a bundler right before the extension: `index-BzX3kq9P.js`. */
const BUNDLER_SEGMENT = /(?<=[.-])[A-Za-z0-9_-]{8}(?=\.[cm]?[jt]sx?$|\.css$)/;

/** Name that is only a hash, as template engines name their compiled files. */
const WHOLE_STEM = /^[0-9a-f]{16,64}(?=\.|$)/;

/**
 * Replaces build hashes in file and module names. `javascript` adds the eight-character hashes of bundlers, which
 * differ from words by capitals or digits.
 */
export function withoutBuildHash(name: string, javascript: boolean): string {
  if (name.length < 8) return name;
  let result = name;
  if (/[.~-]/.test(name)) {
    result = result.replace(HEX_SEGMENT, (segment) => (isHash(segment) ? PLACE : segment));
    if (javascript) result = result.replace(BUNDLER_SEGMENT, (segment) => (isBundlerHash(segment) ? PLACE : segment));
  }
  return result.replace(WHOLE_STEM, PLACE);
}

/** Returns true for mixed digits and letters, or at least eight digits (a date or build time). */
function isHash(segment: string): boolean {
  if (!/\d/.test(segment)) return false;
  return /[a-fA-F]/.test(segment) || segment.length >= 8;
}

function isBundlerHash(segment: string): boolean {
  const lower = /[a-z]/.test(segment);
  const upper = /[A-Z]/.test(segment);
  return upper || (/\d/.test(segment) && lower);
}
