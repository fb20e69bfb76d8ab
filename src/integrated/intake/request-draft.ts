import type { IntakeOutcome } from '../../domain/ingest/digest.ts';
import type { HeaderParts, KeptItem } from './journal-record.ts';
import type { LimitedKind } from './limits/limit-rules.ts';
import type { LimitHit } from './limits/rate-limits.ts';

/** Takes one more item of a kind. Returns the limit that forbids it, or null. */
export type Admit = (kind: LimitedKind) => LimitHit | null;

/** Event to store. */
export interface EventDraft {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly body: Uint8Array;
  /** Absent where the envelope says nothing about it. */
  readonly header?: HeaderParts;
}

/** Other item to store. */
export interface ItemDraft {
  readonly item: KeptItem;
  /** Id of the envelope: of feedback its own, of a report perhaps the event's; null without one. */
  readonly id: string | null;
  readonly body: Uint8Array;
}

/** Content of one request, before anything is written. */
export interface RequestDraft {
  readonly events: readonly EventDraft[];
  readonly items: readonly ItemDraft[];
  readonly outcomes: readonly IntakeOutcome[];
  /** Limits that were reached, at most one per kind; their items are among the outcomes. */
  readonly limits: readonly LimitHit[];
  /** Clock of the client at sending, milliseconds since the epoch; null when absent. */
  readonly sentAt: number | null;
}
