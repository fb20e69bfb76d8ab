import type { Delivery } from '../../domain/alerts/alert-delivery.ts';
import type { AlertFact } from '../../domain/alerts/alert-fact.ts';
import type { Outcome } from '../../domain/ingest/digest.ts';
import type { ForwardState } from '../../domain/ingest/forward.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { LinkedIssue } from '../../domain/projects/project-links.ts';
import type { SavedView } from '../../domain/search/saved-view.ts';
import type { SessionCounts } from '../../domain/releases/session.ts';
import type { UserReport } from '../../domain/events/user-report.ts';
import { KIND_NAMES, type KindRows } from '../records/kinds.ts';
import type { StoredError } from '../errors/stored-error.ts';
import type { DiscardedCopyRows } from './discarded-copy-rows.ts';
import type { ImportedCopyRows } from './imported-copy-rows.ts';

/**
 * All data of a store, in a form independent of both stores. Ids and public numbers stay the same, because DSNs, links
 * and bookmarks contain them. Hashes and event ids are hex; times are milliseconds.
 */
export interface CopyRows extends ImportedCopyRows, DiscardedCopyRows, KindRows {
  /** Greatest assigned number, so that none is assigned twice. */
  readonly counters: { readonly name: string; readonly last: number };
  readonly projects: Project & {
    /** True: history is imported into it. */
    readonly imports: boolean;
    /** True: group hashes lead to its errors. */
    readonly aliases: boolean;
    /** Time up to which its trackers got every event; null: never. */
    readonly knownUntil: number | null;
    /** True: marks may wait for its events. */
    readonly marks: boolean;
  };
  readonly redirects: { readonly path: string; readonly projectId: number };
  readonly members: { readonly projectId: number; readonly userId: number; readonly accessLevel: number };
  /** States of spools: their data dirs go on with the copy. */
  readonly forwardStates: ForwardState;
  readonly errors: StoredError;
  readonly ownNotes: {
    readonly id: number;
    readonly projectId: number;
    readonly groupHash: string;
    readonly userId: number;
    readonly at: number;
    readonly text: string;
  };
  readonly eventBlocks: {
    readonly id: number;
    readonly projectId: number;
    readonly eventIds: readonly string[];
    readonly bodies: Uint8Array;
    /** True when its bodies cannot be read; then `eventIds` are those of the events that refer to it. */
    readonly damaged: boolean;
  };
  /** Event key, with the payload where it is still stored; then group hash and version are known too. */
  readonly events: {
    readonly projectId: number;
    readonly eventId: string;
    readonly receivedAt: number;
    /** Group hash of an event without a payload, where marks may still need it; else null. */
    readonly removedFrom: string | null;
    readonly stored: {
      readonly groupHash: string;
      readonly groupingVersion: number;
      readonly at: number;
      /** A number: id of the block that has it. */
      readonly payload: Uint8Array | number;
    } | null;
  };
  readonly errorUsers: { readonly projectId: number; readonly groupHash: string; readonly userHash: string };
  /** One row per error and UTC day; `hours` by hour of the day. */
  readonly errorHours: {
    readonly projectId: number;
    readonly groupHash: string;
    readonly day: number;
    readonly hours: Readonly<Record<number, number>>;
  };
  /** One row per error. */
  readonly errorTags: {
    readonly projectId: number;
    readonly groupHash: string;
    readonly tags: readonly {
      readonly key: string;
      readonly total: number;
      readonly values: readonly { readonly value: string; readonly count: number }[];
    }[];
  };
  readonly outcomes: {
    readonly projectId: number;
    /** Whole hours since the epoch. */
    readonly hour: number;
    readonly keyId: number;
    readonly category: string;
    readonly outcome: Outcome;
    readonly reason: string;
    readonly quantity: number;
  };
  /** An empty environment stands for all of them. */
  readonly releases: SessionCounts & {
    readonly projectId: number;
    readonly environment: string;
    readonly release: string;
    readonly firstSeen: number;
    readonly lastSeen: number;
    readonly events: number;
    readonly users: number;
    readonly crashedUsers: number;
  };
  /**
   * One row per release, environment and UTC day; an empty release stands for all of them. `hours` by hour of the day.
   */
  readonly releaseHours: {
    readonly projectId: number;
    readonly environment: string;
    readonly release: string;
    readonly day: number;
    readonly hours: Readonly<Record<number, SessionCounts>>;
  };
  /** Users with sessions, and users with crashes: a row each. */
  readonly releaseUsers: {
    readonly projectId: number;
    readonly environment: string;
    readonly release: string;
    readonly userHash: string;
    readonly crashed: boolean;
  };
  /** Counted facts of a session: a row each for seen, errors, end. */
  readonly sessionRows: {
    readonly projectId: number;
    readonly sessionId: string;
    readonly kind: 'seen' | 'errored' | 'ended';
    readonly environment: string;
    readonly release: string;
    /** Whole hours since the epoch. */
    readonly hour: number;
    /** Code of the end as in session-outcomes.ts; 0 in rows of other kinds. */
    readonly ended: number;
  };
  /** Reports: one row per event with at least one. */
  readonly eventReports: {
    readonly projectId: number;
    readonly eventId: string;
    readonly reports: readonly UserReport[];
  };
  readonly alertFacts: AlertFact & { readonly addedAt: number };
  readonly alertDeliveries: Delivery;
  readonly linkedIssues: LinkedIssue & { readonly projectId: number; readonly groupHash: string };
  /** Views of one person in one project. */
  readonly savedViews: {
    readonly projectId: number;
    readonly userId: number;
    readonly views: readonly SavedView[];
  };
}

export type CopyPart = keyof CopyRows;

/** Parts in the order of copying: referenced rows go first. */
export const COPY_PARTS = [
  'counters',
  'projects',
  ...KIND_NAMES,
  'redirects',
  'members',
  'forwardStates',
  'errors',
  'ownNotes',
  'discardedGroups',
  'discardedHashes',
  'userNames',
  'errorUsers',
  'errorHours',
  'errorTags',
  'outcomes',
  'releases',
  'releaseHours',
  'releaseUsers',
  'sessionRows',
  'eventReports',
  'importSources',
  'importedErrors',
  'groupAliases',
  'knownThere',
  'importedEvents',
  'errorNotes',
  'alertFacts',
  'alertDeliveries',
  'linkedIssues',
  'savedViews',
  'eventBlocks',
  'events',
] as const satisfies readonly CopyPart[];

/** Source of a store copy. No process may write to it during the copy. */
export interface CopySource {
  count(part: CopyPart): number;
  /** Returns all rows of a part, in pages of bounded size. */
  pages<P extends CopyPart>(part: P): Iterable<readonly CopyRows[P][]>;
  /** Names of the files that rows name. */
  namedFiles(): readonly string[];
  /** Null: the file is missing. */
  openFile(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  close(): Promise<void>;
}

/** Target of a copy: an empty store, or one that an interrupted copy began to fill. */
export interface CopyTarget {
  /** Begins the copy. Throws `conflict` when the store has data from anything but an unfinished copy of this source. */
  begin(sourceId: string): Promise<void>;
  /** Writes rows; writing the same rows again changes nothing. */
  write<P extends CopyPart>(part: P, rows: readonly CopyRows[P][]): Promise<void>;
  count(part: CopyPart): Promise<number>;
  /** Writes a file; one that is there is kept. */
  putFile(name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Ends the copy and releases the store for use. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
