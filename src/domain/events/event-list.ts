import type { NormalisedEvent } from './event.ts';
import type { EventSummary } from './tracked-event.ts';
import type { Page } from '../page.ts';

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
  /** True: rows have `columns`. A page may have fewer rows than asked for, although more follow. */
  readonly columns?: true;
  /** Reads bodies from the cursor on, at most MAX_EVENTS_SEARCHED in one answer. */
  readonly filter?: EventFilter;
}

export interface EventPage extends Page<EventSummary> {
  /**
   * With a filter: events looked at for this page. The page has no `previous`, and may have fewer rows than asked for, or
   * none, although more follow after `next`.
   */
  readonly searched?: number;
}

/** Stored event of an error with its body. */
export interface EventWithBody extends EventSummary {
  /** Null: it was removed meanwhile. */
  readonly event: NormalisedEvent | null;
}

/** Bytes of JSON after which a page of events with bodies ends. */
export const MAX_BYTES_OF_PAGE = 2 * 1024 * 1024;

/** Maximum of events that one answer of a filtered list looks at. */
export const MAX_EVENTS_SEARCHED = 1_000;

/** Where counting the stored events of an error stops. */
export const MAX_EVENTS_COUNTED = 10_000;
