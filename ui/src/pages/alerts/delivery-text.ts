import type { AlertDelivery, FactKind } from '../../api/alerts-api.ts';
import { listed } from '../../lib/listed.ts';
import { wholeNumber } from '../../lib/numbers.ts';

/** Kinds of facts in the order of messages. */
const KINDS: readonly FactKind[] = ['new', 'regressed', 'escalated', 'unmuted'];

/** Says what a message is about: `3 new and 1 regressed error`, `Test`. */
export function deliveryText({ kind, counts, note }: Pick<AlertDelivery, 'kind' | 'counts' | 'note'>): string {
  switch (kind) {
    case 'test':
      return 'Test';
    case 'heartbeat':
      return 'All is well';
    case 'trouble':
      return note === '' ? 'Another channel fails' : note;
    default: {
      const present = KINDS.filter((each) => counts[each] > 0);
      const sum = present.reduce((total, each) => total + counts[each], 0);
      const parts = present.map((each) => `${wholeNumber(counts[each])} ${each}`);
      return sum === 0 ? 'No errors of this project' : `${listed(parts)} ${sum === 1 ? 'error' : 'errors'}`;
    }
  }
}

interface StateTexts {
  readonly text: string;
  /** Class of the badge. */
  readonly tone: '' | 'success' | 'danger' | 'info' | 'warning';
}

/** States of a message in words. */
export const DELIVERY_STATES: Readonly<Record<'waiting' | 'sending' | AlertDelivery['state'], StateTexts>> = {
  waiting: { text: 'Waits', tone: 'info' },
  sending: { text: 'Being sent', tone: 'info' },
  sent: { text: 'Sent', tone: 'success' },
  failed: { text: 'Failed', tone: 'danger' },
  dropped: { text: 'Not sent', tone: 'warning' },
};
