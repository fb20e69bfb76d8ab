import type { StoredMarks } from '../errors/error-marks.ts';
import type { ErrorNote, ImportedOrigin } from '../imports/import.ts';
import type { ActivityEntry, StatusDetails } from '../errors/error-state.ts';
import type { GroupHash } from '../ingest/digest.ts';
import type { ErrorTexts } from '../errors/error-texts.ts';
import type { LinkedIssue } from '../projects/project-links.ts';
import type { FrequencyPoint } from '../errors/tracked-error.ts';
import type { ErrorStatus } from '../errors/error-status.ts';
import type { UserReport } from '../events/user-report.ts';

/** Group hash that leads to an error. */
export interface ExportedGroupHash extends GroupHash {
  /** Group hash of the mapped events that alone go on with its events; absent: none do yet. */
  readonly continuedBy?: string;
}

/** Row of an error: a merged error has one per member. */
export interface ExportedError extends ErrorTexts {
  readonly id: string;
  readonly projectId: number;
  /** Group hash of its own events, and those whose events are counted in it too. Version 0: of an imported error. */
  readonly groupHashes: readonly ExportedGroupHash[];
  readonly status: ErrorStatus;
  readonly resolvedAt: number | null;
  /** What the status waits for; null: nothing. */
  readonly details: StatusDetails | null;
  /** E-mail address of the assignee, else its username; null: none. */
  readonly assignee: string | null;
  /** Notes of people here, oldest first; ids are `own:` and a number. */
  readonly ownNotes: readonly ErrorNote[];
  /** Issues on the host, oldest first. */
  readonly linkedIssues: readonly ExportedIssue[];
  readonly marks: StoredMarks;
  /** Id of the root of a merged error, which may be its own; null: not merged. */
  readonly mergedInto: string | null;
  readonly count: number;
  readonly userCount: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  /** Events per hour, oldest first; hours that retention removed are missing. */
  readonly hours: readonly FrequencyPoint[];
  /** Events per hour, and per UTC day, that a former tracker had counted; empty unless the error was imported. */
  readonly baseHours: readonly FrequencyPoint[];
  readonly baseDays: readonly FrequencyPoint[];
  /** Null when the error was not imported. */
  readonly origin: ImportedOrigin | null;
}

/** Issue on the host that belongs to an error. */
export interface ExportedIssue extends Pick<LinkedIssue, 'url' | 'title' | 'at'> {
  /** E-mail address of the person, else the username; null: a removed user, or it was imported. */
  readonly user: string | null;
}

/** Stored event, or the body of an event of another tracker (`imported`), which never counts. */
export interface ExportedEvent {
  readonly projectId: number;
  readonly errorId: string;
  /** Group hash that counts it. */
  readonly groupHash: GroupHash;
  readonly eventId: string;
  readonly receivedAt: number;
  readonly imported: boolean;
  /** NormalisedEvent as JSON; null when its bytes are damaged. */
  readonly json: Buffer | null;
}

export interface ExportedRelease {
  readonly projectId: number;
  readonly release: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/** Report of a user about an event. */
export interface ExportedReport {
  readonly projectId: number;
  readonly eventId: string;
  /** Error that has the event; null: the event never came, or was removed. */
  readonly errorId: string | null;
  readonly report: UserReport;
}

/** Entry of the activity log of an error. */
export interface ExportedActivity {
  readonly projectId: number;
  readonly errorId: string;
  readonly entry: ActivityEntry;
  /** E-mail address, else username; null: none, or a removed user. */
  readonly user: string | null;
  readonly assignee: string | null;
}

export interface ExportBounds {
  /** Null: all projects. */
  readonly projectId: number | null;
  /** Errors and releases seen, and events and reports received, at this time or later; null: all. */
  readonly since: number | null;
}

/**
 * One state of the store, read in pages of bounded size while others write: a read transaction of the embedded store;
 * with MongoDB the errors and events that were stored when it was opened.
 */
export interface ExportSource {
  /** By id. */
  errors(bounds: ExportBounds): AsyncIterable<readonly ExportedError[]>;
  /** Nearly in the order of receipt. Bodies of a block are inflated together. */
  events(bounds: ExportBounds): AsyncIterable<readonly ExportedEvent[]>;
  /** Activity logs of the errors; each log oldest first. */
  activity(bounds: ExportBounds): AsyncIterable<readonly ExportedActivity[]>;
  /** Releases in all environments. */
  releases(bounds: ExportBounds): AsyncIterable<readonly ExportedRelease[]>;
  /** Reports of users, by event. */
  reports(bounds: ExportBounds): AsyncIterable<readonly ExportedReport[]>;
  close(): Promise<void>;
}
