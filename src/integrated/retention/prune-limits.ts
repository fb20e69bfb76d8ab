import { DELIVERIES_KEPT_MS } from '../../domain/alerts/alert-delivery.ts';
import { FACTS_KEPT_MS } from '../../domain/alerts/alert-fact.ts';
import type { PruneLimits } from '../../domain/ports/stores/maintenance-store.ts';
import { DAY_MS } from '../../domain/durations.ts';

/** Days that event keys stay: longer than any SDK retries the same event. */
const KEY_DAYS = 7;
/** Days that session rows stay. Updates older than five days are refused; two more days cover delayed journals. */
const SESSION_ROW_DAYS = 7;
/** Days that hourly counts stay: 30 for the charts, and one so that the first is whole. */
const HOUR_COUNT_DAYS = 31;
/** Days that releases with their sessions, and outcomes, stay: the maximum that users can query. */
const SUMMARY_DAYS = 90;
/**
 * Milliseconds after which payloads that came with few others are stored together with later ones. Longer than users
 * wait for a test event.
 */
const PACK_AFTER_MS = 10 * 60_000;
/** Days that a report waits for its event. */
const UNMATCHED_REPORT_DAYS = 30;

export interface RetentionSettings {
  readonly retentionDays: number;
  /** Maximum stored events per error; 0: no bound. */
  readonly maxEventsPerError: number;
  /** Days that events of the audit log stay. */
  readonly auditDays: number;
}

/** Converts the retention settings to limits at an instant (milliseconds since the epoch). */
export function pruneLimits(settings: RetentionSettings, now: number): PruneLimits {
  const before = (days: number) => now - days * DAY_MS;
  return {
    receivedBefore: before(settings.retentionDays),
    maxEventsPerError: settings.maxEventsPerError === 0 ? null : settings.maxEventsPerError,
    // Keys of payloads that stay longer are kept by the stores as long.
    keysReceivedBefore: before(KEY_DAYS),
    hoursBefore: before(HOUR_COUNT_DAYS),
    outcomesBefore: before(SUMMARY_DAYS),
    sessions: { startedBefore: before(SESSION_ROW_DAYS), seenBefore: before(SUMMARY_DAYS) },
    packReceivedBefore: now - PACK_AFTER_MS,
    unmatchedReportsBefore: before(UNMATCHED_REPORT_DAYS),
    factsBefore: now - FACTS_KEPT_MS,
    deliveriesBefore: now - DELIVERIES_KEPT_MS,
    auditBefore: before(settings.auditDays),
  };
}
