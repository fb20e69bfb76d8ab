import type { OutcomeRow } from '../../api/outcomes-api.ts';

export type Fate = NonNullable<OutcomeRow['outcome']>;

export const FATES: readonly { readonly fate: Fate; readonly name: string; readonly text: string }[] = [
  { fate: 'accepted', name: 'Accepted', text: 'Stored' },
  { fate: 'filtered', name: 'Filtered', text: 'Left out on purpose' },
  { fate: 'rate_limited', name: 'Rate limited', text: 'Beyond a limit, or when there was no room' },
  { fate: 'invalid', name: 'Invalid', text: 'Could not be read' },
  { fate: 'client_discard', name: 'Dropped by SDKs', text: 'Never sent, as SDKs report' },
];

/** What people can make of a reason; those without words are told apart by their name. */
const REASONS: Readonly<Record<string, string>> = {
  unsupported_item: 'A kind of item that is not stored here, such as a transaction or an attachment',
  unsupported_type: 'An event that is no error',
  duplicate: 'Sent twice: an event with this id is stored already',
  project_deleted: 'The project was deleted while it waited',
  no_event: 'A report or feedback that names no event',
  too_many_reports: 'The event has as many reports as are kept',
  no_release: 'A session without a release',
  invalid_session: 'A session without id or start, or with counts that make no sense',
  too_old: 'A session that began more than 5 days before it came',
  in_future: 'A session ahead of time',
  session_changed: 'It contradicts the release or environment of its session',
  empty_report: 'A report without a name, an address and a text',
  invalid_json: 'Not JSON',
  not_an_object: 'JSON, but no object',
  malformed_envelope: 'An envelope whose item headers cannot be read',
  truncated_envelope: 'An envelope that ends too early',
  too_many_items: 'More items in an envelope than are taken',
  corrupt_encoding: 'Compressed data that is broken or cut off',
  unsupported_encoding: 'Compressed in a way that is not understood',
  too_large: 'Too large',
  contradicting_dsn: 'The DSN in it is another one than that of the request',
  aborted: 'The connection ended before everything had come',
  timeout: 'It did not come in time',
  internal_error: 'A mistake of this service; its log has it',
  inactive_key: 'The client key is disabled',
  not_active: 'Error tracking is not enabled',
  not_integrated: 'The project uses an external tracker',
  not_configured: 'Error tracking was never set up',
  key_limit: 'Over the limit of the client key',
  project_limit: 'Over the limit of the project',
  instance_limit: 'Over the limit of the whole service',
  spike_guard: 'Far more than usual: the spike guard cut it',
  busy: 'Too much at once',
  journal_full: 'The journal was full',
  disk_low: 'The disk was nearly full',
  disk_error: 'The disk failed',
  journal_closed: 'The service was stopping',
  unavailable: 'The service could not take it',
  queue_overflow: 'The queue of the SDK was full',
  cache_overflow: 'The cache of the SDK was full',
  buffer_overflow: 'The buffer of the SDK was full',
  ratelimit_backoff: 'The SDK waited, as it was told to',
  network_error: 'The network failed',
  sample_rate: 'Left out by the sample rate of the SDK',
  before_send: 'Left out by before_send of the application',
  event_processor: 'Left out by an event processor of the application',
  send_error: 'Refused when it was sent',
  internal_sdk_error: 'A mistake in the SDK',
  insufficient_data: 'Too little data',
  backpressure: 'The SDK slowed down by itself',
  ignored: 'Ignored by the settings of the SDK',
  other: 'Another reason',
};

export function reasonText(reason: string): string {
  return Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? reason) : reason;
}
