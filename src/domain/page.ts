/** Answer that may be outdated, because its source is unavailable or slow. */
export interface MaybeStale {
  /** Time of the cached answer in milliseconds; absent for a current one. */
  readonly staleSince?: number;
}

export interface Page<T> extends MaybeStale {
  readonly items: readonly T[];
  /** Cursor of the adjacent page; null for none. */
  readonly previous: string | null;
  readonly next: string | null;
}
