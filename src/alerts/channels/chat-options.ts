/** What changes from attempt to attempt, for receivers that cannot tell repeats by an id. */
export interface ChatOptions {
  /** True: an earlier attempt may have arrived, so the message says that it may be a repeat. */
  readonly mayRepeat: boolean;
}
