import type { Conversation, Destination } from '../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../domain/alerts/alert-message.ts';
import type { AlertStore } from '../domain/ports/stores/alert-store.ts';
import type { Audience, Person } from './routing/audience.ts';
import type { ConversationBook } from './sending/conversation-book.ts';
import { newMessageId } from './sending/message-id.ts';
import { mayGetNote } from './note-time.ts';
import { withMessage } from './sending/pace.ts';
import { lastTimeOfDay, shownTime } from './routing/zoned-time.ts';
import { DAY_MS } from '../domain/durations.ts';

/** Time of the daily message, by the clocks of the person's zone. */
const DAILY_AT = '09:00';

export interface DailyParts {
  readonly store: Pick<AlertStore, 'listAlertPreferences'>;
  readonly book: ConversationBook;
  readonly audience: Audience;
  readonly now: number;
}

/**
 * Puts the daily message on its way to people that asked for it, so that they can tell silence from failure. The first
 * one follows at nine o'clock after the request.
 */
export async function sendDaily({ store, book, audience, now }: DailyParts): Promise<void> {
  if (!audience.mail) return;
  for (const { userId, heartbeat, zone } of await store.listAlertPreferences()) {
    if (!heartbeat) continue;
    const destination: Destination = `user:${userId}`;
    const due = lastTimeOfDay(zone, DAILY_AT, now);
    const known = book.get(destination);
    if (known !== null && known.heartbeatAt !== null && known.heartbeatAt >= due) continue;
    const person = await audience.person(userId);
    if (person === null || person.user.blocked || person.user.email === null) continue;
    await book.update(destination, now, (current) => {
      if (current.heartbeatAt === null) return { ...current, heartbeatAt: now };
      if (current.heartbeatAt >= due || !mayGetNote(current, person, now)) return null;
      return { ...withMessage(current, dailyMessage(current, person, now), now), heartbeatAt: now };
    });
  }
}

function dailyMessage({ lastSentAt }: Conversation, { preferences }: Person, now: number): AlertMessage {
  const recent = lastSentAt !== null && now - lastSentAt < DAY_MS;
  const said = recent
    ? `The last message to you was sent at ${shownTime(preferences.zone, lastSentAt)} (${preferences.zone}).`
    : 'In the last 24 hours nothing had to be reported to you.';
  return {
    id: newMessageId(now),
    kind: 'heartbeat',
    createdAt: now,
    since: now,
    until: now,
    parts: [],
    note: `Alerts are working. ${said}`,
  };
}
