import type { FactKind } from './alert-fact.ts';
import type { FactCause } from '../errors/fact-cause.ts';
import type { TrackedError } from '../errors/tracked-error.ts';

export type FactCounts = Readonly<Record<FactKind, number>>;

export const NO_FACTS: FactCounts = { new: 0, regressed: 0, escalated: 0, unmuted: 0 };

/** Maximum errors that a message names. */
export const MAX_NAMED_ERRORS = 10;

/** Error that a message names, as it was when the message was written. */
export interface NamedError {
  readonly fact: FactKind;
  readonly cause: FactCause;
  readonly at: number;
  /** Release of the event that caused it. */
  readonly release: string | null;
  readonly environment: string | null;
  readonly error: TrackedError;
  /** Page of the error; an absolute address of errgate. */
  readonly url: string;
}

/** Part of a message about one project. */
export interface ProjectPart {
  readonly project: { readonly id: number; readonly path: string; readonly name: string };
  readonly counts: FactCounts;
  /** Release of most of the facts; null: several, or none. */
  readonly release: string | null;
  /** The loudest, by level, users and events; at most MAX_NAMED_ERRORS in the whole message. */
  readonly errors: readonly NamedError[];
  /** List of all errors of this part; an absolute address. */
  readonly url: string;
}

export const MESSAGE_KINDS = ['facts', 'test', 'heartbeat', 'trouble'] as const;

/** What is sent, before a channel gives it its form. Never changes once made, so that repeats are equal. */
export interface AlertMessage {
  /** `msg_` and 26 letters and digits. The same over all repeats. */
  readonly id: string;
  /**
   * `facts`: what happened. `test`: by a person's request. `heartbeat`: daily, all is well. `trouble`: another channel
   * does not take messages.
   */
  readonly kind: (typeof MESSAGE_KINDS)[number];
  readonly createdAt: number;
  /** Time of the oldest and the newest fact; of others `createdAt`. */
  readonly since: number;
  readonly until: number;
  /** One for a channel; for a person one per project. Counts of several projects add up. */
  readonly parts: readonly ProjectPart[];
  /** Sentence of `heartbeat` and `trouble`; else empty. */
  readonly note: string;
}

/** Returns the sum of the counts of all parts. */
export function totalCounts(parts: readonly Pick<ProjectPart, 'counts'>[]): FactCounts {
  const sum = { ...NO_FACTS };
  for (const { counts } of parts) {
    for (const kind of Object.keys(sum) as FactKind[]) sum[kind] += counts[kind];
  }
  return sum;
}
