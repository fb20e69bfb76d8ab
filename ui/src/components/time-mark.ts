/** Mark on a time axis. */
export interface TimeMark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly label: string;
}
