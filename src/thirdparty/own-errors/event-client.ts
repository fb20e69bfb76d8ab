import { envelopeUrl, sentryAuth, type TargetDsn } from '../../domain/projects/dsn.ts';
import { limitPause } from '../http/rate-limit.ts';
import { CLIENT_NAME, type ErrorEvent } from './error-event.ts';

/** Milliseconds for a whole request. */
const TOTAL_MS = 10_000;

/** The event in an envelope, as SDKs send it. */
function envelopeOf(event: ErrorEvent): string {
  const head = { event_id: event.event_id, sent_at: new Date().toISOString(), sdk: event.sdk };
  return `${[head, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** Answer to an event; `pauseMs`: milliseconds in which the address wants no other one. */
export interface EventAnswer {
  readonly status: number;
  readonly pauseMs: number;
}

/**
 * Sends an event to the address of a DSN, which the operator has named: it may be on this machine. Redirects are not
 * followed. Throws what `fetch` throws when nothing answers, and a `TimeoutError` after `totalMs` milliseconds.
 */
export async function sendEvent(
  dsn: TargetDsn,
  event: ErrorEvent,
  headers: Readonly<Record<string, string>> = {},
  totalMs = TOTAL_MS,
): Promise<EventAnswer> {
  const answer = await fetch(envelopeUrl(dsn), {
    method: 'POST',
    body: envelopeOf(event),
    headers: {
      'Content-Type': 'application/x-sentry-envelope',
      'X-Sentry-Auth': sentryAuth(dsn, `${CLIENT_NAME}/${event.sdk.version}`),
      'User-Agent': `errgate/${event.sdk.version}`,
      ...headers,
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(totalMs),
  });
  await answer.body?.cancel();
  const { status } = answer;
  return {
    status,
    pauseMs: status === 429 ? limitPause({ headers: Object.fromEntries(answer.headers) }, Date.now()) : 0,
  };
}
