import type { OutcomeRow } from '../../api/outcomes-api.ts';
import type { ChartTone } from '../../lib/chart-series.ts';

export type Outcome = NonNullable<OutcomeRow['outcome']>;

interface OutcomeText {
  readonly outcome: Outcome;
  readonly name: string;
  readonly text: string;
  readonly tone: ChartTone;
}

/** In the order of the chart, from the bottom. */
export const OUTCOMES: readonly OutcomeText[] = [
  { outcome: 'accepted', name: 'Accepted', text: 'Stored', tone: 'plain' },
  { outcome: 'filtered', name: 'Filtered', text: 'Dropped by a filter', tone: 'muted' },
  { outcome: 'rate_limited', name: 'Rate limited', text: 'Over a limit, or no space left', tone: 'warning' },
  { outcome: 'invalid', name: 'Invalid', text: 'Could not be read', tone: 'danger' },
  { outcome: 'client_discard', name: 'Dropped by SDKs', text: 'Never sent, as reported by SDKs', tone: 'info' },
];

/** Texts of reasons; other reasons are shown by name. */
const REASONS: Readonly<Record<string, string>> = {
  unsupported_item: 'Unsupported item type, such as a transaction or an attachment',
  unsupported_type: 'Not an error event',
  duplicate: 'Duplicate: an event with this id is already stored',
  project_deleted: 'The project was deleted before it was stored',
  discarded_error: 'Its error was deleted for good',
  no_event: 'User report or feedback without an event id',
  too_many_reports: 'Too many user reports for the event',
  no_release: 'Session without a release',
  invalid_session: 'Invalid session: no id, no start, or impossible counts',
  too_old: 'Session is more than 5 days old',
  in_future: 'Session start is in the future',
  session_changed: 'Conflicts with the release or environment of its session',
  empty_report: 'User report without name, email and comments',
  invalid_release: 'Invalid release: its event was stored without it',
  invalid_environment: 'Invalid environment: its event was stored without it',
  invalid_dist: 'Invalid dist: its event was stored without it',
  invalid_json: 'Not JSON',
  not_an_object: 'Not a JSON object',
  malformed_envelope: 'Invalid item headers in an envelope',
  truncated_envelope: 'Truncated envelope',
  too_many_items: 'Too many items in an envelope',
  corrupt_encoding: 'Corrupt or truncated compressed data',
  unsupported_encoding: 'Unsupported compression',
  too_large: 'Too large',
  contradicting_dsn: 'The DSN of the envelope differs from that of the request',
  aborted: 'The connection closed before the request was complete',
  timeout: 'Timed out',
  internal_error: 'Internal error (see log)',
  inactive_key: 'The client key is disabled',
  not_active: 'Error tracking is not enabled',
  not_integrated: 'The project uses an external tracker',
  not_configured: 'Error tracking is not set up',
  key_limit: 'Over the limit of the client key',
  project_limit: 'Over the limit of the project',
  instance_limit: 'Over the limit of the instance',
  spike_guard: 'Spike protection: far more events than usual',
  busy: 'Server busy',
  journal_full: 'The journal was full',
  disk_low: 'The disk was nearly full',
  disk_error: 'The disk failed',
  journal_closed: 'The service was stopping',
  unavailable: 'The service could not accept it',
  queue_overflow: 'The queue of the SDK was full',
  cache_overflow: 'The cache of the SDK was full',
  buffer_overflow: 'The buffer of the SDK was full',
  ratelimit_backoff: 'The SDK backed off after a rate limit',
  network_error: 'The network failed',
  sample_rate: 'Dropped by the sample rate of the SDK',
  before_send: 'Dropped by before_send of the application',
  event_processor: 'Dropped by an event processor of the application',
  send_error: 'Rejected by the server',
  internal_sdk_error: 'Internal error in the SDK',
  insufficient_data: 'Not enough data',
  backpressure: 'Backpressure in the SDK',
  ignored: 'Ignored by the settings of the SDK',
  other: 'Another reason',
};

export function reasonText(reason: string): string {
  return Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? reason) : reason;
}
