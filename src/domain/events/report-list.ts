import type { Page } from '../page.ts';
import type { UserReport } from './user-report.ts';

/** Event that users wrote about. */
export interface ReportedEvent {
  readonly eventId: string;
  /** Displayed error that has the event; null: the event has not arrived. */
  readonly error: { readonly id: string; readonly title: string } | null;
  /** Newest first, at least one. */
  readonly reports: readonly UserReport[];
}

/** Reports of a project, by events. */
export interface ReportQuery {
  /** Words, of which each must occur in the name, e-mail address or text of one report, in any case; null: all. */
  readonly search: string | null;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface ReportPage extends Page<ReportedEvent> {
  /**
   * With a search: events looked at for this page. The page has no `previous`, and may have fewer rows than asked for,
   * or none, although more follow after `next`.
   */
  readonly searched?: number;
}

/** Maximum of reported events that one answer of a search looks at. */
export const MAX_REPORTED_SEARCHED = 1_000;
