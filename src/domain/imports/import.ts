import type { GroupHash } from '../ingest/digest.ts';
import type { ExternalId, SourceKind } from '../errors/error-origin.ts';
import type { StoredMarks } from '../errors/error-marks.ts';
import type { TrackerTexts } from '../errors/error-texts.ts';
import type { FrequencyPoint } from '../errors/tracked-error.ts';
import type { ErrorStatus } from '../errors/error-status.ts';

export {
  type ErrorNote,
  type ExternalId,
  type ImportedOrigin,
  type ReferenceKind,
  type SourceKind,
} from '../errors/error-origin.ts';

/** A tracker's project whose history goes into a project. */
export interface NewImportSource {
  readonly projectId: number;
  readonly kind: SourceKind;
  /** Scheme, host, port and sub-path of the tracker; no trailing slash. For `errgate`: the id of the export's store. */
  readonly url: string;
  readonly organization: string;
  /** Slug of the project there. */
  readonly project: string;
  /** Number or id of the project there, as its DSNs name it; null when unknown. */
  readonly externalProjectId: string | null;
}

export interface ImportSource extends NewImportSource {
  readonly id: number;
  readonly createdAt: number;
  /** Until then the tracker gets every event by another way too; milliseconds, null: only what was forwarded. */
  readonly bothReceiveUntil: number | null;
}

/** Status of an imported error, with its time in the tracker. */
export interface ImportedStatus {
  readonly status: ErrorStatus;
  /** Time of the last change of the status there; null when unknown. For `resolved` reopening compares it. */
  readonly changedAt: number | null;
  /** Status details as the tracker has them (release, commit, condition), as JSON of at most 2 KB; null: none. */
  readonly details: string | null;
}

/**
 * One issue of a tracker in the form of the store, without its counts. Culprit, level, platform and releases are null
 * where they are unknown: known ones stay. New errors are of `error` and `other` then.
 */
export interface ImportedError extends TrackerTexts {
  readonly sourceId: number;
  /** Id of the issue there: identifies the error in further passes. At most 64 characters. */
  readonly issueId: string;
  /** Every name of the issue, its id included. */
  readonly externalIds: readonly ExternalId[];
  /** Its page there; shown as text and link after the URL was checked to be http(s). */
  readonly externalUrl: string | null;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  readonly status: ImportedStatus;
  /** E-mail address of the assignee there; null: none. */
  readonly assignee: string | null;
  /** Marks of an export of errgate, set when the error is created; absent: none. */
  readonly marks?: StoredMarks;
  /**
   * Member of the project with that address; absent: none. The error is assigned to it in the same write, or on a later
   * pass, unless it was assigned or unassigned here before, or is merged.
   */
  readonly assigneeId?: number;
}

/** Counts of an issue, read at one moment. */
export interface ImportedCounts {
  /** Events the tracker counted for the issue. */
  readonly count: number;
  /** Affected users it counted; null when it reports none. */
  readonly users: number | null;
  /** `knownThere` of the error, read before and again after the tracker was asked: both were equal to it. */
  readonly knownThere: number;
  /** Time of the answer by the tracker's clock; milliseconds. */
  readonly at: number;
  /** Events per hour there, of the last 24 hours, and per UTC day of the last 30 days; empty when unknown. */
  readonly hours: readonly FrequencyPoint[];
  readonly days: readonly FrequencyPoint[];
}

/**
 * `set`: base and total were changed together. `unchanged`: they are as before. `moved`: `knownThere` has changed since
 * it was read, the issue waits for the next pass. `fewer`: the tracker counts less than before; nothing was changed.
 */
export type BaseResult = 'set' | 'unchanged' | 'moved' | 'fewer';

export const ALIAS_ORIGINS = ['event_id', 'group_key', 'likeness'] as const;
export type AliasOrigin = (typeof ALIAS_ORIGINS)[number];
/** `mapped`: a mapped event went on an error of events that came before their map. */
export type StoredAliasOrigin = AliasOrigin | 'mapped';

/** Group hash whose next events are counted in an imported error. */
export interface NewAlias extends GroupHash {
  readonly origin: AliasOrigin;
  /** The key is made of a message or a fallback alone: it joins one issue only, and never two. */
  readonly weak: boolean;
  /** True: it is taken from another imported error that it leads to. */
  readonly takesOver?: true;
  /**
   * True: the key is one of an earlier grouping version, and is added only where an error has it already. Events that
   * come later are found by the newer key, which may separate what the former one joins.
   */
  readonly isFormer?: true;
}

/**
 * `added`; `kept`: it led to this error before. `own_error`: an error has this group hash already (`errorId`) and is
 * not merged with this one yet: merge the two. `taken`: it leads to another imported error (`errorId`), which keeps it.
 * `ended`: a person ended it or separated the two errors: leave it. `absent`: no error has this former key.
 */
export type AliasResult =
  | { readonly kind: 'added' | 'kept' | 'ended' | 'absent' }
  | { readonly kind: 'own_error' | 'taken'; readonly errorId: string };

/** Body of an event that the tracker still had. Never counted. */
export interface ImportedEvent {
  readonly eventId: string;
  readonly at: number;
  /** NormalisedEvent, encoded by the payload codec. */
  readonly payload: Uint8Array;
}

/** Release of a tracker. */
export interface ImportedRelease {
  readonly release: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
}
