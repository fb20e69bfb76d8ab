import type { ErrorTexts } from '../errors/error-texts.ts';
import type { DigestedSession } from '../releases/session.ts';
import type { DigestedReport } from '../events/user-report.ts';

/**
 * Group hash and grouping version under which an error is stored. The hash is 32 hex digits of hash(project, grouping
 * version, grouping key).
 */
export interface GroupHash {
  readonly groupHash: string;
  readonly groupingVersion: number;
}

/** Texts by which searches find an error whose first event has them, as the event has them. */
export interface TermSource {
  /** Paths of frames, those next to where it happened first. */
  readonly files: readonly string[];
  /** Functions of frames in the same order. */
  readonly functions: readonly string[];
  /** True: an exception was not handled; null: the event does not say. */
  readonly unhandled: boolean | null;
}

/**
 * Digested form of one event: the columns that a store indexes and counts, and the encoded payload. It is a pure
 * function of the journal record, so a replay gives the same result.
 */
export interface DigestedEvent extends ErrorTexts {
  readonly projectId: number;
  /** Id of the client key of the request; outcomes are counted per key. */
  readonly keyId: number;
  /** 32 lower-case hex digits; unique within the project. */
  readonly eventId: string;
  /** The grouping key's hash, 16 bytes as 32 hex digits: hash(project, grouping version, grouping key). */
  readonly groupHash: string;
  readonly groupingVersion: number;
  /**
   * Group hashes under earlier grouping versions, newest first. When the store has no error under `groupHash` but one
   * under these, it counts the event there, so new rules split no error.
   */
  readonly formerGroupHashes?: readonly GroupHash[];
  /**
   * Group hashes of a mapped event as it was sent, newest version first. When the store has no error under `groupHash`
   * and its former ones, but one under these, it counts the event there, and those with the same `groupHash` from then
   * on, also of other builds.
   */
  readonly sentGroupHashes?: readonly GroupHash[];
  /** Time of the event after clock-drift correction; milliseconds since the epoch. */
  readonly at: number;
  /** Time of its journal record; milliseconds since the epoch. Reopening compares this time, not `at`. */
  readonly receivedAt: number;
  readonly release: string | null;
  readonly environment: string | null;
  /** Salted hash of the affected user, 24 hex digits; null when the event has no user. */
  readonly userHash: string | null;
  /** Names by which a search finds the user beside its identity: e-mail, user name, address. Absent: none. */
  readonly userNames?: readonly string[];
  /** Tags to count per error, including derived ones (level, environment, release, …). */
  readonly tags: readonly (readonly [key: string, value: string])[];
  /** Absent: stores read them from the payload of an event that makes an error, which takes longer. */
  readonly terms?: TermSource;
  /** NormalisedEvent, encoded by the payload codec; a number: index of the block of the batch that has it. */
  readonly payload: Uint8Array | number;
}

/** Bodies of one project that are stored together. Written once, never changed. */
export interface EventBlock {
  readonly projectId: number;
  /** Ids of its events; some may turn out to be duplicates. */
  readonly eventIds: readonly string[];
  /** Bodies as `lib/bodies/body-block.ts` encodes them. */
  readonly bodies: Uint8Array;
}

export const OUTCOMES = ['accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Number of items with the same outcome. Discarded items are counted here with a reason. */
export interface OutcomeCount {
  readonly projectId: number;
  readonly keyId: number;
  /** The protocol's data category: error, session, transaction, attachment, … */
  readonly category: string;
  readonly outcome: Outcome;
  /** One of the reasons in docs/missing-events.md; empty for accepted. */
  readonly reason: string;
  /** Milliseconds since the epoch; stores round down to the hour. */
  readonly at: number;
  readonly quantity: number;
}

/** Outcome of discarded items, decided at intake and counted when the record is digested. */
export interface IntakeOutcome {
  readonly category: string;
  readonly outcome: Exclude<Outcome, 'accepted'>;
  readonly reason: string;
  readonly quantity: number;
}

/** Identity of a recorded batch: see docs/architecture.md, "Counted exactly once". */
export interface BatchId {
  /** Random id of the journal, 32 hex digits. */
  readonly journalId: string;
  /** Grows by one per batch of this journal. */
  readonly n: number;
  /** hash(journal id, n, records), 32 hex digits. */
  readonly hash: string;
}

export interface DigestedBatch {
  readonly events: readonly DigestedEvent[];
  /** Absent: each event has its own payload. */
  readonly blocks?: readonly EventBlock[];
  /**
   * Outcomes decided before the store: dropped items, invalid events. The store counts accepted and duplicate events.
   */
  readonly outcomes: readonly OutcomeCount[];
  /** Absent: none. The store counts their outcomes, one per item. */
  readonly sessions?: readonly DigestedSession[];
  /** Absent: none. The store counts their outcomes. */
  readonly reports?: readonly DigestedReport[];
}

/**
 * `applied`: the batch is stored completely. `already_applied`: an earlier run had confirmed this batch. `foreign`: the
 * store has another batch under this journal id and number, because the journal was copied or restored. The caller then
 * takes a new journal id and writes a manifest again.
 */
export type BatchResult =
  | { readonly kind: 'applied'; readonly stored: number; readonly duplicates: number; readonly newErrors: number }
  | { readonly kind: 'already_applied' }
  | { readonly kind: 'foreign' };
