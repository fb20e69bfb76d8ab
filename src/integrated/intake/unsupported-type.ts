/** Types of bodies on the event routes that are no errors, and their category in the outcomes. */
const CATEGORIES = new Map([
  ['transaction', 'transaction'],
  ['span', 'span'],
  ['check_in', 'monitor'],
  ['profile', 'profile'],
  ['replay_event', 'replay'],
  ['feedback', 'feedback'],
  ['session', 'session'],
  ['sessions', 'session'],
  ['client_report', 'internal'],
]);

/** Returns null for stored types: errors, messages, browser reports and unknown types. */
export function unsupportedCategory(type: unknown): string | null {
  return typeof type === 'string' ? (CATEGORIES.get(type) ?? null) : null;
}

const MENTION = new RegExp(`"type"\\s*:\\s*"(?:${[...CATEGORIES.keys()].join('|')})"`);

/** Returns true when the bytes of a JSON object contain such a type anywhere. Cheap, and rarely true of an error. */
export function mayBeUnsupported(json: Buffer): boolean {
  return MENTION.test(json.toString('latin1'));
}
