/** Commit that resolves an error; hexadecimal digits in lower case, see `commitName`. */
export interface InCommit {
  readonly commit: string;
  readonly repository: string | null;
}

/**
 * What the status of an error waits for, as trackers name it; empty: nothing. With `inRelease` or `inNextRelease` only
 * events of a newer release reopen a resolved error. Each `ignore…` ends the status ignored; the first one counts.
 */
export interface StatusDetails {
  /** Release in which it is resolved. At most MAX_RELEASE characters. */
  readonly inRelease?: string;
  readonly inNextRelease?: true;
  /** With `inNextRelease`: the newest release at that time; null: there was none. */
  readonly afterRelease?: string | null;
  /**
   * Commit that resolves it. Where a release names it in its version, then or later, `inRelease` is that release; else it
   * is shown only, because other commits of releases are not known.
   */
  readonly inCommit?: InCommit;
  /** Milliseconds since the epoch. */
  readonly ignoreUntil?: number;
  /** Number of further events, 1 to MAX_IGNORE_COUNT. */
  readonly ignoreCount?: number;
  /** Number of further affected users, 1 to MAX_IGNORE_COUNT. */
  readonly ignoreUserCount?: number;
}

/** Maximum characters of a release, as in events. */
export const MAX_RELEASE = 200;
export const MAX_IGNORE_COUNT = 1_000_000_000;

/** Instead of a version: the newest release at the time of the request. */
export const LATEST_RELEASE = 'latest';

/** Optional parts of a change of status. */
export interface StatusChange {
  readonly details?: StatusDetails;
  /** User that makes the change; null or absent: not known. */
  readonly userId?: number | null;
  /** Issue on the host whose change this one follows; absent: none. */
  readonly issue?: ChangingIssue;
  /** Name of the access token of the agent through which the user makes it; absent: none. */
  readonly agent?: string;
}

/** Issue on the host, as the activity log names it. */
export interface ChangingIssue {
  readonly url: string;
  readonly title: string;
}

/** Events and users that have counted for a condition of ignored; whole numbers from 0. */
export interface Counted {
  readonly events: number;
  readonly users: number;
}

/** Member of a project, as shown. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

/** Maximum notes of people on one error. */
export const MAX_NOTES_OF_ERROR = 200;
/** Maximum characters of a note. */
export const MAX_NOTE_LENGTH = 10_000;

/** Note on an error, by a person or imported. */
export interface Note {
  /** Number as text; of an imported note its id in the tracker, after `imported:`. */
  readonly id: string;
  /** Null: imported, or the user was removed. */
  readonly author: Person | null;
  /** Name to show; of an imported note as the tracker had it. */
  readonly authorName: string;
  readonly at: number;
  readonly text: string;
  /** Imported notes cannot be changed. */
  readonly imported: boolean;
}

/** User that deletes a note. `ofOthers`: may delete notes of other authors too. */
export interface NoteRemover {
  readonly userId: number;
  readonly ofOthers: boolean;
}

/** `not_own`: the note has another author, and the user may not delete those. */
export type NoteRemoval = 'removed' | 'not_own' | 'unknown';

export const ACTIVITY_KINDS = [
  'resolved',
  'ignored',
  'unresolved',
  'regressed',
  'unmuted',
  'assigned',
  'unassigned',
  'note_added',
  'note_removed',
  'merged',
  'unmerged',
  'imported',
  'issue_linked',
  'issue_unlinked',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** Condition that ended the status ignored. */
export const UNMUTE_REASONS = ['until', 'events', 'users'] as const;
export type UnmuteReason = (typeof UNMUTE_REASONS)[number];

/** Particulars of an activity; only those of its kind are present. */
export interface ActivityDetails {
  /** `resolved`, `ignored`: what the status waits for. `unmuted`: what it waited for. */
  readonly status?: StatusDetails;
  /** `regressed`: release of the event; null: it has none. */
  readonly release?: string | null;
  readonly reason?: UnmuteReason;
  /** `assigned`, `unassigned`: id of the user. */
  readonly assigneeId?: number;
  readonly noteId?: string;
  /** `merged`, `unmerged`: the other errors. */
  readonly errorIds?: readonly string[];
  /** `imported`: kind of tracker and issue there. Also of a status that was changed in the tracker. */
  readonly source?: string;
  readonly issueId?: string;
  /**
   * `issue_linked`, `issue_unlinked`: address and title of the issue on the host. `resolved`, `unresolved`: of the issue
   * that was closed or reopened there.
   */
  readonly issueUrl?: string;
  readonly issueTitle?: string;
  /** Name of the access token of an agent, through which the user did it. */
  readonly agent?: string;
  /** Entry of an export of another errgate: its id there. Absent: it happened here. */
  readonly importedId?: string;
  /** Of an imported entry: e-mail address or username of its people, where they are no members here. */
  readonly userName?: string;
  readonly assigneeName?: string;
}

/** Entry of an error's activity log, as stored. */
export interface ActivityEntry {
  readonly at: number;
  readonly kind: ActivityKind;
  /** User that did it; null: errgate itself, an import, or a command. */
  readonly userId: number | null;
  readonly details: ActivityDetails;
}

/** Entry with its people by name; null: none, or the user is unknown. */
export interface Activity extends Omit<ActivityEntry, 'userId'> {
  readonly user: Person | null;
  readonly assignee: Person | null;
}

/** Returns the particulars of a change of the status. `details`: what the new status waits for. */
export function statusParticulars(details: StatusDetails | null, { issue, agent }: StatusChange): ActivityDetails {
  return {
    ...(details === null ? {} : { status: details }),
    ...(issue === undefined ? {} : { issueUrl: issue.url, issueTitle: issue.title }),
    ...(agent === undefined ? {} : { agent }),
  };
}

/** Maximum entries kept per error, and shown; the oldest are dropped. */
export const MAX_ACTIVITY = 100;
