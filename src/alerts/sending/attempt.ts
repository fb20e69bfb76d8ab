import { logFields, AppError } from '../../domain/app-error.ts';
import { MAX_ANSWER_LENGTH } from '../../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../../domain/alerts/alert-message.ts';
import type { AlertSender, SendResult } from '../../domain/ports/alert-sender.ts';
import { within } from '../../lib/within.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Target } from './message-target.ts';

/** Maximum milliseconds of one attempt. */
const ATTEMPT_MS = 60_000;

export interface AttemptParts {
  readonly sender: AlertSender;
  readonly logger: Pick<Logger, 'error'>;
}

/** Sends a message once; never throws. An attempt that takes a minute, or that stops with the service, is repeated. */
export async function attempt(
  target: Target,
  message: AlertMessage,
  mayRepeat: boolean,
  stop: AbortSignal,
  { sender, logger }: AttemptParts,
): Promise<SendResult> {
  const retry = (answer: string): SendResult => ({ outcome: 'retry', answer, afterMs: null });
  try {
    const recipient = target.recipient();
    const result = await within(
      ATTEMPT_MS,
      (late) => sender.send(recipient, message, { mayRepeat, signal: AbortSignal.any([late, stop]) }),
      () => retry('The receiver took longer than a minute.'),
    );
    return { ...result, answer: result.answer.slice(0, MAX_ANSWER_LENGTH) };
  } catch (error) {
    if (error instanceof AppError) return retry(error.message.slice(0, MAX_ANSWER_LENGTH));
    logger.error(logFields(error), 'a message could not be sent because of an error in errgate; it is retried');
    return retry('An error in errgate, see its log.');
  }
}
