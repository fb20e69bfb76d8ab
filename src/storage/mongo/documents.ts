import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import type { Level } from '../../domain/event.ts';
import type { Outcome } from '../../domain/digest.ts';
import type { ErrorStatus } from '../../domain/tracked-error.ts';
import { STATUS_CODES, type StatusCode } from '../error-status.ts';

/**
 * The documents that batches write. Every `_id` begins with the project's four bytes, and `p` stands beside
 * it, so that `{p: 1, _id: 1}` can be the shard key and every filter can name both. Field names are short
 * because each document carries them; times are milliseconds since the epoch.
 */
export type Binary = mongo.Binary;

/** Number of the last batch of each slot that the document holds: `{ '3': 17 }`. */
export type Watermarks = Record<string, number>;

/**
 * An event: one document is key and payload, because a second write per event would cost as much as the
 * first. Pruning a payload is `$unset: {d}`; the rest recognises repeats and goes later.
 */
export interface EventDocument {
  /** Project and event id, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Group hash, 16 bytes. */
  readonly l: Binary;
  /** Grouping version that made the group hash. */
  readonly v: number;
  /** Hash of the affected person, 12 bytes. */
  readonly u: Binary | null;
  readonly at: number;
  /** Received at. */
  readonly r: number;
  /** Slot and batch that counted it. */
  readonly s: number;
  readonly n: number;
  /** Payload as the event codec wrote it; absent when pruned. */
  readonly d?: Binary;
}

/** The condition of the index `of_error` of the events; queries that are to use it repeat it. */
export const WITH_PAYLOAD = { d: { $exists: true } } as const;

export interface FirstSeen {
  readonly at: number;
  /** Event id, 16 bytes; makes the order total. The order of members is what `$min` and `$max` compare by. */
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
  /** Title, message, type and culprit in lower case by JavaScript's rules, one per line: what searches look at. */
  readonly q: string;
}

/** Displayed row of a merge root. Computed from its members; can be recomputed at any time. */
export interface ShownGroup {
  /** Events, and distinct users. */
  readonly c: number;
  readonly u: number;
  /** Sum of the members' users when the distinct ones were counted. */
  readonly mu: number;
  /** Numbers of the members, its own included, ascending. */
  readonly m: readonly number[];
  readonly first: FirstSeen;
  /** `q`: the texts of all members. */
  readonly last: LastSeen;
  readonly env: readonly string[];
  readonly rel: readonly string[];
}

export interface ErrorDocument {
  /** Project and group hash, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** The public number, unique in the store; taken from the counter `errors` in blocks. */
  readonly id: number;
  readonly v: number;
  readonly st: StatusCode;
  readonly c: number;
  /** Distinct users. */
  readonly u: number;
  /** Events whose payload is still kept: batches add, pruning takes away. A hint, not a count people see. */
  readonly k: number;
  readonly first: FirstSeen;
  readonly last: LastSeen;
  /** Newest received at. */
  readonly rcv: number;
  /** When it was resolved, at least `rcv` of that moment; null in every other status. */
  readonly res: number | null;
  /**
   * Number of the error it was merged into, always a lesser one; its own where others were merged into it, which
   * takes it out of the ordinary lists; null for an error that stands alone.
   */
  readonly into: number | null;
  /** Only where `into` is its own number. */
  readonly g?: ShownGroup;
  /** Environments and releases that filters find it by: those of the tags' bounded values. */
  readonly env?: readonly string[];
  readonly rel?: readonly string[];
  readonly w: Watermarks;
}

/** A person an error had: the mark says which batch counted them. */
export interface ErrorUserDocument {
  /** Project, group hash and user hash, 32 bytes. */
  readonly _id: Binary;
  readonly p: number;
  readonly s: number;
  readonly n: number;
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
  /** Events that carried the tag; what the values leave of it is `other`. */
  readonly n: number;
  /** By `tagHash` of the value. */
  readonly v?: Readonly<Record<string, { readonly v: string; readonly c: number }>>;
}

/** Tags of an error, bounded when a batch is planned. */
export interface ErrorTagsDocument {
  /** The error's. */
  readonly _id: Binary;
  readonly p: number;
  /** By `tagHash` of the key. */
  readonly t: Readonly<Record<string, TagKeyCounts>>;
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

/** A small number that one journal holds while it lives; its batch numbers only grow, across holders. */
export interface SlotDocument {
  readonly _id: number;
  /** The journal's id; absent while the slot is free. Unique among slots. */
  readonly j?: string;
  /** Which data dir writes: a copy of it is another owner. */
  readonly o: string;
  /** Number of the newest batch in the store: what marks and watermarks hold. */
  readonly n: number;
  /** The same batch's number in its journal. */
  readonly l: number;
  /** The newest batch's hash. */
  readonly h: string;
  /** The newest batch is claimed and not confirmed. */
  readonly open: boolean;
  /** Its plan holds: it can only be finished, unless none of it became durable and its records are lost. */
  readonly fixed: boolean;
  /** Who fixed the newest batch: the owner, and a nonce; empty, or absent, where nobody has. */
  readonly by?: string;
  /** Numbers that were claimed and given up without counting anything. */
  readonly x: readonly number[];
  /** When its owner last said that it lives. */
  readonly seen: number;
  /** When its owner last ended in order: it lives only where it was seen later. */
  readonly off?: number;
}

export interface CounterDocument {
  readonly _id: string;
  /** The greatest number that was given away. */
  readonly next: number;
}

/**
 * The update (a pipeline) that sets a status. Resolving remembers max(now, newest received), so that a backlog
 * taken before does not open the error again.
 */
export function statusUpdate(status: ErrorStatus, now: number): Record<string, unknown>[] {
  const res = status === 'resolved' ? { $max: [now, '$rcv'] } : { $literal: null };
  return [{ $set: { st: STATUS_CODES[status], res } }];
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

/** `day`: whole days since the epoch. */
export function errorHoursKey(projectId: number, groupHash: string, day: number): Binary {
  return key(projectId, groupHash + wordHex(day), 20);
}

/** `rest`: everything that makes the row, beside project and hour. */
export function outcomeKey(projectId: number, hour: number, rest: string): Binary {
  const hash = createHash('sha256').update(rest).digest('hex').slice(0, 24);
  return key(projectId, wordHex(hour) + hash, 16);
}

/** Bounds of the outcome keys of a project from the hour `since` (inclusive) to `until` (exclusive). */
export function outcomeRange(projectId: number, since: number, until: number): { $gte: Binary; $lt: Binary } {
  return { $gte: bound(projectId, since), $lt: bound(projectId, until) };
}

function bound(projectId: number, hour: number): Binary {
  const clamped = Math.min(Math.max(hour, 0), 0xffff_ffff);
  return key(projectId, wordHex(clamped) + '0'.repeat(24), 16);
}

/** The group hash's hex digits inside an `_id` that begins with project and group hash. */
export function leafOf(id: Binary): string {
  return id.toString('hex').slice(8, 40);
}

/** The event id's hex digits inside an event's `_id`. */
export function eventIdOf(id: Binary): string {
  return id.toString('hex').slice(8);
}

export function hexBinary(hex: string): Binary {
  return new mongo.Binary(Buffer.from(hex, 'hex'));
}

/** Name of a tag's key or value in a map: 48 bits, never with a dot, a dollar sign or digits only. */
export function tagHash(text: string): string {
  return `t${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`;
}

export function wordHex(word: number): string {
  return word.toString(16).padStart(8, '0');
}

/** `hex` must have exactly `bytes` bytes: a short key would sort and compare wrongly. */
export function key(projectId: number, hex: string, bytes: number): Binary {
  const buffer = Buffer.allocUnsafe(4 + bytes);
  buffer.writeUInt32BE(projectId, 0);
  if (buffer.write(hex, 4, 'hex') !== bytes) {
    throw new Error(`a key needs ${bytes} bytes as hex digits`);
  }
  return new mongo.Binary(buffer);
}
