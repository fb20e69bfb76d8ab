import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import type { FactCause, NewFact } from '../../domain/alert-fact.ts';
import type { Level } from '../../domain/event.ts';
import type { Outcome } from '../../domain/digest.ts';
import type { ActivityDetails, ActivityKind } from '../../domain/error-state.ts';
import type { TimeRange } from '../../domain/time-range.ts';
import type { StatusCode } from '../error-status.ts';
import { foldedText } from '../sought-tags.ts';

/**
 * Documents written by batches. Every `_id` begins with the project's four bytes, and `p` has the project too. Then
 * `{p: 1, _id: 1}` can be the shard key, and every filter can name both. Field names are short because each document
 * has them; times are milliseconds since the epoch.
 */
export type Binary = mongo.Binary;

/** Number of the last batch of each slot in the document: `{ '3': 17 }`. */
export type Watermarks = Record<string, number>;

/**
 * Event: one document is key and payload, because a second write per event would double the cost. Pruning a payload is
 * `$unset: {d}`; the rest identifies repeats and is removed later.
 */
export interface EventDocument {
  /** Project and event id, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Group hash, 16 bytes. */
  readonly l: Binary;
  /** Grouping version that computed the group hash. */
  readonly v: number;
  /** Hash of the affected user, 12 bytes. */
  readonly u: Binary | null;
  readonly at: number;
  /** Time of receipt. */
  readonly r: number;
  /** Slot and batch that counted it. */
  readonly s: number;
  readonly n: number;
  /** Payload as the event codec wrote it, or a reference to the block that has it (`blockRef`); absent when pruned. */
  readonly d?: Binary;
  /** 1 while the payload stands by itself and may be packed into a block; absent in documents of earlier versions. */
  readonly i?: 1;
  /** Number of times that the payload left a block; absent: never. */
  readonly g?: number;
  /** 1: the project's tracker got every event when this one was received. */
  readonly kt?: 1;
}

/** Condition of the events' index `of_error`; queries that use it must repeat it. */
export const WITH_PAYLOAD = { d: { $exists: true } } as const;

/** Condition of the events' index `unpacked`; queries that use it must repeat it. */
export const UNPACKED = { i: 1 } as const;

export interface FirstSeen {
  readonly at: number;
  /** Event id, 16 bytes; makes the order total. `$min` and `$max` compare members in this order. */
  readonly id: Binary;
  readonly release: string | null;
}

export interface LastSeen extends FirstSeen {
  readonly type: string | null;
  readonly message: string | null;
  readonly title: string;
  readonly culprit: string | null;
  readonly level: Level;
  readonly platform: string;
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

/** Items of a project, key and hour with the same outcome. `_id` sorts by project, then hour. */
export interface OutcomeDocument {
  /** Project, hour and a hash of the rest, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Whole hours since the epoch. */
  readonly hr: number;
  readonly k: number;
  readonly c: string;
  readonly o: Outcome;
  readonly r: string;
  readonly q: number;
  readonly w: Watermarks;
}

/** Slot: a small number of one journal while it is in use. Its batch numbers only increase, across journals. */
export interface SlotDocument {
  readonly _id: number;
  /** The journal's id; absent while the slot is free. Unique among slots. */
  readonly j?: string;
  /** Owner: the data dir that writes; a copy of it is another owner. */
  readonly o: string;
  /** Number of the newest batch in the store, used in marks and watermarks. */
  readonly n: number;
  /** Number of the same batch in its journal. */
  readonly l: number;
  /** The newest batch's hash. */
  readonly h: string;
  /** True while the newest batch is claimed and not confirmed. */
  readonly open: boolean;
  /**
   * True when its plan is final: the batch can only be completed. Exception: no plan became durable and its records are
   * lost.
   */
  readonly fixed: boolean;
  /** Owner, and a nonce, that made the newest batch's plan final; empty or absent without one. */
  readonly by?: string;
  /** Numbers claimed and abandoned without counting anything. */
  readonly x: readonly number[];
  /** Time of the owner's last heartbeat. */
  readonly seen: number;
  /** Time of the owner's last orderly end; it runs only when `seen` is later. */
  readonly off?: number;
}

export interface CounterDocument {
  readonly _id: string;
  /** Greatest assigned number. */
  readonly next: number;
  /** Greatest number that belongs to the issues of former trackers; absent: none does. Only of errors. */
  readonly reserved?: number;
}

export function eventKey(projectId: number, eventId: string): Binary {
  return key(projectId, eventId, 16);
}

export function errorKey(projectId: number, groupHash: string): Binary {
  return key(projectId, groupHash, 16);
}

export function errorUserKey(projectId: number, groupHash: string, userHash: string): Binary {
  return key(projectId, groupHash + userHash, 28);
}

/** Returns the key of a user's name; both hashes as 24 hex digits. */
export function userNameKey(projectId: number, nameHash: string, userHash: string): Binary {
  return key(projectId, nameHash + userHash, 24);
}

/** Returns the key of an error's hours. `day`: whole days since the epoch. */
export function errorHoursKey(projectId: number, groupHash: string, day: number): Binary {
  return key(projectId, groupHash + uint32Hex(day), 20);
}

/** Returns the key of a note. `number`: unique among notes. */
export function ownNoteKey(projectId: number, groupHash: string, number: number): Binary {
  return key(projectId, groupHash + uint32Hex(number), 20);
}

/** Returns the key of an outcome row. `rest`: all values of the row beside project and hour. */
export function outcomeKey(projectId: number, hour: number, rest: string): Binary {
  const hash = createHash('sha256').update(rest).digest('hex').slice(0, 24);
  return key(projectId, uint32Hex(hour) + hash, 16);
}

/** Returns bounds of the outcome keys of a project from the hour `since` (inclusive) to `until` (exclusive). */
export function outcomeRange(projectId: number, since: number, until: number): { $gte: Binary; $lt: Binary } {
  return { $gte: bound(projectId, since), $lt: bound(projectId, until) };
}

function bound(projectId: number, hour: number): Binary {
  const clamped = Math.min(Math.max(hour, 0), 0xffff_ffff);
  return key(projectId, uint32Hex(clamped) + '0'.repeat(24), 16);
}

/** Returns the project in an `_id` that begins with it. */
export function projectIdOf(id: Binary): number {
  return Number.parseInt(id.toString('hex').slice(0, 8), 16);
}

/** Returns the group hash's hex digits in an `_id` that begins with project and group hash. */
export function groupHashOf(id: Binary): string {
  return id.toString('hex').slice(8, 40);
}

/** Returns the event id's hex digits in an event's `_id`. */
export function eventIdOf(id: Binary): string {
  return id.toString('hex').slice(8);
}

export function hexBinary(hex: string): Binary {
  return new mongo.Binary(Buffer.from(hex, 'hex'));
}

/**
 * Returns the name of a tag's key or value in a map: 48 bits, without dots and dollar signs. It never has digits only.
 */
export function tagHash(text: string): string {
  return `t${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`;
}

/**
 * Returns the term by which searches find a tag; `value` null: with any value. The terms of values have no case and sort
 * as they do, so that an index finds those that begin with a text.
 */
export function tagTerm(tagKey: string, value: string | null): string {
  return value === null ? tagHash(tagKey) : `${tagHash(tagKey)} ${foldedText(value)}`;
}

/** Returns a term as `tagTerm` makes it of one that was made before terms had no case. */
export function foldedTerm(term: string): string {
  const end = term.indexOf(' ');
  return end === -1 ? term : term.slice(0, end) + foldedText(term.slice(end));
}

export function uint32Hex(value: number): string {
  return value.toString(16).padStart(8, '0');
}

/** Builds a key. `hex` must have exactly `bytes` bytes: a short key would sort and compare wrongly. */
export function key(projectId: number, hex: string, bytes: number): Binary {
  const buffer = Buffer.allocUnsafe(4 + bytes);
  buffer.writeUInt32BE(projectId, 0);
  if (buffer.write(hex, 4, 'hex') !== bytes) {
    throw new Error(`a key needs ${bytes} bytes as hex digits`);
  }
  return new mongo.Binary(buffer);
}
