import {
  MAX_ANSWER_LENGTH,
  type Conversation,
  type Delivery,
  type Destination,
} from '../../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../../domain/alerts/alert-message.ts';
import type { AlertSender, SendResult } from '../../domain/ports/alert-sender.ts';
import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { FailureLog } from '../../observability/failure-log.ts';
import type { Logger } from '../../observability/logger.ts';
import { attempt } from './attempt.ts';
import type { Audience } from '../routing/audience.ts';
import type { ConversationBook } from './conversation-book.ts';
import { findTarget, type FoundTarget, type OpenSecrets, type Target, type TargetType } from './message-target.ts';
import { newMessageId } from './message-id.ts';
import { withoutMessage } from './pace.ts';
import { nextAttempt } from './retries.ts';
import { SendSlots } from './send-slots.ts';

export interface SendingParts {
  readonly store: Pick<AlertStore, 'saveDelivery' | 'updateChannel'>;
  readonly book: ConversationBook;
  readonly sender: AlertSender;
  readonly open: OpenSecrets;
  /** False: another gateway works on alerts now, so nothing is started. */
  readonly leading: () => boolean;
  /** View of projects and people that is at most some seconds old. */
  readonly audience: () => Audience;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** 0 inclusive to 1 exclusive. */
  readonly random: () => number;
  readonly count: (type: TargetType, outcome: SendResult['outcome'] | 'failed' | 'dropped') => void;
}

type DroppedTarget = Extract<FoundTarget, { readonly dropped: string }>;

/** Outcome of an attempt that is not stored yet. */
interface Outcome {
  readonly messageId: string;
  readonly target: Target;
  readonly result: SendResult;
  readonly at: number;
}

/**
 * Sends the messages on their way: each destination on its own, within the bounds of SendSlots. An outcome is stored as
 * a delivery before the conversation lets go of its message. While the store is away it is kept, and the message is not
 * sent again.
 */
export class MessageSending {
  readonly #parts: SendingParts;
  readonly #slots = new SendSlots();
  readonly #active = new Map<Destination, Promise<void>>();
  readonly #outcomes = new Map<Destination, Outcome>();
  readonly #stop = new AbortController();
  #mayStart = true;
  readonly #failures: FailureLog;

  constructor(parts: SendingParts) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts.logger, 'outcomes of alerts are not stored yet; retried');
  }

  /** Starts what is due and has a slot. Destinations that work come first. */
  async pump(): Promise<void> {
    const { book, clock, audience, open } = this.#parts;
    const now = clock.now();
    const due = book
      .all()
      .filter(({ destination, pending }) => pending !== null && pending.nextAt <= now && !this.#active.has(destination))
      .sort((a, b) => Number(a.failingSince !== null) - Number(b.failingSince !== null) || nextAt(a) - nextAt(b));
    for (const { destination, pending, failingSince } of due) {
      if (!this.#mayStart || !this.#parts.leading()) return;
      if (pending === null) continue;
      const found = await findTarget(destination, pending.message, audience(), open);
      // Another call may have started it meanwhile.
      if (this.#active.has(destination)) continue;
      if ('dropped' in found) {
        await this.#drop(destination, pending.message, found);
        continue;
      }
      if (found.parts.length < pending.message.parts.length && !this.#outcomes.has(destination)) {
        await this.#shorten(destination, pending.message, found);
        continue;
      }
      const failing = failingSince !== null;
      if (!this.#slots.take(found.host, failing)) continue;
      this.#active.set(destination, this.#sendFrom(destination, found, failing));
    }
  }

  /** Starts nothing more. Waits `graceMs` for attempts; the others are ended, and repeated by the next process. */
  async stop(graceMs: number): Promise<void> {
    this.#mayStart = false;
    const timer = setTimeout(() => this.#stop.abort(), graceMs);
    await Promise.allSettled(this.#active.values());
    clearTimeout(timer);
  }

  /** Sends within the slot that was taken; never rejects. */
  async #sendFrom(destination: Destination, target: Target, failing: boolean): Promise<void> {
    let stored = false;
    try {
      stored = await this.#send(destination, target);
      this.#failures.succeeded();
    } catch (error) {
      this.#failures.failed(error);
    }
    this.#slots.release(target.host, failing);
    this.#active.delete(destination);
    // The next message need not wait for the next turn, which is for stores that are away.
    if (stored && this.#mayStart) void this.pump().catch(() => undefined);
  }

  /** Returns false when the outcome is kept for the next turn. */
  async #send(destination: Destination, target: Target): Promise<boolean> {
    const { book, sender, logger, clock } = this.#parts;
    const pending = book.get(destination)?.pending ?? null;
    if (pending === null) return true;
    const { message } = pending;
    let outcome = this.#outcomes.get(destination);
    if (outcome?.messageId !== message.id) {
      const mayRepeat = pending.attempts > 0 || book.isInherited(message.id);
      const result = await attempt(target, message, mayRepeat, this.#stop.signal, { sender, logger });
      if (this.#stop.signal.aborted && result.outcome !== 'sent') return false;
      this.#parts.count(target.type, result.outcome);
      outcome = { messageId: message.id, target, result, at: clock.now() };
      this.#outcomes.set(destination, outcome);
    }
    if (!(await this.#settle(destination, outcome))) return false;
    this.#outcomes.delete(destination);
    return true;
  }

  /** Stores an outcome. Repeated after an error, so each step may be done already. False: another process won. */
  async #settle(destination: Destination, { messageId, target, result, at }: Outcome): Promise<boolean> {
    const { book, store, random } = this.#parts;
    const pending = book.get(destination)?.pending ?? null;
    if (pending?.message.id !== messageId) return true;
    const attempts = pending.attempts + 1;
    const { outcome, answer } = result;
    const nextAt = outcome === 'sent' ? null : nextAttempt(result, attempts, at, random());
    const record = {
      destination,
      name: target.name,
      message: pending.message,
      facts: pending.facts,
      attempts,
      answer,
      at,
    };
    if (outcome === 'gone') await switchOff(target, store);
    if (nextAt === null) await store.saveDelivery(deliveryOf(record, outcome === 'sent' ? 'sent' : 'failed'));
    const saved = await book.update(destination, at, (current) => {
      if (current.pending?.message.id !== messageId || current.pending.attempts >= attempts) return null;
      const failing = outcome === 'sent' ? NOT_FAILING : failingFrom(current, outcome, at);
      const next = nextAt === null ? withoutMessage(current, at) : retried(current, attempts, nextAt, answer);
      return { ...next, ...failing };
    });
    if (saved !== null && nextAt === null && outcome !== 'sent') this.#parts.count(target.type, 'failed');
    return saved !== null;
  }

  async #drop(destination: Destination, message: AlertMessage, { dropped, name, type }: DroppedTarget): Promise<void> {
    const { book, store, clock, count } = this.#parts;
    const pending = book.get(destination)?.pending ?? null;
    if (pending?.message.id !== message.id) return;
    const { facts, attempts } = pending;
    const at = clock.now();
    const answer = dropped.slice(0, MAX_ANSWER_LENGTH);
    await store.saveDelivery(deliveryOf({ destination, name, message, facts, attempts, answer, at }, 'dropped'));
    await book.update(destination, at, (current) =>
      current.pending?.message.id === message.id ? { ...current, pending: null, ...NOT_FAILING } : null,
    );
    this.#outcomes.delete(destination);
    count(type, 'dropped');
  }

  /** Replaces a message by a new one without the projects that the person has left. */
  async #shorten(destination: Destination, message: AlertMessage, { name, parts }: Target): Promise<void> {
    const { book, store, clock } = this.#parts;
    const pending = book.get(destination)?.pending ?? null;
    if (pending?.message.id !== message.id) return;
    const at = clock.now();
    const answer = 'The person left a project of the message, or switched its mail off; the rest is in a new message.';
    const { facts, attempts } = pending;
    await store.saveDelivery(deliveryOf({ destination, name, message, facts, attempts, answer, at }, 'dropped'));
    const id = newMessageId(at);
    await book.update(destination, at, (current) =>
      current.pending?.message.id === message.id
        ? { ...current, pending: { ...current.pending, message: { ...message, id, parts } } }
        : null,
    );
  }
}

/** Switches a channel off whose receiver answered 410. */
export async function switchOff({ channel }: Target, store: Pick<AlertStore, 'updateChannel'>): Promise<void> {
  if (channel === null) return;
  const disabledReason = 'The receiver answered 410: this address is no longer in use.';
  await store.updateChannel(channel.projectId, channel.id, { enabled: false, disabledReason });
}

const NOT_FAILING = { failingSince: null, troubleTo: null } as const;

/** Milliseconds after which an outage that was reported counts as a new one, so that it is reported again. */
const REPORTED_FOR_MS = 86_400_000;

/**
 * A channel that is switched off is reported, also when it was reported as failing before. An outage that goes on is
 * reported at most once a day, and only while messages still fail.
 */
function failingFrom({ failingSince, troubleTo }: Conversation, outcome: SendResult['outcome'], at: number) {
  const isReported = troubleTo?.length === 0;
  return outcome === 'gone' || failingSince === null || (isReported && at - failingSince >= REPORTED_FOR_MS)
    ? { failingSince: at, troubleTo: null }
    : { failingSince, troubleTo };
}

const nextAt = ({ pending }: Conversation): number => pending?.nextAt ?? 0;

function retried(current: Conversation, attempts: number, nextTime: number, lastAnswer: string): Conversation {
  if (current.pending === null) return current;
  return { ...current, pending: { ...current.pending, attempts, nextAt: nextTime, lastAnswer } };
}

/** Returns the record of a message. */
export function deliveryOf(
  { message, ...record }: Pick<Delivery, 'destination' | 'name' | 'facts' | 'message' | 'attempts' | 'answer' | 'at'>,
  state: Delivery['state'],
): Delivery {
  return { id: message.id, ...record, message, projectIds: message.parts.map(({ project }) => project.id), state };
}
