import { compareVersions } from './release-order.ts';
import type { ReleaseError, ReleaseHealth } from './session.ts';

/** Times by which an error must be more frequent to count as louder. */
const LOUDER_BY = 1.5;

/** Errors of one kind, most important first. */
export interface ReleaseErrorGroup {
  readonly total: number;
  /** The first MAX_IN_GROUP. */
  readonly errors: readonly ReleaseError[];
}

/** Maximum errors of a group that are listed. */
export const MAX_IN_GROUP = 100;

/** What changed from one release to another. Counts of errors are those of base and head. */
export interface ReleaseComparison {
  /** Only in head. */
  readonly new: ReleaseErrorGroup;
  /** Only in base. */
  readonly gone: ReleaseErrorGroup;
  /** In both, and at least LOUDER_BY times as frequent in head. */
  readonly louder: ReleaseErrorGroup;
  /** Number of errors in both that are not louder. */
  readonly unchanged: number;
  /** What frequency is measured by: events per session where both releases have sessions, otherwise events. */
  readonly by: 'sessions' | 'events';
}

/** Sessions of base and head. */
export type SessionsOfBoth = readonly [base: number, head: number];

const baseOf = ({ counts }: ReleaseError) => counts[0] ?? 0;
const headOf = ({ counts }: ReleaseError) => counts[1] ?? 0;

function group(errors: readonly ReleaseError[], weight: (error: ReleaseError) => number): ReleaseErrorGroup {
  const sorted = [...errors].sort((a, b) => weight(b) - weight(a) || b.lastSeen - a.lastSeen);
  return { total: errors.length, errors: sorted.slice(0, MAX_IN_GROUP) };
}

/** Compares two releases by their errors, whose counts are those of base and head. */
export function compareReleases(errors: readonly ReleaseError[], sessions: SessionsOfBoth): ReleaseComparison {
  const [base, head] = sessions;
  const bySessions = base > 0 && head > 0;
  const rise = (error: ReleaseError) => (headOf(error) * (bySessions ? base / head : 1)) / Math.max(1, baseOf(error));
  const both = errors.filter((error) => baseOf(error) > 0 && headOf(error) > 0);
  const louder = both.filter((error) => rise(error) >= LOUDER_BY);
  return {
    new: group(
      errors.filter((error) => baseOf(error) === 0 && headOf(error) > 0),
      headOf,
    ),
    gone: group(goneIn(errors), baseOf),
    louder: group(louder, (error) => headOf(error) - headOf(error) / rise(error)),
    unchanged: both.length - louder.length,
    by: bySessions ? 'sessions' : 'events',
  };
}

/** Two releases, the later one last. */
export interface Releases {
  /** Null: there is none before. */
  readonly base: string | null;
  readonly head: string;
}

/** Orders two releases by version, otherwise by first occurrence; null: `head` is not the later one. */
export function inOrder(base: ReleaseHealth, head: ReleaseHealth): Releases | null {
  const later = compareVersions(head.release, base.release) ?? head.firstSeen - base.firstSeen;
  return later > 0 ? { base: base.release, head: head.release } : null;
}

/**
 * Says what became of an error that is in `base` and not in `head`: the later version of its newest event, in which it
 * is back, or that it is gone in `head`, because its newest event is of `base`. Both null: neither is known.
 */
export function fateOf(
  { lastRelease, counts }: Pick<ReleaseError, 'lastRelease' | 'counts'>,
  releases: Releases | null,
): { readonly backIn: string | null; readonly goneIn: string | null } {
  const [before = 0, now] = counts;
  if (releases === null || lastRelease === null || before === 0 || now !== 0) return { backIn: null, goneIn: null };
  const isBack = (compareVersions(lastRelease, releases.head) ?? 0) > 0;
  return { backIn: isBack ? lastRelease : null, goneIn: lastRelease === releases.base ? releases.head : null };
}

function goneIn(errors: readonly ReleaseError[]): ReleaseError[] {
  return errors.filter((error) => baseOf(error) > 0 && headOf(error) === 0);
}

/** What happened in a release. */
export interface ReleaseNews {
  /** First seen in it. */
  readonly new: ReleaseErrorGroup;
  /** Came back in it. */
  readonly regressed: ReleaseErrorGroup;
  /** In the release before, and not in this one. */
  readonly gone: ReleaseErrorGroup;
}

/** Sorts errors of a release; their counts are those of the release before (0 without one), and of this one. */
export function newsOf(release: string, errors: readonly ReleaseError[]): ReleaseNews {
  return {
    new: group(
      errors.filter((error) => error.firstRelease === release && headOf(error) > 0),
      headOf,
    ),
    regressed: group(
      errors.filter(({ regressedIn }) => regressedIn === release),
      headOf,
    ),
    gone: group(goneIn(errors), baseOf),
  };
}

/** Makes a group of errors that were read as one, last seen first. */
export function groupOf(errors: readonly ReleaseError[]): ReleaseErrorGroup {
  return group(errors, ({ lastSeen }) => lastSeen);
}
