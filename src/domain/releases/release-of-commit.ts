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
  return releases.find((release) => partsOf(release).some((part) => isSameCommit(part, commit))) ?? null;
}

/** True when one name of a commit begins like the other, in any case, by at least MIN_DIGITS digits. */
export function isSameCommit(one: string, other: string): boolean {
  const [a, b] = [one.trim().toLowerCase(), other.trim().toLowerCase()];
  if (Math.min(a.length, b.length) < MIN_DIGITS || !(a.startsWith(b) || b.startsWith(a))) return false;
  return /^[0-9a-f]+$/.test(a) && /^[0-9a-f]+$/.test(b);
}

/** Returns the first digits of a commit by which it is found, in lower case; empty: it is known by no other name. */
export function commitStart(commit: string): string {
  const start = commit.trim().toLowerCase().slice(0, MIN_DIGITS);
  return start.length === MIN_DIGITS && /^[0-9a-f]+$/.test(start) ? start : '';
}
