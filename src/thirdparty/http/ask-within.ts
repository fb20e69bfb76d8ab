import { within } from '../../lib/within.ts';
import { timedOut } from './network-failure.ts';
import { callerGone } from './tracker-errors.ts';

/**
 * Runs a request to a tracker with a total limit in milliseconds. The signal of `ask` aborts at the limit, or when
 * `caller` aborts. Both throw `tracker_unreachable`: as `timedOut` or as `callerGone`.
 */
export async function askWithin<T>(
  host: string,
  limitMs: number,
  caller: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = (): never => {
    throw timedOut(host);
  };
  if (caller === undefined) return within(limitMs, ask, late);
  try {
    return await within(limitMs, (limit) => untilEither(caller, limit, ask), late);
  } catch (error) {
    throw caller.aborted ? callerGone() : error;
  }
}

/**
 * Runs work whose signal aborts with either signal. `AbortSignal.any` would keep all that listens to its result for as
 * long as `caller` lives: with that of an import, every request of it.
 */
async function untilEither<T>(
  caller: AbortSignal,
  limit: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const either = new AbortController();
  const stop = (): void => either.abort();
  if (caller.aborted || limit.aborted) stop();
  caller.addEventListener('abort', stop, { once: true });
  limit.addEventListener('abort', stop, { once: true });
  try {
    return await work(either.signal);
  } finally {
    caller.removeEventListener('abort', stop);
  }
}

interface Access {
  readonly target: { readonly baseUrl: string };
  readonly signal?: AbortSignal;
}

/** As `askWithin`, with access to a tracker. */
export function askTrackerWithin<A extends Access, T>(
  access: A,
  limitMs: number,
  ask: (limited: A & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const { host } = new URL(access.target.baseUrl);
  return askWithin(host, limitMs, access.signal, (signal) => ask({ ...access, signal }));
}
