import { AppError } from '../domain/app-error.ts';
import type { TrackerSession } from './session.ts';
import { within } from './within.ts';

/** The tracker is away or has enough: whoever asks next meets the same. */
function isOutage(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'tracker_unreachable' || error.code === 'tracker_limited');
}

/**
 * Asks when everybody who came before has been answered, so that what one learns the next already knows; at once
 * when the answer `isKnown` by then. Waiting and asking together end with the time for a turn (`tracker_unreachable`)
 * or with the caller. A tracker that fails whoever is in front fails those who wait behind as well.
 */
export async function inTurn<T>(
  session: TrackerSession,
  isKnown: () => boolean,
  run: (session: TrackerSession) => Promise<T>,
): Promise<T> {
  const { turns, turnLimitMs } = session.dialect;
  return within(session, turnLimitMs, async ({ signal, ...rest }) => {
    const giveBack = await turns.take(signal);
    if (isKnown()) giveBack();
    try {
      return await run({ ...rest, signal });
    } catch (error) {
      if (isOutage(error) && !signal.aborted) turns.fail(error);
      throw error;
    } finally {
      giveBack();
    }
  });
}
