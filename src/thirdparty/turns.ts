import { AppError } from '../domain/app-error.ts';
import type { TrackerSession } from './session.ts';
import { within } from './within.ts';

/** The tracker is away or has enough: the next question meets the same. */
function isOutage(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'tracker_unreachable' || error.code === 'tracker_limited');
}

/** Waits for the end of a question; rejects as soon as the signal is aborted. */
function endOf(question: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    const settled = (): void => signal.removeEventListener('abort', stop);
    void question.finally(settled).then(resolve, reject);
  });
}

/**
 * Asks when no other question that may teach something is under way, so that what one learns the next already knows;
 * at once when the answer `isKnown` by then. Waiting and asking together end with the time for a turn
 * (`tracker_unreachable`) or with the caller. An outage that one question meets fails those that wait for its end.
 */
export async function inTurn<T>(
  session: TrackerSession,
  isKnown: () => boolean,
  run: (session: TrackerSession) => Promise<T>,
): Promise<T> {
  const { dialect } = session;
  return within(session, dialect.turnLimitMs, async (limited) => {
    while (dialect.question !== null && !isKnown()) await endOf(dialect.question, limited.signal);
    if (isKnown()) return run(limited);
    const asked = run(limited);
    const question = asked.then(
      () => undefined,
      (error: unknown) => {
        if (isOutage(error) && !limited.signal.aborted) throw error;
      },
    );
    dialect.question = question;
    const ended = (): void => {
      if (dialect.question === question) dialect.question = null;
    };
    question.then(ended, ended);
    return asked;
  });
}
