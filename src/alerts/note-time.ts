import type { Conversation } from '../domain/alerts/alert-delivery.ts';
import type { Person } from './routing/audience.ts';
import { gapEnd } from './sending/pace.ts';
import { quietUntil } from './routing/zoned-time.ts';

/** Returns true when a person may get a message now that reports no facts. */
export function mayGetNote(conversation: Conversation, { preferences }: Person, now: number): boolean {
  const { quiet, zone } = preferences;
  return conversation.pending === null && gapEnd(conversation, now) <= now && quietUntil(zone, quiet, now) === null;
}
