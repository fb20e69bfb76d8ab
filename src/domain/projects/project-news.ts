import { MAX_TAB_COUNT } from '../search/error-query.ts';

/** What happened in a project lately. */
export interface ProjectNews {
  /** Unresolved errors; counting stops at MAX_UNRESOLVED. */
  readonly unresolved: number;
  /** Unresolved errors first seen within NEW_FOR_MS; counting stops at MAX_NEWS. */
  readonly newErrors: number;
  /** Unresolved errors that came back within REVIEW_FOR_MS, as `is:regressed` finds them; counting stops at MAX_NEWS. */
  readonly regressed: number;
  /** Time of the newest event; null: there is none. */
  readonly lastSeen: number | null;
  /** Accepted events of the NEWS_HOURS hours that end with the current one, by start of the hour; without empty hours. */
  readonly accepted: ReadonlyMap<number, number>;
}

/** Where counting stops: as for the tabs of the list, to which these numbers lead. */
export const MAX_NEWS = MAX_TAB_COUNT;
export const MAX_UNRESOLVED = MAX_TAB_COUNT;

export const NEWS_HOURS = 24;
