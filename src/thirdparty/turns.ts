import { AppError } from '../domain/app-error.ts';
import { Deadline } from './deadline.ts';
import { timedOut } from './network-failure.ts';
import { hostOf, type TrackerSession } from './session.ts';
import { callerGone } from './tracker-errors.ts';

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
  const deadline = new Deadline(turnLimitMs, session.signal);
  try {
    const giveBack = await turns.take(deadline.signal);
    if (isKnown()) giveBack();
    try {
      return await run({ ...session, signal: deadline.signal });
    } catch (error) {
      if (isOutage(error) && !deadline.signal.aborted) turns.fail(error);
      throw error;
    } finally {
      giveBack();
    }
  } catch (error) {
    if (deadline.late) throw timedOut(hostOf(session));
    throw session.signal?.aborted === true ? callerGone() : error;
  } finally {
    deadline.done();
  }
}
