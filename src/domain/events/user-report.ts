/** Report of a user about an event. Text is bounded, cleaned and scrubbed; readers must escape it. */
export interface UserReport {
  /** 32 lower-case hex digits; the same for a repeated report. */
  readonly id: string;
  readonly kind: 'user_report' | 'feedback';
  readonly name: string | null;
  readonly email: string | null;
  readonly comments: string | null;
  /** Page that the user reported from. */
  readonly url: string | null;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Report whose event may arrive later or never. */
export interface DigestedReport {
  readonly projectId: number;
  readonly keyId: number;
  readonly eventId: string;
  readonly report: UserReport;
}

/** Report with the event that it is about. */
export interface ReportOfEvent {
  readonly eventId: string;
  readonly report: UserReport;
}

/** Number of the newest stored events of an error whose reports are shown with the error. */
export const MAX_EVENTS_FOR_REPORTS = 1_000;

/** Maximum of reports that are shown with an error. */
export const MAX_REPORTS_OF_ERROR = 50;

/** Maximum of reports kept per event, in order of arrival; further ones are outcomes, `filtered`/`too_many_reports`. */
export const MAX_REPORTS_PER_EVENT = 20;
