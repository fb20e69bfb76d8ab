import type { Delivery, DeliveryState, Destination } from '../alerts/alert-delivery.ts';
import type { AlertFact } from '../alerts/alert-fact.ts';

/**
 * What a destination does. `idle`: nothing waits. `gathering`: collects what comes together. `waiting`: until `nextAt`,
 * see the reason. `sending`: a message is on its way. `retrying`: an attempt failed, the next one is at `nextAt`.
 * `off`: switched off, or without an address.
 */
export const OUTLOOK_STATES = ['idle', 'gathering', 'waiting', 'sending', 'retrying', 'off'] as const;
export type OutlookState = (typeof OUTLOOK_STATES)[number];

/** When a destination gets its next message, and why not before. */
export interface Outlook {
  readonly destination: Destination;
  /** Name of the channel or person; never an address. */
  readonly name: string;
  readonly state: OutlookState;
  /** Milliseconds since the epoch of the next message or attempt; null: none is planned. */
  readonly nextAt: number | null;
  /** A sentence: `Waits until 14:30 UTC: 3 messages in the last hour.` Empty when idle. */
  readonly reason: string;
  readonly lastSentAt: number | null;
  /** Since when attempts fail; null: they do not. */
  readonly failingSince: number | null;
  /** Answer of the last failed attempt of the message on its way; null: none. */
  readonly lastAnswer: string | null;
}

/** `sending`: on its way, no answer yet. `waiting`: for its message. */
export type FactState = DeliveryState | 'sending' | 'waiting';

/** What became of a fact at one destination. */
export interface FactOutcome {
  readonly destination: Destination;
  /** Name of the channel or person; never an address. */
  readonly name: string;
  readonly state: FactState;
  /** Id of the message; null: it waits. */
  readonly messageId: string | null;
  /** Time of the last attempt; of `sending` and `waiting` that of the next one. */
  readonly at: number;
  readonly attempts: number;
  /** Answer of the receiver, or why it was not sent or waits, as a sentence; null: no answer yet. */
  readonly answer: string | null;
}

/** A happening of an error, and who was told. */
export interface FactHistory {
  readonly fact: AlertFact;
  /** Newest first. */
  readonly outcomes: readonly FactOutcome[];
  /** Why no destination was told, as a sentence; null: some were or will be. */
  readonly silence: string | null;
}

export interface AlertHealth {
  /** False: mail is not configured, so people get none. */
  readonly mail: boolean;
  /** Age in milliseconds of the oldest fact that should have been sent by now; 0: none. */
  readonly oldestUnsentMs: number;
  /** Deliveries that were given up, and not sent again. */
  readonly failed: number;
  /** Destinations whose attempts fail at present. */
  readonly failing: number;
}

/** Use cases of alerts beside the dispatcher, for the API and for commands. Works on any gateway. */
export interface AlertSetup {
  /** False: mail is not configured, so people get none. */
  readonly mail: boolean;
  /**
   * Sends a test message at once, also to a channel that is switched off, and records its delivery (`sent` or
   * `failed`, with the answer). Null when the channel is unknown. Takes as long as the receiver, at most a minute.
   */
  testChannel(projectId: number, channelId: number): Promise<Delivery | null>;
  /**
   * Sends a test message to a person by mail; the delivery belongs to no project. Throws `bad_request` without mail or
   * address, `not_found` for an unknown user.
   */
  testPerson(userId: number): Promise<Delivery>;
  /**
   * Sends a failed delivery again at once, with the same id and content, and records the outcome. Null when it is
   * unknown in the project. Throws `conflict` unless it is `failed`, or when its destination no longer exists.
   */
  sendAgain(projectId: number, deliveryId: string): Promise<Delivery | null>;
  /**
   * Deletes a channel; a message on its way to it is recorded as `dropped`. False when unknown. Use it instead of the
   * method of the store.
   */
  removeChannel(projectId: number, channelId: number): Promise<boolean>;
  /** Channels and people that messages about the project go to: channels by id, then people. */
  outlook(projectId: number): Promise<Outlook[]>;
  /** Facts of an error, newest first, at most 100; of a merged error those of all members. */
  history(projectId: number, errorId: string): Promise<FactHistory[]>;
  /** Of the whole instance. */
  health(): Promise<AlertHealth>;
}
