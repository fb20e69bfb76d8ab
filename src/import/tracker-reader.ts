import type { ExternalId, ImportedRelease, ImportedStatus, SourceKind } from '../domain/imports/import.ts';
import type { TrackerTexts } from '../domain/errors/error-texts.ts';
import type { FrequencyPoint } from '../domain/errors/tracked-error.ts';
import type { Project } from '../domain/projects/project.ts';

/** What only an export of errgate, or a file of projects, tells of a project. */
export interface ProjectSettings {
  /** Path here, unless another one is chosen. */
  readonly path: string;
  readonly visibility: Project['visibility'];
  readonly monitorEnabled: boolean;
  /** Further ids in DSNs. */
  readonly aliasIds: readonly string[];
}

export interface RemoteProject {
  /** Id as DSNs name it; null when the tracker does not tell. */
  readonly id: string | null;
  readonly slug: string;
  readonly name: string;
  readonly platform: string | null;
  /** Features that the project uses there and that errgate does not have, as texts for people; as far as it tells. */
  readonly uses: readonly string[];
  /** Absent: `<organization>/<slug>`, private, with monitoring on. */
  readonly settings?: ProjectSettings;
}

export interface RemoteKey {
  /** As applications use it: `\w{1,255}`, without dashes. */
  readonly publicKey: string;
  readonly label: string | null;
  readonly active: boolean;
  /** Events per window in seconds; null: none. */
  readonly rateLimit: { readonly window: number; readonly count: number } | null;
}

/**
 * Culprit, level, platform and releases are null where the tracker does not tell them; the newest and oldest events may.
 */
export interface RemoteIssue extends TrackerTexts {
  readonly id: string;
  readonly externalIds: readonly ExternalId[];
  readonly url: string | null;
  /** Platform of the project, for issues without events. */
  readonly projectPlatform: string | null;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  /** Null: skipped by its state there (being merged, deleted or reprocessed); `skipped` says which. */
  readonly status: ImportedStatus | null;
  readonly skipped: string | null;
  readonly assignee: string | null;
  /** Null: the tracker does not tell; the base is not changed then. */
  readonly count: number | null;
  readonly users: number | null;
  readonly hours: readonly FrequencyPoint[];
  readonly days: readonly FrequencyPoint[];
  readonly commentCount: number;
  /** Null: unknown, ask for them. */
  readonly reportCount: number | null;
  /** False: from a list, without what only `issue` tells: time of the status, releases, days, number of reports. */
  readonly isWhole: boolean;
}

export interface UnreadRow {
  /** Null: it has none that can be used. */
  readonly id: string | null;
  readonly reason: string;
  /** True: it is no error of the project, so nothing is missing without it. */
  readonly isOther?: boolean;
}

export interface IssuePage {
  readonly issues: readonly RemoteIssue[];
  /** Rows that could not be read, each with its reason. */
  readonly leftOut: readonly UnreadRow[];
  /** Continues behind this page, also in a later process; null after the last one. */
  readonly next: string | null;
  /** `Date` of the answer by the tracker's clock, milliseconds. */
  readonly at: number;
}

/** Event as the tracker still has it, in the shape that SDKs send. Trees are cut at 20 levels. */
export interface RemoteEvent {
  /** 32 lower-case hex digits. */
  readonly eventId: string;
  /** Time of the event there; milliseconds. */
  readonly at: number;
  /** Body to store: as the SDK sent it, as far as the tracker's work can be undone. */
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Further forms in which the next event of the same error may come: with the stack as sent where it was mapped by
   * source maps, or mapped where it was not. Each gives a group key.
   */
  readonly variants: readonly Readonly<Record<string, unknown>>[];
  /** Values were replaced by the tracker's scrubber, so a key made of the message alone is unreliable. */
  readonly scrubbed: boolean;
  /** True: from a list, for display. The group key is that of another event of the issue, and nothing is made of it. */
  readonly isShownOnly?: boolean;
}

export interface EventsWanted {
  /** Newest events, 0 to 100. */
  readonly newest: number;
  /** Time of the first event by the tracker, milliseconds: tells whether a list has all events. */
  readonly firstSeen: number;
  /**
   * Group key of an event in the shape of the API; null: it has none. Of events with one key only one is read as it
   * was sent.
   */
  readonly keyOf: (event: RemoteEvent) => string | null;
}

export interface RemoteComment {
  readonly id: string;
  readonly author: string;
  readonly at: number;
  readonly text: string;
}

export interface RemoteReport {
  readonly eventId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly comments: string;
  readonly at: number;
}

/** Member of the organization, or a person that was invited. */
export interface RemoteMember {
  /** In lower case; at most 254 characters. */
  readonly email: string;
  readonly name: string | null;
  /** As the tracker calls it. */
  readonly role: string | null;
}

/** Parts that have a poorer form for tokens with fewer scopes. */
export type PoorPart = 'projects' | 'events';

/** Reads projects and their keys, of a tracker or from a file. Values are hostile, and bounded. */
export interface ProjectsReader {
  readonly kind: SourceKind;
  /** Version of the tracker; null when unknown. */
  readonly version: string | null;
  /** What this tracker or token cannot give, and why: sentences for the report. More are found while reading. */
  readonly cannot: readonly string[];
  projects(signal: AbortSignal): AsyncIterable<RemoteProject>;
  keys(project: string, signal: AbortSignal): AsyncIterable<RemoteKey>;
}

/**
 * Reads one organization of a tracker. Pages neither miss nor repeat issues while they move. Answers are hostile: every
 * list, text and depth is bounded. Throws AppError with a `tracker_…` code; waits for limits by itself.
 */
export interface TrackerReader extends ProjectsReader {
  /** What was read in part only for want of a scope of the token, as sentences; more are found while reading. */
  lacks(part: PoorPart): readonly string[];
  /**
   * `all`: by first occurrence, newest first, which does not change, or else repeated until no new issue comes.
   * `recent`: by last occurrence, newest first, for passes that stop at a known time. An issue that moves up during such
   * a pass comes in the next one, if that reads back to the start of this pass. No issue comes twice in one iteration.
   * `from`: `next` of an earlier page; issues may come again then, also when the tracker refuses the old position.
   */
  issues(project: string, order: 'all' | 'recent', from: string | null, signal: AbortSignal): AsyncIterable<IssuePage>;
  /**
   * Null when the issue is gone. A merged issue answers under its new id; `externalIds` has the asked one too. `charts`:
   * false where they are known, because some trackers have them apart; default true.
   */
  issue(
    project: string,
    id: string,
    signal: AbortSignal,
    wanted?: { readonly charts: boolean },
  ): Promise<{ issue: RemoteIssue; at: number } | null>;
  /**
   * One event per grouping hash of the tracker (at most 200), the newest and the oldest, and further ones up to
   * `newest` of the newest. Each once; those that are gone or too large are missing.
   */
  events(project: string, issueId: string, wanted: EventsWanted, signal: AbortSignal): AsyncIterable<RemoteEvent>;
  comments(project: string, issueId: string, signal: AbortSignal): Promise<RemoteComment[]>;
  reports(project: string, issueId: string, signal: AbortSignal): Promise<RemoteReport[]>;
  /**
   * Time of the newest user report of each issue that got one since a time, milliseconds. Null: lists of issues show
   * not all that changes without an event, and nothing else does; the issues themselves tell.
   */
  reportsSince(project: string, since: number, signal: AbortSignal): Promise<ReadonlyMap<string, number> | null>;
  releases(project: string, signal: AbortSignal): AsyncIterable<ImportedRelease>;
  /** Id of the issue that has the event; null when the tracker does not know it or cannot tell. */
  issueOfEvent(project: string, eventId: string, signal: AbortSignal): Promise<string | null>;
  /** Events the project counted per UTC day, `[day start in seconds, count]`; null when it cannot tell. */
  days(project: string, signal: AbortSignal): Promise<readonly FrequencyPoint[] | null>;
  /** Alert rules as text, for a list of things to set up again. */
  alertRules(project: string, signal: AbortSignal): Promise<string[]>;
  /** Members of the organization, each address once; at most 1,000. Empty where the token or tracker has none. */
  members(signal: AbortSignal): Promise<RemoteMember[]>;
  close(): void;
}
