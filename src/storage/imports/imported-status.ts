import type { ImportedStatus } from '../../domain/imports/import.ts';
import { CLOCK_TOLERANCE_MS } from '../state/status-end.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';

/** Status of an imported error as the last pass saw it in the tracker, and what happened here since. */
export interface StatusBefore {
  readonly status: ErrorStatus;
  /** Time of that change in the tracker; null when unknown. */
  readonly changedAt: number | null;
  /** Time of the last pass. */
  readonly putAt: number;
  /** Last change by a person here; null: never. */
  readonly changedHereAt: number | null;
  /** Time of the newest own event, when it is the error's last occurrence; else null. */
  readonly ownLastAt: number | null;
}

/**
 * True when the tracker's status replaces the present one: it changed there since the last pass, later than any change
 * here. Without the time of its change a change since the last pass counts as one at that pass. A resolution older than
 * the last own event would have been reopened by it, so it is left.
 */
export function takesOverStatus(before: StatusBefore, now: ImportedStatus): boolean {
  if (isSameStatus(before, now)) return false;
  const changedAt = now.changedAt ?? before.putAt;
  if (before.changedHereAt !== null && before.changedHereAt >= changedAt) return false;
  return now.status !== 'resolved' || before.ownLastAt === null || before.ownLastAt <= changedAt;
}

/** True when nothing has changed there. A list of issues does not tell the time of a status, which is then unknown. */
export function isSameStatus(before: Pick<StatusBefore, 'status' | 'changedAt'>, now: ImportedStatus): boolean {
  return before.status === now.status && (now.changedAt === null || before.changedAt === now.changedAt);
}

/**
 * Returns the time that own events are compared with (`occurredAt`), so that one reopens the error that happened after
 * the resolution there. An unknown time is that of the last event.
 */
export function resolvedThereAt(status: ImportedStatus, lastSeen: number): number {
  return (status.changedAt ?? lastSeen) + CLOCK_TOLERANCE_MS;
}
