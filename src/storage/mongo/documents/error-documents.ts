import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import type { FactCause } from '../../../domain/errors/fact-cause.ts';
import type { ActivityDetails, ActivityKind } from '../../../domain/errors/error-state.ts';
import type { ErrorTexts } from '../../../domain/errors/error-texts.ts';
import type { TimeRange } from '../../../domain/search/time-range.ts';
import type { StatusCode } from '../../errors/error-status.ts';
import type { Binary } from './document-keys.ts';
import type { Watermarks } from './documents.ts';

export interface FirstSeen {
  readonly at: number;
  /** Event id, 16 bytes; makes the order total. `$min` and `$max` compare members in this order. */
  readonly id: Binary;
  readonly release: string | null;
}

export interface LastSeen extends FirstSeen, ErrorTexts {
  /** Searched text: title, message, type and culprit in lower case by JavaScript's rules, one per line. */
  readonly q: string;
}

/** Marks of an error (docs/adr/0017); of a merged one the newest of its members. */
interface Marks {
  /**
   * Newest time at which an event reopened it, and the event's release; absent: never. Without a time: it was ignored
   * until a condition since.
   */
  readonly reg?: { readonly at?: number; readonly r: string | null };
  /** Newest cause of escalation; absent: none, or its status was set since. */
  readonly esc?: { readonly at: number; readonly c: FactCause };
  /** Newest time at which it stopped being ignored, and why. */
  readonly um?: { readonly at: number; readonly c: FactCause };
  /** Time of the newest fact that asks for a review; absent: none, or a member has looked at it since. */
  readonly ask?: number;
  /** True: its first stored event was not handled; absent: the event does not say. */
  readonly uh?: boolean;
}

/** What a job keeps up to date; absent: not ranked yet. */
interface Ranks {
  /** Own events in each range. */
  readonly rg?: Readonly<Record<TimeRange, number>>;
  /** Rank in the order `matters`. */
  readonly rk?: number;
}

/** Displayed row of a merge root. Computed from its members; can be recomputed at any time. */
export interface ShownGroup extends Marks, Ranks {
  /** Events, and distinct users. */
  readonly c: number;
  readonly u: number;
  /** Sum of the members' users at the last count of distinct ones. */
  readonly mu: number;
  /** Numbers of the members, its own included, ascending. */
  readonly m: readonly number[];
  readonly first: FirstSeen;
  /** Last occurrence; `q` has the texts of all members. */
  readonly last: LastSeen;
  readonly env: readonly string[];
  readonly rel: readonly string[];
  /** Types of the members; absent: written by an earlier version. */
  readonly ty?: readonly string[];
}

export interface ErrorDocument extends Marks, Ranks {
  /** Project and group hash, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Public number, unique in the store; taken from the counter `errors` in blocks. */
  readonly id: number;
  readonly v: number;
  readonly st: StatusCode;
  /** Events: own ones, and of an imported error those that only the tracker counted (`b`). */
  readonly c: number;
  /** Distinct users; of an imported error the greater of own users and those of the tracker. */
  readonly u: number;
  /** Events with a stored payload: batches add, pruning subtracts. A hint, not a displayed count. */
  readonly k: number;
  readonly first: FirstSeen;
  readonly last: LastSeen;
  /** Newest time of receipt. */
  readonly rcv: number;
  /**
   * Own event with the greatest time that decides about reopening; absent: none, or only events of earlier versions.
   */
  readonly act?: OccurredMember;
  /** The same of events of a newer release than the one it was resolved in; absent: none. */
  readonly pas?: OccurredMember;
  /** Time of resolution, by a person at least `rcv` of that moment; null in every other status. */
  readonly res: number | null;
  /** What the status waits for, as JSON; null or absent: nothing. */
  readonly det?: string | null;
  /**
   * `det` of the root that it was merged into, '{}' for none, and own events and users when it was set or the error was
   * merged; null or absent: not merged, or not rolled up yet.
   */
  readonly rdet?: string | null;
  readonly rc?: number | null;
  readonly rn?: number | null;
  /** Time until which it is ignored; null or absent: none. */
  readonly mt?: number | null;
  /** Own events and users when its status was set; null or absent: unknown. */
  readonly mc?: number | null;
  readonly mn?: number | null;
  /** Assignee; null or absent: nobody. */
  readonly as?: number | null;
  /** Activity log, oldest first: at most MAX_ACTIVITY entries. */
  readonly log?: readonly LogMember[];
  /** Own events that a tracker got too, by the time up to which it gets all; absent: none. */
  readonly kb?: number;
  /** Marks that were added to `kb` and are about to be removed; absent: none. */
  readonly kf?: readonly Binary[];
  /** Number of times that marks were added to `kb`; absent: none. */
  readonly kn?: number;
  /** Number of times that events received until a time were added to `kb`; absent: none. */
  readonly ku?: number;
  /**
   * Number of its merge root, always a lesser one. A root has its own number, which removes it from the ordinary lists.
   * Null for a single error.
   */
  readonly into: number | null;
  /** Displayed row; only where `into` is its own number. */
  readonly g?: ShownGroup;
  /** Environments and releases for filters: the bounded values of the tags. */
  readonly env?: readonly string[];
  readonly rel?: readonly string[];
  readonly w: Watermarks;
  /** Only in imported errors, whose grouping version is 0. */
  readonly imp?: ImportedCounters;
  /** Time of the last change of the status by a person; absent: never. */
  readonly sta?: number;
  /** Facts on their way to the log of alerts, oldest first, and 1 while the member `pf` exists; absent: none. */
  readonly pf?: readonly PendingFact[];
  readonly pn?: 1;
  /**
   * Number of affected users at which the next fact is due; absent: FIRST_USERS_STEP. Of own users; in a merge root of
   * the distinct users of all members.
   */
  readonly un?: number;
  /**
   * Terms by which searches for files (`f:`) and functions (`n:`) find it, from its first event; absent: not there yet,
   * because the error is older than they are.
   */
  readonly tm?: readonly string[];
  /** 1: ranks and totals of ranges are out of date; absent: they are not. */
  readonly dq?: 1;
  /** Time at which they change without an event; absent: never. */
  readonly due?: number;
}

/** Condition of the errors' index `to_rank`; queries that use it must repeat it. */
export const TO_RANK = { dq: 1 } as const;

/** Fact of the error whose document has it. */
export type PendingFact = Omit<NewFact, 'projectId' | 'errorId'>;

/** Condition of the errors' index `pending`; queries that use it must repeat it. */
export const WITH_FACTS = { pn: 1 } as const;

/** What an imported error counts beside its shown totals. */
export interface ImportedCounters {
  /** Base: events that the tracker counted, less the own ones among them. */
  readonly b: number;
  /** Users that the tracker counted; null: unknown. */
  readonly bu: number | null;
  /** Own distinct users. */
  readonly uo: number;
  /** Events that the tracker counted at the last base, its time, and own events known there; absent: no base yet. */
  readonly tc?: number;
  readonly at?: number;
  readonly ka?: number;
  /** Newest time of an own event; absent: none yet. */
  readonly ot?: number;
}

/** An event by the time that decides about reopening. `$max` compares members in this order. */
export interface OccurredMember {
  readonly at: number;
  readonly r: string | null;
}

/** Entry of the activity log: time, kind, user, particulars. */
export interface LogMember {
  readonly at: number;
  readonly k: ActivityKind;
  readonly u: number | null;
  readonly d: ActivityDetails;
}

/** Note of a person on an error. */
export interface OwnNoteDocument {
  /** Project, group hash and number, 24 bytes. */
  readonly _id: Binary;
  readonly p: number;
  readonly u: number;
  readonly at: number;
  readonly m: string;
}

/** User of an error; the mark names the batch that counted the user. */
export interface ErrorUserDocument {
  /** Project, group hash and user hash, 32 bytes. */
  readonly _id: Binary;
  readonly p: number;
  readonly s: number;
  readonly n: number;
  /** Hash of the user, by which the user's errors are found. */
  readonly h: Binary;
}

/** Name of a user, which searches may give instead of what identifies it. */
export interface UserNameDocument {
  /** Project, hash of the name and user hash, 28 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** UTC day on which an event last had the name, or up to a week before. */
  readonly d: number;
}

/**
 * Error that was deleted. Batches that were claimed by then, or that are claimed while it is being deleted, write nothing
 * of its group.
 */
export interface DeletedErrorDocument {
  /** Id of the error's document. */
  readonly _id: Binary;
  readonly p: number;
  /** Number that the error had. */
  readonly id: number;
  /** Time of the deletion. */
  readonly at: number;
  /** 1 while it is being deleted; 2 until late writes of its batches were looked for; absent afterwards. */
  readonly busy?: number;
  /** Newest batch of each slot that belongs to it; absent before its data is removed. */
  readonly w?: Watermarks;
}

/** Condition of the index `unfinished`; queries that use it must repeat it. */
export const UNFINISHED = { busy: { $gt: 0 } } as const;

/** Group hash whose events are dropped. */
export interface DiscardedHashDocument {
  /** Project and group hash, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Number of the discarded group. */
  readonly g: number;
}

/** Events of an error by the hours of one UTC day. */
export interface ErrorHoursDocument {
  /** Project, group hash and day, 24 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Whole days since the epoch. */
  readonly d: number;
  /** Events by hour of the day, `'0'` to `'23'`. */
  readonly h: Readonly<Record<string, number>>;
  readonly w: Watermarks;
}

export interface TagKeyCounts {
  /** The tag's key. */
  readonly k: string;
  /** Events with the tag; the excess over the values is `other`. */
  readonly n: number;
  /** Counted values by their `tagHash`. */
  readonly v?: Readonly<Record<string, { readonly v: string; readonly c: number }>>;
}

/** Tags of an error, bounded when a batch is planned. */
export interface ErrorTagsDocument {
  /** Id of the error's document. */
  readonly _id: Binary;
  readonly p: number;
  /** Tags by the `tagHash` of their key. */
  readonly t: Readonly<Record<string, TagKeyCounts>>;
  /** Terms by which searches find the counted keys and values: see `tagTerm`. */
  readonly x?: readonly string[];
  readonly w: Watermarks;
}
