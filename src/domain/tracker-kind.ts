/** Kinds of external trackers that are told apart; `unknown`: looked at, and none of these. */
export const TRACKER_KINDS = ['sentry', 'glitchtip', 'urgentry', 'bugsink', 'unknown'] as const;

export type TrackerKind = (typeof TRACKER_KINDS)[number];

/** What the tracker behind an address was found to be. */
export interface FoundTracker {
  /** Scheme, host and sub-path for which this was found; of other addresses it says nothing. */
  readonly base: string;
  readonly kind: TrackerKind;
  /** As the tracker writes it, at most 50 characters; null where it does not tell. */
  readonly version: string | null;
  /** When it was found, in milliseconds. */
  readonly checkedAt: number;
}
