/** Marks the place of a build hash in a name, so that `app.3f2a1b.js` of two builds reads the same. */
const PLACE = '<hash>';

/** A hexadecimal hash behind `.`, `-` or `~`: 6 to 64 digits. Letters or figures alone may be a word or a number. */
const HEX_SEGMENT = /(?<=[.~-])(?:[0-9a-f]{6,64}|[0-9A-F]{6,64})(?=[.~-]|$)/g;

/** Bundlers' eight-character hashes, right before the extension: `index-BzX3kq9P.js`. */
const BUNDLER_SEGMENT = /(?<=[.-])[A-Za-z0-9_-]{8}(?=\.[cm]?[jt]sx?$|\.css$)/;

/** A name that is nothing but a hash, as template engines give their compiled files. */
const WHOLE_STEM = /^[0-9a-f]{16,64}(?=\.|$)/;

/**
 * Replaces hashes that a build puts into file and module names. `javascript` adds the eight-character
 * hashes of bundlers, which need capitals or figures to be told from a word.
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

/** Figures and letters mixed, or at least eight figures (a date, a build time). */
function isHash(segment: string): boolean {
  if (!/\d/.test(segment)) return false;
  return /[a-fA-F]/.test(segment) || segment.length >= 8;
}

function isBundlerHash(segment: string): boolean {
  const lower = /[a-z]/.test(segment);
  const upper = /[A-Z]/.test(segment);
  return upper || (/\d/.test(segment) && lower);
}
