import type { Conversation, PendingMessage } from '../../domain/alerts/alert-delivery.ts';
import { MAX_RETRY_MS } from './retries.ts';
import { HOUR_MS } from '../../domain/durations.ts';

const MINUTE_MS = 60_000;

/** Milliseconds without a new fact after which a message is closed, and after its first fact in any case. */
const GATHER_QUIET_MS = 30_000;
const GATHER_MAX_MS = 90_000;

/** Milliseconds from one message to the next, by level. */
const GAPS_MS = [0, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS] as const;
const MAX_LEVEL = GAPS_MS.length - 1;

/** Maximum milliseconds from a fact to the end of its digest and of the quiet hours after it. */
const MAX_HOLD_MS = 52 * HOUR_MS;

/*
 * At most 5 + T messages arrive in T hours, for any input. A gap shorter than an hour raises the level by one, and at
 * the highest level gaps are an hour. The level falls by k only in a gap of at least k hours, which pays for the k - 1
 * shorter gaps that it allows.
 */

/** Returns the state of a destination that has had no message, from a place in the log on. */
export function newConversation(destination: Conversation['destination'], cursor: number): Conversation {
  return {
    destination,
    version: 0,
    level: 0,
    lastSentAt: null,
    number: 0,
    cursor,
    firstWaiting: null,
    lastWaiting: null,
    notBefore: null,
    pending: null,
    heartbeatAt: null,
    failingSince: null,
    troubleTo: null,
  };
}

/** Level after the full hours since the last message in which nothing waited. */
function levelAt({ level, lastSentAt, firstWaiting }: Conversation, now: number): number {
  if (lastSentAt === null) return level;
  const silentMs = Math.max(0, (firstWaiting ?? now) - lastSentAt);
  return Math.max(0, level - Math.floor(silentMs / HOUR_MS));
}

/** Returns the time from which on the destination may get another message; in the past: at once. */
export function gapEnd(conversation: Conversation, now: number): number {
  const { lastSentAt } = conversation;
  return lastSentAt === null ? now : lastSentAt + (GAPS_MS[levelAt(conversation, now)] ?? HOUR_MS);
}

/** Returns the time at which facts that came together are gathered; null: none waits. */
export function gatheredAt({ firstWaiting, lastWaiting }: Conversation): number | null {
  if (firstWaiting === null) return null;
  return Math.min((lastWaiting ?? firstWaiting) + GATHER_QUIET_MS, firstWaiting + GATHER_MAX_MS);
}

/** Returns the time at which the waiting facts become a message; null: none waits, or a message is on its way. */
export function readyAt(conversation: Conversation, now: number): number | null {
  const gathered = gatheredAt(conversation);
  if (gathered === null || conversation.pending !== null) return null;
  return Math.max(gathered, gapEnd(conversation, now), conversation.notBefore ?? 0);
}

/** Facts of one destination that wait from now on. */
export interface Arrival {
  /** Places of the first and the last one. */
  readonly first: number;
  readonly last: number;
  /** Earliest time at which one of them may be sent; null: at once. */
  readonly notBefore: number | null;
}

/** Adds facts that wait. The cursor follows while none waits, so that closing reads no more of the log than needed. */
export function withWaiting(
  conversation: Conversation,
  { first, notBefore }: Pick<Arrival, 'first' | 'notBefore'>,
  now: number,
): Conversation {
  const { firstWaiting, cursor } = conversation;
  if (firstWaiting === null) {
    return {
      ...conversation,
      cursor: Math.max(cursor, first - 1),
      firstWaiting: now,
      lastWaiting: now,
      notBefore,
    };
  }
  const earliest =
    conversation.notBefore === null || notBefore === null ? null : Math.min(conversation.notBefore, notBefore);
  // After the longest gathering the time of later facts decides nothing, and need not be stored.
  const lastWaiting = now - firstWaiting >= GATHER_MAX_MS ? conversation.lastWaiting : now;
  if (lastWaiting === conversation.lastWaiting && earliest === conversation.notBefore) return conversation;
  return { ...conversation, lastWaiting, notBefore: earliest };
}

/** Returns the conversation in which nothing waits, up to a place in the log. */
export function withNothingWaiting(conversation: Conversation, cursor: number): Conversation {
  return {
    ...conversation,
    cursor: Math.max(conversation.cursor, cursor),
    firstWaiting: null,
    lastWaiting: null,
    notBefore: null,
  };
}

/** Puts a message on its way that reports no facts; those that wait go on waiting. */
export function withMessage(
  conversation: Conversation,
  message: PendingMessage['message'],
  now: number,
  facts: PendingMessage['facts'] = [],
): Conversation {
  return {
    ...conversation,
    level: Math.min(levelAt(conversation, now) + 1, MAX_LEVEL),
    lastSentAt: now,
    number: conversation.number + 1,
    pending: { message, facts, attempts: 0, nextAt: now, lastAnswer: null },
  };
}

/** Puts a message on its way that reports the waiting facts up to a place in the log. */
export function withFactsMessage(
  conversation: Conversation,
  written: Pick<PendingMessage, 'message' | 'facts'>,
  cursor: number,
  now: number,
): Conversation {
  // The level counts the silence before the facts, so they still wait when it is set.
  return withNothingWaiting(withMessage(conversation, written.message, now, written.facts), cursor);
}

/** Ends the message on its way at the time of its last attempt, from which the next gap counts. */
export function withoutMessage(conversation: Conversation, attemptedAt: number): Conversation {
  return { ...conversation, pending: null, lastSentAt: Math.max(conversation.lastSentAt ?? 0, attemptedAt) };
}

function moved(time: number | null, byMs: number): number | null {
  return time === null ? null : time + byMs;
}

/** Moves the times along with a clock that was set, so that as much time has passed as before. */
export function clockSet(conversation: Conversation, byMs: number): Conversation {
  const { lastSentAt, firstWaiting, lastWaiting, failingSince, pending } = conversation;
  return {
    ...conversation,
    lastSentAt: moved(lastSentAt, byMs),
    firstWaiting: moved(firstWaiting, byMs),
    lastWaiting: moved(lastWaiting, byMs),
    failingSince: moved(failingSince, byMs),
    pending: pending === null ? null : { ...pending, nextAt: pending.nextAt + byMs },
  };
}

function past(time: number | null, now: number): number | null {
  return time === null ? null : Math.min(time, now);
}

/** Returns a conversation as another process left it, without times that the present clock cannot have seen. */
export function takenOver(conversation: Conversation, now: number): Conversation {
  const { lastSentAt, firstWaiting, lastWaiting, failingSince, heartbeatAt, notBefore, pending } = conversation;
  return {
    ...conversation,
    lastSentAt: past(lastSentAt, now),
    firstWaiting: past(firstWaiting, now),
    lastWaiting: past(lastWaiting, now),
    failingSince: past(failingSince, now),
    heartbeatAt: past(heartbeatAt, now),
    notBefore: notBefore !== null && notBefore > now + MAX_HOLD_MS ? now : notBefore,
    pending: pending === null ? null : { ...pending, nextAt: Math.min(pending.nextAt, now + MAX_RETRY_MS) },
  };
}
