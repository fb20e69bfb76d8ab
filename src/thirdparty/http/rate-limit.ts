import type { AppError } from '../../domain/app-error.ts';
import { header, type RawAnswer } from './answer.ts';
import { trackerError } from './tracker-errors.ts';

/** Maximum accepted wait of a tracker, in milliseconds. */
const MAX_WAIT_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
/** Default wait in milliseconds: the windows of trackers are one second. */
const DEFAULT_WAIT_MS = 1000;

/** Milliseconds of `Retry-After`, which has seconds or a date; null when absent, malformed or not later than now. */
export function retryAfterMs(text: string | null, now: number): number | null {
  if (text === null || text.trim() === '') return null;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(wait) && wait > 0 ? wait : null;
}

/** Milliseconds that a 429 asks for: the later of `Retry-After` and the end of the window, at most an hour. */
export function limitPause(answer: Pick<RawAnswer, 'headers'>, now: number): number {
  const reset = Number(header(answer, 'x-sentry-rate-limit-reset') ?? Number.NaN) * 1000;
  const untilReset = Number.isFinite(reset) ? reset - now : 0;
  const wait = Math.max(retryAfterMs(header(answer, 'retry-after'), now) ?? 0, untilReset);
  return wait > 0 ? Math.min(wait, MAX_PAUSE_MS) : DEFAULT_WAIT_MS;
}

/** Milliseconds for which requests are refused after a 429: a minute at most, because people wait for them. */
export function limitWait(pauseMs: number): number {
  return Math.min(pauseMs, MAX_WAIT_MS);
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** `pauseMs`: what the tracker asked for; may be longer than `waitMs`. */
export function limited(host: string, waitMs: number, pauseMs = waitMs): AppError {
  return trackerError(
    'tracker_limited',
    `the third-party tracker at ${host} takes no more requests for the moment; try again later`,
    'Third-party response status code: 429',
    { retryAfterSeconds: seconds(waitMs), status: 429, pauseSeconds: seconds(Math.max(waitMs, pauseMs)) },
  );
}
