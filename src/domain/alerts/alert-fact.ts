import type { FactCause } from '../errors/fact-cause.ts';
import type { Level } from '../events/event.ts';

/** What alerts report about an error. */
export const FACT_KINDS = ['new', 'regressed', 'escalated', 'unmuted'] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** Affected users at which an error escalates: each power of ten from here on. */
export const FIRST_USERS_STEP = 100;

/** Returns the greatest power of ten that `users` has reached; 0 below FIRST_USERS_STEP. */
export function usersStep(users: number): number {
  if (users < FIRST_USERS_STEP) return 0;
  let step = FIRST_USERS_STEP;
  while (step * 10 <= users) step *= 10;
  return step;
}

/** Something that happened to an error, before it has its place in the log. */
export interface NewFact {
  /**
   * The same happening always has the same id, so that it is added once: `new:<group hash>`,
   * `regressed:<group hash>:<resolved at>`, `unmuted:<group hash>:<at>`, `users:<group hash>:<step>`,
   * `spike:<group hash>:<UTC day>`, `threshold:<project>.<rule>:<error>:<number>`. At most 200 characters.
   */
  readonly id: string;
  readonly kind: FactKind;
  readonly cause: FactCause;
  readonly projectId: number;
  /** Public id of the error, of a merged one its root; in external trackers theirs. */
  readonly errorId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The error as it was then. */
  readonly type: string | null;
  readonly title: string;
  readonly message: string | null;
  readonly culprit: string | null;
  readonly level: Level | null;
  readonly release: string | null;
  /** Environment of the event; null: none, or not known. */
  readonly environment: string | null;
}

/** Entry of the fact log. Kept for FACTS_KEPT_MS, and while a message may still report it. */
export interface AlertFact extends NewFact {
  /** Place in the log: positive, grows, may have gaps. */
  readonly seq: number;
  /** Why no destination was told, as a sentence; null: some were, or it is not decided yet. */
  readonly silence: string | null;
}

export const FACTS_KEPT_MS = 30 * 86_400_000;
