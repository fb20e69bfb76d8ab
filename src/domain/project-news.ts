/** What happened in a project lately. Counts stop at MAX_NEWS. */
export interface ProjectNews {
  /** Unresolved errors first seen within NEW_FOR_MS. */
  readonly newErrors: number;
  /** Unresolved errors that came back within NEW_FOR_MS. */
  readonly regressed: number;
  /** Time of the newest event; null: there is none. */
  readonly lastSeen: number | null;
}

/** Where counting stops, so that it stays quick. */
export const MAX_NEWS = 1_000;
