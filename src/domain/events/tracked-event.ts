import type { MaybeStale } from '../page.ts';
import type { EventColumns } from './event-columns.ts';
import type { EventUser, Level, NormalisedEvent } from './event.ts';
import type { UserReport } from './user-report.ts';

/** Event for display: external trackers do not always report the level. */
export interface ShownEvent extends Omit<NormalisedEvent, 'level'> {
  readonly level: Level | null;
}

export interface TrackedEvent extends MaybeStale {
  readonly errorId: string;
  readonly receivedAt: number;
  readonly event: ShownEvent;
  /** Adjacent events of the error by time, for navigation; null at the ends or when unknown. */
  readonly previousEventId: string | null;
  readonly nextEventId: string | null;
  /** Place among the stored events of the error, 1 for the newest; null: unknown, or beyond MAX_EVENTS_COUNTED. */
  readonly position: number | null;
  /** Stored events of the error, at most MAX_EVENTS_COUNTED: there may be more. Null: unknown. */
  readonly stored: number | null;
  /** Reports by users, oldest first; null when the backend does not support them. */
  readonly userReports: readonly UserReport[] | null;
  /** True: from a former tracker; never counted. */
  readonly imported?: true;
}

/** Number of the newest stored events of an error that are searched for users. */
export const MAX_EVENTS_FOR_USERS = 50;

/** User of one event. */
export interface UserOfEvent {
  readonly eventId: string;
  readonly at: number;
  readonly user: EventUser;
}

/** Row of an error's event list, without the payload. */
export interface EventSummary {
  readonly eventId: string;
  readonly errorId: string;
  readonly at: number;
  /** Of an imported event: time of its import. */
  readonly receivedAt: number;
  /** True: from a former tracker; never counted. */
  readonly imported?: true;
  /** Present when asked for; null: the body was removed meanwhile. */
  readonly columns?: EventColumns | null;
}
