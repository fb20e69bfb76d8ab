/** Trackers from which history can be imported; `errgate`: an export of another errgate. */
export const SOURCE_KINDS = ['sentry', 'glitchtip', 'urgentry', 'bugsink', 'errgate'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Names of an error in its former tracker. */
export const REFERENCE_KINDS = ['issue', 'short_id', 'share_id'] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

export interface ExternalId {
  readonly kind: ReferenceKind;
  /** At most 200 characters; compared without regard to case. */
  readonly value: string;
}

/** Comment on an error. Imported ones cannot be changed. */
export interface ErrorNote {
  /** Id in the tracker; unique within the error. */
  readonly externalId: string;
  readonly author: string;
  readonly at: number;
  /** At most 10,000 characters. */
  readonly text: string;
}

/** What the page and REST show of an error's origin. */
export interface ImportedOrigin {
  readonly kind: SourceKind;
  readonly externalIds: readonly ExternalId[];
  readonly externalUrl: string | null;
  /** Part of the count that the tracker had counted. */
  readonly baseCount: number;
  readonly baseUsers: number | null;
  /** Time of the counts; null: not taken yet. */
  readonly baseAt: number | null;
  /** True: events may be missing from the count, because their ids could not be compared. */
  readonly atLeast: boolean;
  /** Status details of the tracker, as JSON, while the error has that status; null: none. */
  readonly statusDetails: string | null;
  readonly assignee: string | null;
  /** The newest 100, oldest first. */
  readonly notes: readonly ErrorNote[];
}
