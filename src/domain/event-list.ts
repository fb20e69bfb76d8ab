import type { EventSummary, Page } from './tracked-error.ts';

/** Conditions on events of an error; all that are present must hold. */
export interface EventFilter {
  readonly environment?: string;
  readonly release?: string;
  /** Id, e-mail address, user name, name or IP address, in any case. */
  readonly user?: string;
  /** Null: any value. */
  readonly tag?: { readonly key: string; readonly value: string | null };
}

/** What a list of events has beside its rows. */
export interface EventOptions {
  /** True: rows have `columns`. */
  readonly columns?: true;
  /** Reads bodies from the cursor on, at most MAX_EVENTS_SEARCHED in one answer. */
  readonly filter?: EventFilter;
}

export interface EventPage extends Page<EventSummary> {
  /**
   * With a filter: events looked at for this page. The page may have fewer rows than asked for, or none, although more
   * follow after `next`.
   */
  readonly searched?: number;
}

/** Maximum of events that one answer of a filtered list looks at. */
export const MAX_EVENTS_SEARCHED = 1_000;

/** Where counting the stored events of an error stops. */
export const MAX_EVENTS_COUNTED = 10_000;
