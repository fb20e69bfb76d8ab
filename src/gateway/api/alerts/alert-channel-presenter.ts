import type { AlertChannel } from '../../../domain/alert-channel.ts';
import type { Outlook } from '../../../domain/ports/alert-setup.ts';
import { isoTime } from '../../http/iso-time.ts';

const timeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));

function presentAlertOutlook(outlook: Outlook) {
  return {
    state: outlook.state,
    next_at: timeOrNull(outlook.nextAt),
    reason: outlook.reason,
    last_sent_at: timeOrNull(outlook.lastSentAt),
    failing_since: timeOrNull(outlook.failingSince),
    last_answer: outlook.lastAnswer,
  };
}

/** Outlook of a channel that no message was gathered for yet. */
const IDLE = {
  state: 'idle',
  next_at: null,
  reason: '',
  last_sent_at: null,
  failing_since: null,
  last_answer: null,
} as const;

/** Presents a channel without its secrets. */
export function presentAlertChannel(channel: AlertChannel, outlooks: readonly Outlook[]) {
  const outlook = outlooks.find(({ destination }) => destination === `channel:${channel.id}`);
  return {
    id: channel.id,
    type: channel.type,
    name: channel.name,
    host: channel.host,
    enabled: channel.enabled,
    disabled_reason: channel.disabledReason,
    created_at: isoTime(channel.createdAt),
    outlook: outlook === undefined ? IDLE : presentAlertOutlook(outlook),
  };
}

/** Presents a person that messages of a project go to. */
export function presentAlertPerson(outlook: Outlook) {
  return { id: Number(outlook.destination.split(':')[1]), name: outlook.name, outlook: presentAlertOutlook(outlook) };
}
