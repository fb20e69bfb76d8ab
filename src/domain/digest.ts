import type { Level } from './event.ts';
import type { DigestedSession } from './session.ts';
import type { DigestedReport } from './user-report.ts';

/** Under what an error is stored: 32 hex digits of hash(project, grouping version, grouping key), and the version. */
export interface Leaf {
  readonly leaf: string;
  readonly groupingVersion: number;
}

/**
 * What the digest made of one event: the columns a store indexes and adds up, and the payload as the
 * event codec wrote it. Everything is a pure function of the journal record, so a replay makes it again.
 */
export interface DigestedEvent {
  readonly projectId: number;
  /** Id of the client key the event came with; outcomes are counted per key. */
  readonly keyId: number;
  /** 32 lower-case hex digits; unique within the project. */
  readonly eventId: string;
  /** The grouping key's hash, 16 bytes as 32 hex digits: hash(project, grouping version, grouping key). */
  readonly leaf: string;
  readonly groupingVersion: number;
  /**
   * The event's leaves under earlier versions of the grouping rules, newest first. When the store knows no
   * error under `leaf` but one under one of these, the event is counted there: new rules split no error.
   */
  readonly formerLeaves?: readonly Leaf[];
  /** When it happened, after clock-drift correction; milliseconds since the epoch. */
  readonly at: number;
  /** When the journal took it; milliseconds since the epoch. Reopening goes by this, not by `at`. */
  readonly receivedAt: number;
  readonly type: string | null;
  /** The exception's value or the message. */
  readonly message: string | null;
  readonly title: string;
  readonly culprit: string | null;
  readonly level: Level;
  readonly platform: string;
  readonly release: string | null;
  readonly environment: string | null;
  /** Salted hash of the affected person, 24 hex digits; null when the event names nobody. */
  readonly userHash: string | null;
  /** Tags to add up per error, derived ones included (level, environment, release, …). */
  readonly tags: readonly (readonly [key: string, value: string])[];
  /** The NormalisedEvent, encoded by the event codec. */
  readonly payload: Uint8Array;
}

export const OUTCOMES = ['accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A count of items that shared a fate; whatever was not kept stands here with its reason. */
export interface OutcomeCount {
  readonly projectId: number;
  readonly keyId: number;
  /** The protocol's data category: error, session, transaction, attachment, … */
  readonly category: string;
  readonly outcome: Outcome;
  /** Closed vocabulary in docs/api.md; empty for accepted. */
  readonly reason: string;
  /** Milliseconds since the epoch; stores round down to the hour. */
  readonly at: number;
  readonly quantity: number;
}

/** The fate of items that were not kept, decided at intake and counted when the record is digested. */
export interface IntakeOutcome {
  readonly category: string;
  readonly outcome: Exclude<Outcome, 'accepted'>;
  readonly reason: string;
  readonly quantity: number;
}

/** Identity of a sealed batch: see docs/architecture.md, "Counted exactly once". */
export interface BatchMark {
  /** Random id of the journal, 32 hex digits. */
  readonly journalId: string;
  /** Grows by one per batch of this journal. */
  readonly n: number;
  /** hash(journal id, n, records), 32 hex digits. */
  readonly hash: string;
}

export interface DigestedBatch {
  readonly events: readonly DigestedEvent[];
  /** Fates decided before the store: dropped items, invalid events. Accepted and duplicate events are counted by the store. */
  readonly outcomes: readonly OutcomeCount[];
  /** Absent: none. Their outcomes, one per item, are counted by the store. */
  readonly sessions?: readonly DigestedSession[];
  /** Absent: none. Their outcomes are counted by the store. */
  readonly reports?: readonly DigestedReport[];
}

/**
 * `applied`: everything is in the store now. `already_applied`: an earlier run had confirmed this very
 * batch. `foreign`: the store knows another batch under this journal id and number, so the journal is a
 * copy or was restored; the caller takes a new journal id and seals again.
 */
export type BatchResult =
  | { readonly kind: 'applied'; readonly stored: number; readonly duplicates: number; readonly newErrors: number }
  | { readonly kind: 'already_applied' }
  | { readonly kind: 'foreign' };
