import { reasonText } from '../outcomes/outcome-texts.ts';

export interface RefusalText {
  readonly text: string;
  /** Remedy; null when no action is needed. */
  readonly advice: string | null;
}

const COPY_DSN = 'Copy the DSN again from the project settings.';

/** Texts for refusal reasons of SDK requests. Other reasons have the texts of project outcomes. */
const REFUSALS: Readonly<Record<string, RefusalText>> = {
  unauthorized: { text: 'No client key, an invalid one, or several different ones', advice: COPY_DSN },
  unknown_key: { text: 'Unknown client key: deleted, rotated or mistyped', advice: COPY_DSN },
  other_project: { text: 'The client key and the address belong to different projects', advice: COPY_DSN },
  unknown_project: { text: 'The project in the address does not exist', advice: COPY_DSN },
  inactive_key: { text: 'The client key is disabled', advice: 'Enable it, or use another key in the application.' },
  not_configured: {
    text: 'Error tracking is not set up in the project',
    advice: 'Enable it in the settings of the project.',
  },
  not_active: {
    text: 'Error tracking is off in the project',
    advice: 'Enable it in the settings of the project.',
  },
  not_integrated: {
    text: 'The project uses an external tracker',
    advice: 'Use the DSN of that tracker, or choose the integrated backend.',
  },
  not_offered: {
    text: 'The integrated backend is off',
    advice: 'Use the DSN of the external tracker.',
  },
  forbidden: { text: 'The client key is not allowed to send', advice: COPY_DSN },
  invalid: { text: 'The body cannot be read', advice: 'Check for a proxy that changes requests, or update the SDK.' },
  too_large: { text: 'The request or an event in it is too large', advice: 'Reduce what the SDK attaches.' },
  unsupported_encoding: {
    text: 'Unsupported compression',
    advice: 'Check for a proxy that compresses requests.',
  },
  method: { text: 'Method other than POST', advice: 'Check for a proxy that redirects requests.' },
  rate_limited: { text: 'Over a limit per minute', advice: null },
  key_limit: { text: 'Over the limit of a client key', advice: null },
  project_limit: { text: 'Over the limit of a project', advice: null },
  instance_limit: { text: 'Over the limit of the instance', advice: null },
  spike_guard: { text: 'Spike protection: far more events than usual', advice: null },
  unavailable: { text: 'Events could not be saved, or keys could not be checked', advice: 'See above, and the log.' },
  unexpected: { text: 'Internal error', advice: 'See the log.' },
};

export function refusalText(reason: string): RefusalText {
  const known = Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : undefined;
  return known ?? { text: reasonText(reason), advice: null };
}
