import type { Outcome } from '../../../domain/ingest/digest.ts';
import type { Binary } from './document-keys.ts';

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
