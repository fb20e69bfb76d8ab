import type { AlertMessage } from './alert-message.ts';

/** Maximum runs of facts of one message; the last one may cover facts that are not in the message. */
export const MAX_RUNS = 1000;

/** `channel:<id>` or `user:<id>`: people get one conversation over all projects. */
export type Destination = `channel:${number}` | `user:${number}`;

/** Message on its way. */
export interface PendingMessage {
  readonly message: AlertMessage;
  /**
   * Places in the fact log that it reports, as ascending runs `[first, last]`, at most MAX_RUNS. Facts of other projects
   * that lie in a run are not reported.
   */
  readonly facts: readonly (readonly [first: number, last: number])[];
  /** Attempts so far. */
  readonly attempts: number;
  /** Milliseconds since the epoch of the next attempt. */
  readonly nextAt: number;
  /** Answer of the last failed attempt; null: none yet. */
  readonly lastAnswer: string | null;
}

/**
 * State of a destination. One row, changed by compare-and-set, so that closing a message and moving on in the log are
 * one step.
 */
export interface Conversation {
  readonly destination: Destination;
  /** Counts up with each change. */
  readonly version: number;
  /** 0 to 5: how much recent messages extend the gap to the next one. */
  readonly level: number;
  /** Time of the last message; null: none yet. */
  readonly lastSentAt: number | null;
  /** Number of messages so far. */
  readonly number: number;
  /** Facts up to this place are in messages, or left out. */
  readonly cursor: number;
  /** Time of the first and the last fact that waits; null: none waits. */
  readonly firstWaiting: number | null;
  readonly lastWaiting: number | null;
  /** Earliest time at which a waiting fact may be sent (digests, quiet hours); null: at once. */
  readonly notBefore: number | null;
  /** At most one message is on its way; newer facts wait. */
  readonly pending: PendingMessage | null;
  /** Time of the last daily message; null: none. */
  readonly heartbeatAt: number | null;
  /** Since when attempts fail; null: they do not. */
  readonly failingSince: number | null;
  /** Users that have yet to hear of a channel that fails; null: the outage is not reported yet, or there is none. */
  readonly troubleTo: readonly number[] | null;
}

/** `sent`: taken by the receiver. `failed`: given up; may be sent again. `dropped`: never sent, see `answer`. */
export const DELIVERY_STATES = ['sent', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What became of a message. Kept for DELIVERIES_KEPT_MS. */
export interface Delivery {
  /** Id of the message. */
  readonly id: string;
  readonly destination: Destination;
  /** Name of the channel or person at that time; never an address. */
  readonly name: string;
  /** Projects of the message. */
  readonly projectIds: readonly number[];
  readonly facts: PendingMessage['facts'];
  readonly message: AlertMessage;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Answer of the receiver, or why it was not sent; at most 500 characters, without secrets. */
  readonly answer: string;
  /** Time of the last attempt. */
  readonly at: number;
}

export const DELIVERIES_KEPT_MS = 30 * 86_400_000;
export const MAX_ANSWER_LENGTH = 500;
