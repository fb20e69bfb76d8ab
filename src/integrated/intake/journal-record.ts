import type { IntakeOutcome } from '../../domain/digest.ts';

/** Items that are kept beside events, by their type in the protocol. */
export const KEPT_ITEMS = ['session', 'sessions', 'user_report', 'feedback'] as const;
export type KeptItem = (typeof KEPT_ITEMS)[number];

/** One unit of the journal: an event's bytes as the SDK sent them and what only the intake knows. */
export interface JournalRecord {
  readonly projectId: number;
  readonly keyId: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** 32 lower-case hex digits: the id that was answered; of another item the envelope's id, if any; null when the record carries outcomes only. */
  readonly eventId: string | null;
  /** The client's clock when it sent, milliseconds since the epoch; null when it did not say. */
  readonly sentAt: number | null;
  readonly clientIp: string | null;
  /** Name and version of the client library as it announced itself; null when it did not. */
  readonly client: string | null;
  readonly outcomes: readonly IntakeOutcome[];
  /** What the body is; absent for an event, and where there is none. */
  readonly item?: KeptItem;
  /** The JSON of the event or item, inflated, otherwise untouched; empty when the record carries outcomes only. */
  readonly body: Uint8Array;
}
