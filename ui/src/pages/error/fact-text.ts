import type { ErrorAlert } from '../../api/alerts-api.ts';
import { causeText } from '../../lib/mark-texts.ts';

const REASONS = {
  until: 'No longer ignored: the time has come',
  events: 'No longer ignored: it happened often enough',
  users: 'No longer ignored: it affects enough users',
} as const;

/** Says what happened to an error: `New error`, `Reached 1,000 users`. */
export function factText({ fact, cause }: Pick<ErrorAlert, 'fact' | 'cause'>): string {
  switch (fact) {
    case 'new':
      return 'New error';
    case 'regressed':
      return 'Came back after it was resolved';
    case 'unmuted':
      return cause.reason === undefined ? 'No longer ignored' : REASONS[cause.reason];
    case 'escalated': {
      const text = causeText(cause);
      return text.charAt(0).toUpperCase() + text.slice(1);
    }
  }
}
