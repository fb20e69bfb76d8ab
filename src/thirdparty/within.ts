import { Deadline } from './deadline.ts';
import { timedOut } from './network-failure.ts';
import { hostOf, type TrackerAccess } from './session.ts';
import { callerGone } from './tracker-errors.ts';

/**
 * Asks with a limit of its own for everything together, in milliseconds from now. Throws `tracker_unreachable` when
 * that has passed, whoever else waits.
 */
export async function within<A extends TrackerAccess, T>(
  access: A,
  limitMs: number,
  ask: (limited: A & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(limitMs, access.signal);
  try {
    return await ask({ ...access, signal: deadline.signal });
  } catch (error) {
    if (deadline.late) throw timedOut(hostOf(access));
    throw access.signal?.aborted === true ? callerGone() : error;
  } finally {
    deadline.done();
  }
}
