import type { PruneLimits } from '../../domain/ports/maintenance-store.ts';

const DAY_MS = 86_400_000;
/** Longer than any SDK tries again to send the same event. */
const KEY_DAYS = 7;
/** Updates of sessions are refused when they are older than five days; two more for journals that were held up. */
const SESSION_ROW_DAYS = 7;
/** The charts show 30 days; one more, so that the first of them is whole. */
const HOUR_COUNT_DAYS = 31;
/** Releases with their sessions, and outcomes, of which people can ask for as many days. */
const SUMMARY_DAYS = 90;
/** An event that comes later than this after what was said about it does not come any more. */
const UNMATCHED_REPORT_DAYS = 30;

export interface RetentionSettings {
  readonly retentionDays: number;
  /** 0: no bound. */
  readonly maxEventsPerError: number;
}

/** What the retention settings mean at an instant (milliseconds since the epoch). */
export function pruneLimits(settings: RetentionSettings, now: number): PruneLimits {
  const before = (days: number) => now - days * DAY_MS;
  return {
    receivedBefore: before(settings.retentionDays),
    maxEventsPerError: settings.maxEventsPerError === 0 ? null : settings.maxEventsPerError,
    // Of payloads that stay longer the stores keep the keys as long.
    keysReceivedBefore: before(KEY_DAYS),
    hoursBefore: before(HOUR_COUNT_DAYS),
    outcomesBefore: before(SUMMARY_DAYS),
    sessions: { startedBefore: before(SESSION_ROW_DAYS), seenBefore: before(SUMMARY_DAYS) },
    unmatchedReportsBefore: before(UNMATCHED_REPORT_DAYS),
  };
}
