import { STATUS_CODES } from 'node:http';
import type { ChannelSecrets } from '../../domain/alerts/alert-channel.ts';
import { MAX_ANSWER_LENGTH } from '../../domain/alerts/alert-delivery.ts';
import type { SendResult } from '../../domain/ports/alert-sender.ts';
import type { PostOutcome } from '../../domain/ports/outbound-post.ts';
import { isRecord } from '../../lib/own-property.ts';
import { plainText } from '../event-text.ts';

/** Statuses beside 5xx after which a later attempt may succeed. */
const RETRIED: ReadonlySet<number> = new Set([408, 409, 425, 429]);
/** Parts of addresses that are no secrets, and words of answers. */
const ORDINARY: ReadonlySet<string> = new Set([
  'alerts',
  'invoke',
  'manual',
  'notify',
  'services',
  'triggers',
  'webhooks',
  'workflows',
]);
/** Parts of an address from this length on may be secrets. */
const MIN_SECRET = 6;

/** Lists the parts of an address and the secret that an answer must not repeat, the longest first. */
function secretsIn({ url, secret, previous }: ChannelSecrets): string[] {
  const { pathname, searchParams, href } = new URL(url);
  const raw = [href, secret ?? '', previous?.secret ?? '', pathname, ...pathname.split('/'), ...searchParams.values()];
  const decoded = raw.map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const known = [...raw, ...decoded].filter((part) => part.length >= MIN_SECRET && !ORDINARY.has(part));
  return [...new Set(known)].sort((a, b) => b.length - a.length);
}

/** Removes address and secret from an answer, and makes it one line of at most MAX_ANSWER_LENGTH characters. */
function withoutSecrets(answer: string, secrets: ChannelSecrets): string {
  const hidden = secretsIn(secrets).reduce((text, secret) => text.replaceAll(secret, '[hidden]'), answer);
  return plainText(hidden, MAX_ANSWER_LENGTH);
}

/** Reads the wait of Discord, whose JSON has seconds. */
function retryAfterInBody(body: string): number | null {
  try {
    const parsed: unknown = JSON.parse(body);
    const seconds = isRecord(parsed) ? parsed['retry_after'] : null;
    return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : null;
  } catch {
    return null;
  }
}

function statusLine(status: number, body: string): string {
  const name = STATUS_CODES[status];
  const line = name === undefined ? String(status) : `${status} ${name}`;
  return body.trim() === '' ? line : `${line}: ${body}`;
}

/** Decides what the outcome of a POST means for the message. Answers have neither the address nor the secret. */
export function postResult(outcome: PostOutcome, secrets: ChannelSecrets): SendResult {
  if (outcome.kind !== 'answered') {
    const answer = withoutSecrets(outcome.why, secrets);
    return outcome.kind === 'blocked' ? { outcome: 'refused', answer } : { outcome: 'retry', answer, afterMs: null };
  }
  const { status, body, retryAfterMs } = outcome;
  const answer = withoutSecrets(statusLine(status, body), secrets);
  if (status >= 200 && status < 300) return { outcome: 'sent', answer };
  if (status === 410) return { outcome: 'gone', answer };
  if (status >= 500 || RETRIED.has(status)) {
    return { outcome: 'retry', answer, afterMs: retryAfterMs ?? retryAfterInBody(body) };
  }
  const isRedirect = status >= 300 && status < 400;
  return {
    outcome: 'refused',
    answer: isRedirect ? `${status}: redirects are not followed; enter the address that it leads to` : answer,
  };
}
