import type { IntakeOutcome } from '../../domain/digest.ts';
import type { KeptItem } from './journal-record.ts';
import type { LimitedKind } from './limits/limit-rules.ts';
import type { LimitHit } from './limits/rate-limits.ts';

/** Asks whether one more item of a kind may be taken; the limit that forbids it, or null. */
export type Admit = (kind: LimitedKind) => LimitHit | null;

/** An event that is to be kept. */
export interface EventDraft {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly body: Uint8Array;
}

/** Something else that is kept. */
export interface ItemDraft {
  readonly item: KeptItem;
  /** The envelope's id: of feedback its own, of a report perhaps the event's; null where it has none. */
  readonly id: string | null;
  readonly body: Uint8Array;
}

/** What one request comes to, before anything is written. */
export interface RequestDraft {
  readonly events: readonly EventDraft[];
  readonly items: readonly ItemDraft[];
  readonly outcomes: readonly IntakeOutcome[];
  /** Limits that were met, at most one per kind; their items are among the outcomes. */
  readonly limits: readonly LimitHit[];
  /** The client's clock when it sent, milliseconds since the epoch; null when it did not say. */
  readonly sentAt: number | null;
}
