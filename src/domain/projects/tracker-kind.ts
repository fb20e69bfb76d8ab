/** Kinds of external trackers that errgate distinguishes; `unknown`: checked, and none of these. */
export const TRACKER_KINDS = ['sentry', 'glitchtip', 'urgentry', 'bugsink', 'unknown'] as const;

export type TrackerKind = (typeof TRACKER_KINDS)[number];

/** Detected tracker behind an address. */
export interface FoundTracker {
  /** Scheme, host and sub-path that were checked; not valid for other addresses. */
  readonly base: string;
  readonly kind: TrackerKind;
  /** Version string of the tracker, at most 50 characters; null when not reported. */
  readonly version: string | null;
  /** Time of the check, in milliseconds. */
  readonly checkedAt: number;
}
