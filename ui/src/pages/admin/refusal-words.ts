import { reasonText } from '../outcomes/outcome-words.ts';

export interface RefusalWords {
  readonly text: string;
  /** What helps; null where nobody needs to do anything. */
  readonly advice: string | null;
}

const COPY_DSN = 'Copy the whole DSN again, from the settings of its project.';

/** Why requests of SDKs are turned away. What is not here is told as in the outcomes of a project. */
const REFUSALS: Readonly<Record<string, RefusalWords>> = {
  unauthorized: { text: 'No client key, an unreadable one, or several that differ', advice: COPY_DSN },
  unknown_key: { text: 'The client key is not known: deleted, rotated, or mistyped', advice: COPY_DSN },
  other_project: { text: 'The client key belongs to another project than the address', advice: COPY_DSN },
  unknown_project: { text: 'The address names no project', advice: COPY_DSN },
  inactive_key: { text: 'The client key is disabled', advice: 'Enable it, or give the application another one.' },
  not_configured: {
    text: 'Error tracking was never set up in the project',
    advice: 'Enable it in the settings of the project.',
  },
  not_active: {
    text: 'Error tracking is switched off in the project',
    advice: 'Enable it in the settings of the project.',
  },
  not_integrated: {
    text: 'The project uses an external tracker',
    advice: 'Give the application the DSN of that tracker, or choose the integrated backend.',
  },
  not_offered: {
    text: 'This service stores no errors itself',
    advice: 'Give the application the DSN of the external tracker.',
  },
  forbidden: { text: 'The client key may not send', advice: COPY_DSN },
  invalid: { text: 'The body cannot be read', advice: 'Look for a proxy that changes requests, or update the SDK.' },
  too_large: { text: 'The request or an event in it is too large', advice: 'Send less with it.' },
  unsupported_encoding: {
    text: 'Compressed in a way that is not understood',
    advice: 'Look for a proxy that compresses requests.',
  },
  method: { text: 'Not sent with POST', advice: 'Look for a proxy that redirects requests.' },
  rate_limited: { text: 'Beyond a limit per minute', advice: null },
  key_limit: { text: 'Beyond the limit of a client key', advice: null },
  project_limit: { text: 'Beyond the limit of a project', advice: null },
  instance_limit: { text: 'Beyond the limit of the whole service', advice: null },
  spike_guard: { text: 'Far more than usual: the spike guard cut it', advice: null },
  unavailable: { text: 'Events could not be kept, or keys not be checked', advice: 'See above, and the log.' },
  unexpected: { text: 'A mistake of this service', advice: 'Its log has it.' },
};

export function refusalWords(reason: string): RefusalWords {
  const known = Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : undefined;
  return known ?? { text: reasonText(reason), advice: null };
}
