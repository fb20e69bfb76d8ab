/** Data category of each item type in the protocol; others are `default`. */
const CATEGORY_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['event', 'error'],
  ['transaction', 'transaction'],
  ['session', 'session'],
  ['sessions', 'session'],
  ['attachment', 'attachment'],
  ['form_data', 'attachment'],
  ['unreal_report', 'attachment'],
  ['client_report', 'internal'],
  ['user_report', 'default'],
  ['feedback', 'feedback'],
  ['check_in', 'monitor'],
  ['log', 'log_item'],
  ['trace_metric', 'trace_metric'],
  ['statsd', 'statsd'],
  ['metric_buckets', 'metric_bucket'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile_chunk'],
  ['replay_event', 'replay'],
  ['replay_recording', 'replay'],
  ['replay_video', 'replay'],
  ['span', 'span'],
  ['otel_span', 'span'],
  ['otel_traces_data', 'span'],
  ['security', 'security'],
  ['raw_security', 'security'],
  ['nel', 'security'],
]);

const CATEGORIES: ReadonlySet<string> = new Set([...CATEGORY_OF_TYPE.values(), 'log_byte']);

/** Maximum value of `item_count`; a larger one counts as this. */
const MAX_ITEM_COUNT = 1000;

export function categoryOf(itemType: string): string {
  return CATEGORY_OF_TYPE.get(itemType) ?? 'default';
}

/** Returns a category from outside when the protocol knows it, else `default`. */
export function knownCategory(name: unknown): string {
  return typeof name === 'string' && CATEGORIES.has(name) ? name : 'default';
}

/** Number of entries in an item: one item holds many logs, metrics or spans. */
export function quantityOf(header: Readonly<Record<string, unknown>>): number {
  const count = header['item_count'];
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? Math.min(count, MAX_ITEM_COUNT) : 1;
}

/** Types of bodies on the event routes that are no errors. A replay is of type `replay` there. */
const OTHER_BODIES = [
  'transaction',
  'span',
  'check_in',
  'profile',
  'replay',
  'feedback',
  'session',
  'sessions',
  'client_report',
] as const;
const CATEGORY_OF_BODY = new Map<string, string>(
  OTHER_BODIES.map((type) => [type, categoryOf(type === 'replay' ? 'replay_event' : type)]),
);

/** Returns null for stored types: errors, messages, browser reports and unknown types. */
export function unsupportedCategory(type: unknown): string | null {
  return typeof type === 'string' ? (CATEGORY_OF_BODY.get(type) ?? null) : null;
}

const MENTION = new RegExp(`"type"\\s*:\\s*"(?:${OTHER_BODIES.join('|')})"`);

/** Returns true when the bytes of a JSON object contain such a type anywhere. Cheap, and rarely true of an error. */
export function mayBeUnsupported(json: Buffer): boolean {
  return MENTION.test(json.toString('latin1'));
}
