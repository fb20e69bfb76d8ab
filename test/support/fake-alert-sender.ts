import type { AlertMessage } from '../../src/domain/alerts/alert-message.ts';
import type { AlertSender, AttemptOptions, Recipient, SendResult } from '../../src/domain/ports/alert-sender.ts';

export interface SentAttempt {
  readonly recipient: Recipient;
  readonly message: AlertMessage;
  readonly mayRepeat: boolean;
  readonly result: SendResult;
  /** By the clock of the test. */
  readonly at: number;
}

export const TAKEN: SendResult = { outcome: 'sent', answer: '200' };

/** Sender that records its attempts, and answers as the test says. */
export class FakeAlertSender implements AlertSender {
  mail: AlertSender['mail'] = { from: 'errgate@example.org' };
  readonly attempts: SentAttempt[] = [];
  /** Answer to an attempt; default: taken. */
  answer: (recipient: Recipient, message: AlertMessage) => SendResult | Promise<SendResult> = () => TAKEN;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async send(recipient: Recipient, message: AlertMessage, { mayRepeat }: AttemptOptions): Promise<SendResult> {
    const result = await this.answer(recipient, message);
    this.attempts.push({ recipient, message, mayRepeat, result, at: this.#now() });
    return result;
  }

  /** Messages that were taken by a recipient of this name, each once; absent: by all. */
  taken(name?: string): AlertMessage[] {
    const taken = this.attempts.filter(
      ({ result, recipient }) => result.outcome === 'sent' && (name === undefined || recipient.name === name),
    );
    return [...new Map(taken.map(({ message, recipient }) => [`${message.id} ${recipient.name}`, message])).values()];
  }
}
