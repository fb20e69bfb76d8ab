import { AppError } from '../domain/app-error.ts';
import type { TrackerSession } from './session.ts';
import { askTrackerWithin } from './http/ask-within.ts';

/** Outages that also apply to the next request. */
function isOutage(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'tracker_unreachable' || error.code === 'tracker_limited');
}

/** Waits for the end of a request; rejects when the signal aborts. */
function endOf(question: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    const done = (): void => signal.removeEventListener('abort', stop);
    void question.finally(done).then(resolve, reject);
  });
}

/**
 * Serialises requests that may reveal behaviour of the tracker, so that later ones use it. Runs at once when `isKnown`.
 * Wait and request together end with the turn limit (`tracker_unreachable`) or with the caller. An outage rejects all
 * waiting requests.
 */
export async function serialiseUntilKnown<T>(
  session: TrackerSession,
  isKnown: () => boolean,
  run: (session: TrackerSession) => Promise<T>,
): Promise<T> {
  const { dialect } = session;
  return askTrackerWithin(session, dialect.turnLimitMs, async (limited) => {
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
