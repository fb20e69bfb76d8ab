import type { ActivityEntry, StatusDetails, UnmuteReason } from '../../domain/errors/error-state.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';

/** An event by its time (see `occurredAt`), with its release. */
export interface Occurred {
  readonly at: number;
  readonly release: string | null;
}

/** Milliseconds that an event's own time may be behind: some SDKs send whole seconds. */
export const CLOCK_TOLERANCE_MS = 1000;

/**
 * Returns the time that decides about reopening: when the event happened by its own clock, at most when it was
 * received. So neither a backlog nor a late copy of an old event reopens an error.
 */
export function occurredAt({ at, receivedAt }: { readonly at: number; readonly receivedAt: number }): number {
  return Math.min(receivedAt, at + CLOCK_TOLERANCE_MS);
}

/** Status of an error, and what has happened to it. */
export interface StatusProgress {
  readonly status: ErrorStatus;
  readonly resolvedAt: number | null;
  readonly details: StatusDetails | null;
  /** Newest event; null: none of our own. */
  readonly newest: Occurred | null;
  /** Newest event of a release newer than the one it was resolved in; null: none. */
  readonly passed: Occurred | null;
  /** Own events and users since it was ignored. */
  readonly events: number;
  readonly users: number;
  /** Newest time of receipt. */
  readonly newestReceived: number;
}

/**
 * Milliseconds after which the release of a resolution counts as one of then, although the store does not have it: it
 * was removed since, or a tracker had it. Until then it may be one that is still to come.
 */
const AWAITED_MS = 30 * 86_400_000;

/** Release after which events reopen an error. */
export interface ReleaseLimit {
  /** Null: before all releases. */
  readonly release: string | null;
  /** Returns when it was first seen, as an event at a time takes it, if the store does not have it; undefined: never. */
  readonly firstSeenBy: (at: number) => number | undefined;
}

/** Returns the release after which events reopen the error; null: the status does not depend on releases. */
export function releaseLimit(details: StatusDetails | null, resolvedAt: number | null): ReleaseLimit | null {
  if (details?.inRelease !== undefined) {
    const isOfThen = (at: number): boolean => resolvedAt !== null && at > resolvedAt + AWAITED_MS;
    return { release: details.inRelease, firstSeenBy: (at) => (isOfThen(at) ? (resolvedAt ?? undefined) : undefined) };
  }
  // The project had seen it by then, so it is one of long ago when the store has removed it since.
  return details?.inNextRelease === true
    ? { release: details.afterRelease ?? null, firstSeenBy: () => -Infinity }
    : null;
}

/**
 * Returns the entry that records how events ended the status, after which the error is unresolved; null: it goes on.
 * Depends on stored values only, so that a replay has the same result.
 */
export function statusEnd(progress: StatusProgress): ActivityEntry | null {
  const { status, resolvedAt, details, newest, passed, newestReceived } = progress;
  if (status === 'resolved') {
    const occurred = releaseLimit(details, resolvedAt) === null ? newest : passed;
    if (occurred === null || resolvedAt === null || occurred.at <= resolvedAt) return null;
    return { at: occurred.at, kind: 'regressed', userId: null, details: { release: occurred.release } };
  }
  if (status !== 'ignored' || details === null) return null;
  const { ignoreCount = Infinity, ignoreUserCount = Infinity } = details;
  if (progress.events >= ignoreCount) return unmuted(newestReceived, 'events', details);
  if (progress.users >= ignoreUserCount) return unmuted(newestReceived, 'users', details);
  return null;
}

/** Returns the entry that records which condition ended the status ignored. */
export function unmuted(at: number, reason: UnmuteReason, details: StatusDetails): ActivityEntry {
  return { at, kind: 'unmuted', userId: null, details: { reason, status: details } };
}
