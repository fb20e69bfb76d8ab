import type { UnmuteReason } from './error-state.ts';

/** Why the fact came about; only the members of its cause are present. `new` and `regressed` have none. */
export interface FactCause {
  /** `escalated`: affected users that were reached. */
  readonly users?: number;
  /** `escalated`: events of one hour, and the mean of an hour before. */
  readonly spike?: { readonly events: number; readonly mean: number };
  /** `escalated` by a rule: events within minutes. */
  readonly threshold?: { readonly events: number; readonly minutes: number };
  /** Rule that the fact belongs to; absent: all rules. */
  readonly ruleId?: number;
  /** `unmuted`: condition that ended the status ignored. */
  readonly reason?: UnmuteReason;
  /** `unmuted` by events or users: the number that was waited for. */
  readonly count?: number;
}
