import { knownCategory } from './read/item-category.ts';
import { isObject, parseJsonObject } from './read/lenient-json.ts';
import type { OutcomeTally } from './outcome-tally.ts';

/** Maximum bytes of a report; a larger one is not read. The protocol allows 4 KiB. */
const MAX_REPORT_BYTES = 64 * 1024;
/** Maximum number of counted entries of one report. Leaves out further ones. */
const MAX_ENTRIES = 100;
/** Maximum count of one entry. Leaves out an entry above it as invalid. */
const MAX_QUANTITY = 1_000_000_000;

/** Reasons that SDKs give for discarding an item; any other one counts as `other`. */
const REASONS: ReadonlySet<string> = new Set([
  'queue_overflow',
  'cache_overflow',
  'buffer_overflow',
  'ratelimit_backoff',
  'network_error',
  'sample_rate',
  'before_send',
  'event_processor',
  'send_error',
  'internal_sdk_error',
  'insufficient_data',
  'backpressure',
  'ignored',
]);

/** Counts what the client reports as discarded. An unreadable report is counted as invalid. */
export function countClientReport(payload: Buffer, tally: OutcomeTally): void {
  if (payload.length > MAX_REPORT_BYTES) {
    tally.add('internal', 'invalid', 'too_large');
    return;
  }
  const report = parseJsonObject(payload);
  if (report === null) {
    tally.add('internal', 'invalid', 'invalid_json');
    return;
  }
  const entries = report.value['discarded_events'];
  if (!Array.isArray(entries)) {
    return;
  }
  for (const entry of entries.slice(0, MAX_ENTRIES) as unknown[]) {
    const quantity = isObject(entry) ? entry['quantity'] : undefined;
    if (!isObject(entry) || typeof quantity !== 'number' || !Number.isInteger(quantity)) {
      continue;
    }
    if (quantity > 0 && quantity <= MAX_QUANTITY) {
      const reason = entry['reason'];
      const known = typeof reason === 'string' && REASONS.has(reason) ? reason : 'other';
      tally.add(knownCategory(entry['category']), 'client_discard', known, quantity);
    }
  }
}
