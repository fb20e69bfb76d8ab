/** What a person told about an event. Text is bounded, cleaned and scrubbed; nothing in it is trusted as markup. */
export interface UserReport {
  /** 32 lower-case hex digits; equal for a repeat of the same report. */
  readonly id: string;
  readonly kind: 'user_report' | 'feedback';
  readonly name: string | null;
  readonly email: string | null;
  readonly comments: string | null;
  /** Where the person was. */
  readonly url: string | null;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** A report on its way to the event that it is about, which may come later or never. */
export interface DigestedReport {
  readonly projectId: number;
  readonly keyId: number;
  readonly eventId: string;
  readonly report: UserReport;
}

/** Reports kept per event, first come first served; further ones are outcomes, `filtered`/`too_many_reports`. */
export const MAX_REPORTS_PER_EVENT = 20;
