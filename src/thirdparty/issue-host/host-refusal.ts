import { header, type RawAnswer, type TrackerReply } from '../http/answer.ts';
import { retryAfterMs } from '../http/rate-limit.ts';
import type { HostDialect } from './host-dialect.ts';

/** Seconds to wait, where a host limits requests; null: it does not. GitHub also answers 403 for its limits. */
function limitSeconds(answer: RawAnswer, now: number): number | null {
  const wait = retryAfterMs(header(answer, 'retry-after'), now);
  const isUsedUp = header(answer, 'x-ratelimit-remaining') === '0';
  if (answer.status !== 429 && !(answer.status === 403 && (wait !== null || isUsedUp))) return null;
  const reset = Number(header(answer, 'x-ratelimit-reset') ?? Number.NaN) * 1000 - now;
  const untilReset = isUsedUp && Number.isFinite(reset) ? reset : 0;
  return Math.max(1, Math.ceil(Math.max(wait ?? 0, untilReset) / 1000));
}

function inWords(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Says why a host refused a request with the token, and what to do. */
export function refusalOf(
  { name, permission }: HostDialect,
  project: string,
  host: string,
  reply: TrackerReply,
  answer: RawAnswer,
  now: number,
): string {
  const { status, detail, location } = reply;
  const said = detail === null ? '' : ` (it says: ${detail})`;
  const wait = limitSeconds(answer, now);
  if (wait !== null)
    return `${host} takes no more requests with this token for the moment: try again in ${inWords(wait)}`;
  if (status >= 300 && status < 400) {
    const target = location === undefined ? 'another address' : location;
    return `${host} sends to ${target}, where the token is not sent: enter the final address of ${name} and of the project in the settings`;
  }
  switch (status) {
    case 401:
      return `${host} does not accept the token: it is wrong, expired or revoked, so enter a new one in the settings${said}`;
    case 403:
      return `${host} accepts the token, but does not allow this: ${permission}${said}`;
    case 404:
      return `${host} shows this token no project ${project}: check its path, and that the token has access to it`;
    case 410:
      return `issues are switched off in ${project} on ${host}: switch them on there`;
    case 400:
    case 422:
      return `${host} did not accept the issue${said}: change its title or description`;
    default:
      return status >= 500
        ? `${host} reported an error of its own with status ${status}; try again later`
        : `${host} refused the request with status ${status}${said}`;
  }
}
