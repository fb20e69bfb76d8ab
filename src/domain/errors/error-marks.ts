import type { FactCause } from './fact-cause.ts';

/** An error is new for this time after its first event, in milliseconds. */
export const NEW_FOR_MS = 86_400_000;
/** An error is escalating for this time after the last fact that said so, in milliseconds. */
export const ESCALATING_FOR_MS = 86_400_000;
/** An error asks for a review for this time unless a member looks at it, and its regression is shown; in milliseconds. */
export const REVIEW_FOR_MS = 7 * 86_400_000;

/**
 * What deserves attention about an error. The stored parts change where facts of alerts are added (docs/adr/0016), in
 * the same write; `new` and the ends of all marks come from the time of the question. Those of external trackers are
 * what the tracker says: it names no times, releases and causes.
 */
export interface ErrorMarks {
  /** First seen within NEW_FOR_MS; external trackers use their own definition of new. */
  readonly isNew: boolean;
  /**
   * Last time within REVIEW_FOR_MS that an event reopened it, and the event's release; null: none, it is not unresolved,
   * or it was ignored until a condition since. `at` null: unknown when.
   */
  readonly regressed: { readonly at: number | null; readonly release: string | null } | null;
  /**
   * Newest cause of `escalated` within ESCALATING_FOR_MS; null: none, or it is not unresolved. `at` null: unknown since
   * when; the cause has no members then.
   */
  readonly escalating: { readonly at: number | null; readonly cause: FactCause } | null;
  /**
   * When and by which condition it stopped being ignored, while it asks for a review; null: it did not, or a member has
   * looked at it since.
   */
  readonly unmuted: { readonly at: number; readonly cause: FactCause } | null;
  /** Whether its first stored event was not handled by the program; null: the event does not say. */
  readonly unhandled: boolean | null;
  /**
   * Unresolved, and became new, regressed, escalating or unmuted within REVIEW_FOR_MS, and no member looked since. Setting
   * its status, assigning it and writing a note count as a look. Imported errors ask for none until they come back,
   * unless an export of errgate says that they do. Null: unknown, in external trackers.
   */
  readonly forReview: boolean | null;
}

/** Marks that external trackers name. */
export const TRACKER_MARKS = ['new', 'regressed', 'escalating'] as const satisfies readonly Mark[];

/** Marks of an error in a tracker that names them, and has none for it. */
export const NO_TRACKER_MARKS: ErrorMarks = {
  ...{ isNew: false, regressed: null, escalating: null, unmuted: null, unhandled: null, forReview: null },
};

/** Marks as stored; null: none. Times in milliseconds since the epoch. */
export interface StoredMarks {
  readonly regressed: { readonly at: number; readonly release: string | null } | null;
  readonly escalated: { readonly at: number; readonly cause: FactCause } | null;
  readonly unmuted: { readonly at: number; readonly cause: FactCause } | null;
  /** Time of the newest fact that asks for a review. */
  readonly reviewAt: number | null;
  readonly unhandled: boolean | null;
}

/** Marks by which lists and searches choose. */
export const MARKS = ['new', 'regressed', 'escalating', 'unhandled', 'for_review'] as const;
export type Mark = (typeof MARKS)[number];
