/** Least number of hexadecimal digits by which a commit is known. */
export const MIN_DIGITS = 7;

/** Returns the name of a commit as it is stored: hexadecimal digits in lower case, others as they are. */
export function commitName(given: string): string {
  const name = given.trim().toLowerCase();
  return /^[0-9a-f]+$/.test(name) ? name : given;
}

/** Returns the parts of a version that may be commits, in lower case: at least MIN_DIGITS hexadecimal digits. */
export function commitsIn(release: string): string[] {
  const parts = partsOf(release).filter((part) => part.length >= MIN_DIGITS && /^[0-9a-f]+$/.test(part));
  return [...new Set(parts)];
}

function partsOf(release: string): string[] {
  return release.toLowerCase().split(/[^0-9a-z]+/);
}

/**
 * Returns the first of the releases whose version names a commit: one of its parts, such as `f00dbab` in
 * `shop@1.4.2+f00dbab`, begins like the commit, or the commit like it, by at least MIN_DIGITS digits. Null: none does.
 */
export function releaseOfCommit(releases: readonly string[], commit: string): string | null {
  const wanted = commit.trim().toLowerCase();
  if (!/^[0-9a-f]+$/.test(wanted)) return null;
  const names = (part: string) =>
    Math.min(part.length, wanted.length) >= MIN_DIGITS && (part.startsWith(wanted) || wanted.startsWith(part));
  return releases.find((release) => partsOf(release).some(names)) ?? null;
}
