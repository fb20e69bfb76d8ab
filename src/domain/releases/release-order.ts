/** `package@1.2.3-rc.1+build`, `v1.2`, `2026.11.3`: at least two numbers. */
const VERSION =
  /^(?:(?<package>.{1,200})@)?v?(?<numbers>\d{1,15}(?:\.\d{1,15}){1,5})(?:-(?<pre>[\w.-]{1,200}))?(?:\+.*)?$/;

interface Version {
  readonly package: string;
  readonly numbers: readonly number[];
  /** Empty for a release proper. */
  readonly pre: readonly string[];
}

function versionOf(release: string): Version | null {
  const found = VERSION.exec(release)?.groups;
  if (found === undefined) return null;
  return {
    package: found.package ?? '',
    numbers: (found.numbers ?? '').split('.').map(Number),
    pre: found.pre?.split('.') ?? [],
  };
}

/**
 * Compares versions of one package by the rules of semver, with any number of parts, so that calendar versions and
 * four-part ones compare too. Null: one is no version, they are of different packages, or neither is newer.
 */
export function compareVersions(release: string, other: string): number | null {
  const [a, b] = [versionOf(release), versionOf(other)];
  if (a === null || b === null || a.package !== b.package) return null;
  for (let index = 0; index < Math.max(a.numbers.length, b.numbers.length); index += 1) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  const difference = comparePre(a.pre, b.pre);
  return difference === 0 ? null : difference;
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = comparePart(part, other);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Numbers are less than texts. */
function comparePart(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber && bIsNumber) return Number(a) - Number(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Times of a release that a build announced. */
export interface AnnouncedTimes {
  readonly createdAt: number;
  /** Null: no build finished it. */
  readonly releasedAt: number | null;
}

/**
 * Returns the time by which a release that is no version is ordered: when a build finished it, otherwise when a build
 * announced it or its first event occurred, whichever was earlier. Undefined: neither is known.
 */
export function releaseTime(firstSeen: number | undefined, announced: AnnouncedTimes | undefined): number | undefined {
  return announced === undefined ? firstSeen : announcedTime(firstSeen, announced);
}

/** Returns the times of releases of which events and builds tell; `firstSeen` of the result is `releaseTime`. */
export function withAnnouncedTimes(
  seen: readonly Listed[],
  announced: readonly (AnnouncedTimes & { readonly release: string })[],
): Listed[] {
  const times = new Map(announced.map((each) => [each.release, each]));
  return seen.map(({ release, firstSeen }) => ({
    release,
    firstSeen: releaseTime(firstSeen, times.get(release)) ?? firstSeen,
  }));
}

/**
 * Returns the time by which a release that a build announced is ordered where it is no version. `firstSeen` undefined:
 * it is not known, or there is none.
 */
export function announcedTime(firstSeen = Infinity, { createdAt, releasedAt }: AnnouncedTimes): number {
  return releasedAt ?? Math.min(createdAt, firstSeen);
}

/**
 * True when `release` is newer than `than`: by version where both are versions of one package, otherwise by their times
 * (`releaseTime`). A release that was never seen is newer than all that were. `than` null: before all
 * releases.
 */
export function isNewerRelease(
  release: string,
  than: string | null,
  timeOf: (release: string) => number | undefined,
): boolean {
  if (than === null) return true;
  if (release === than) return false;
  const difference = compareVersions(release, than);
  if (difference !== null) return difference > 0;
  return (timeOf(release) ?? Infinity) > (timeOf(than) ?? Infinity);
}

interface Listed {
  readonly release: string;
  readonly firstSeen: number;
}

/**
 * Sorts releases by version, greatest first. Packages follow each other, the one with the newest release first;
 * releases without a version are one more, in the order of their first occurrence, newest first.
 */
export function byVersion<T extends Listed>(releases: readonly T[]): T[] {
  const packages = new Map<string, T[]>();
  for (const each of releases) {
    const version = versionOf(each.release);
    const name = version === null ? ' ' : `@${version.package}`;
    const known = packages.get(name);
    if (known === undefined) packages.set(name, [each]);
    else known.push(each);
  }
  const newest = (of: readonly T[]) => Math.max(...of.map(({ firstSeen }) => firstSeen));
  return [...packages.values()]
    .sort((a, b) => newest(b) - newest(a))
    .flatMap((of) =>
      of.sort((a, b) => compareVersions(b.release, a.release) ?? (b.firstSeen - a.firstSeen || compareText(a, b))),
    );
}

function compareText(a: Listed, b: Listed): number {
  return a.release < b.release ? 1 : -1;
}

/** Returns the releases before and after one: by version within its package, otherwise by their times. */
export function neighboursOf(
  release: string,
  releases: readonly Listed[],
): { readonly previous: string | null; readonly next: string | null } {
  const own = versionOf(release);
  const sameKind = releases.filter((each) => {
    const version = versionOf(each.release);
    return own === null ? version === null : version?.package === own.package;
  });
  const sorted = byVersion(sameKind);
  const at = sorted.findIndex((each) => each.release === release);
  const nameAt = (index: number) => (at === -1 || index < 0 ? null : (sorted[index]?.release ?? null));
  return { previous: nameAt(at + 1), next: nameAt(at - 1) };
}

/** Maximum releases compared to find the newest one: those with the greatest times. */
export const RELEASES_COMPARED = 100;

/**
 * Returns the newest release of a project, of those first seen last and those that builds announced last: the one with
 * the greatest time, unless others of its package have a greater version. Null: there is none.
 */
export function newestOf(
  seen: readonly Listed[],
  announced: readonly (AnnouncedTimes & { readonly release: string })[],
): string | null {
  const times = new Map(seen.map(({ release, firstSeen }) => [release, firstSeen]));
  for (const each of announced) times.set(each.release, announcedTime(times.get(each.release), each));
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, RELEASES_COMPARED)
    .reduce<string | null>(
      (newest, [release]) => (newest === null || (compareVersions(release, newest) ?? 0) > 0 ? release : newest),
      null,
    );
}
