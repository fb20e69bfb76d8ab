import type { IntakeOutcome } from '../../domain/ingest/digest.ts';

/** Item types stored beside events, as the protocol names them. */
export const KEPT_ITEMS = ['session', 'sessions', 'user_report', 'feedback'] as const;
export type KeptItem = (typeof KEPT_ITEMS)[number];

/** What a body to be forwarded holds: an envelope, or the JSON of one item that came to `store`. */
export const FORWARD_FORMS = ['envelope', 'event', 'transaction', 'feedback'] as const;

/** Request that is sent on to another tracker as it came. */
export interface ForwardedRequest {
  readonly form: (typeof FORWARD_FORMS)[number];
  /** Content-Encoding of the body; null: none. */
  readonly encoding: string | null;
  /** `X-Errgate-Forwarded` of the request: the instances that sent it on already; null: none. */
  readonly via: string | null;
  readonly userAgent: string | null;
  /** True when it holds an error event, as opposed to sessions, transactions and the like alone. */
  readonly hasEvent: boolean;
}

/** Texts from the header of an envelope about its events, as they came; null where it has none. */
export interface HeaderParts {
  /** Name of the transaction that began the trace. */
  readonly transaction: string | null;
  readonly traceId: string | null;
  readonly sdkName: string | null;
  readonly sdkVersion: string | null;
}

/** Unit of the journal: the bytes of an event as the SDK sent them, and data only the intake has. */
export interface JournalRecord {
  readonly projectId: number;
  readonly keyId: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /**
   * 32 lower-case hex digits: the id in the answer; of another item the envelope's id, if any. Null for outcomes only.
   */
  readonly eventId: string | null;
  /** Clock of the client at sending, milliseconds since the epoch; null when absent. */
  readonly sentAt: number | null;
  readonly clientIp: string | null;
  /** Name and version of the client library from the request; null when absent. */
  readonly client: string | null;
  readonly outcomes: readonly IntakeOutcome[];
  /** Type of the item in the body; absent for an event, and where there is no body. */
  readonly item?: KeptItem;
  /** Of an event only; absent where the envelope says nothing about it. */
  readonly header?: HeaderParts;
  /** Present when the body is a whole request to be forwarded; its event id is the one in the answer. */
  readonly forward?: ForwardedRequest;
  /**
   * JSON of the event or item, inflated, otherwise unchanged. Empty when the record carries outcomes only. Of a request
   * to be forwarded: its body as it came over the wire.
   */
  readonly body: Uint8Array;
}
