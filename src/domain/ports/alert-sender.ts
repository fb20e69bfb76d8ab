import type { ChannelSecrets, ChannelType } from '../alerts/alert-channel.ts';
import type { AlertMessage } from '../alerts/alert-message.ts';

/** Where one message goes: a channel, or a person by mail. */
export type Recipient =
  | {
      readonly kind: 'channel';
      readonly type: ChannelType;
      readonly name: string;
      readonly secrets: ChannelSecrets;
    }
  | { readonly kind: 'person'; readonly userId: number; readonly name: string; readonly email: string };

/**
 * Result of one attempt. `retry`: later, not before `afterMs` if the receiver said so. `refused`: the receiver will not
 * take it as it is (4xx, SMTP 5xx); tried a few times only. `gone`: 410, the channel is switched off. `answer` is a
 * sentence or the receiver's words, at most MAX_ANSWER_LENGTH characters, without secrets and addresses.
 */
export type SendResult =
  | { readonly outcome: 'sent'; readonly answer: string }
  | { readonly outcome: 'retry'; readonly answer: string; readonly afterMs: number | null }
  | { readonly outcome: 'refused'; readonly answer: string }
  | { readonly outcome: 'gone'; readonly answer: string };

/** Sends a message once. Never throws for what a receiver does. */
export interface AlertSender {
  /** Null: mail is not configured, so people get none. */
  readonly mail: { readonly from: string } | null;
  send(recipient: Recipient, message: AlertMessage, attempt: AttemptOptions): Promise<SendResult>;
}

export interface AttemptOptions {
  /** True: an earlier attempt may have arrived; messages to receivers that ignore ids say so. */
  readonly mayRepeat: boolean;
  readonly signal: AbortSignal;
}
