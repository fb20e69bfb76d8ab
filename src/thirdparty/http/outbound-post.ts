import type { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { MAX_ANSWER_BYTES, type PostOnce, type PostOutcome } from '../../domain/ports/outbound-post.ts';
import { header } from './answer.ts';
import { exchange, type ExchangeSettings } from './exchange.ts';
import { blockCure, BlockedError } from '../guard/blocked-error.ts';
import { networkFailure } from './network-failure.ts';
import { retryAfterMs } from './rate-limit.ts';
import type { UrlGuard } from '../guard/url-guard.ts';

/** Milliseconds for the whole request, its answer included. */
const TOTAL_MS = 30_000;

const settingsOf = (totalMs: number): ExchangeSettings => ({
  maxResponseBytes: MAX_ANSWER_BYTES,
  overflow: 'cut',
  lookupTimeoutMs: totalMs,
  connectTimeoutMs: totalMs,
  tlsTimeoutMs: totalMs,
  responseTimeoutMs: totalMs,
});

/** Says why the guard refused an address, and what to do. */
export function whyBlocked({ message, kind }: BlockedError, host: string, thing: 'receiver' | 'host'): string {
  return `${message}; ${blockCure(kind, host, thing)}`;
}

function blocked(error: BlockedError, host: string): PostOutcome {
  return { kind: 'blocked', why: whyBlocked(error, host, 'receiver') };
}

/**
 * Says why there is no answer, for every reason of `networkFailure`. `after`: added where the request may have had its
 * effect.
 */
export function whyFailed(error: unknown, host: string, totalMs: number, after = ''): string {
  const { details } = networkFailure(error, host) as AppError<'tracker_unreachable'>;
  const given = typeof error === 'object' && error !== null ? (Reflect.get(error, 'code') as unknown) : null;
  const code = typeof given === 'string' ? ` (${given})` : '';
  const why: Readonly<Record<string, string>> = {
    timeout: `no answer within ${totalMs / 1000} seconds`,
    refused: 'nothing listens at this address',
    unresolvable: `the name ${host} cannot be resolved`,
    tls: `the certificate or the TLS of ${host} was not accepted${code}; for an authority of your own start errgate with NODE_EXTRA_CA_CERTS`,
    socket: `the connection broke${code}`,
    http: `the answer is not valid HTTP${code}`,
  };
  const reason = details?.reason ?? '';
  const sentence = why[reason] ?? `the request failed${code}`;
  return NEVER_SENT.has(reason) ? sentence : sentence + after;
}

/** Reasons with which no request was sent. */
const NEVER_SENT: ReadonlySet<string> = new Set(['refused', 'unresolvable', 'tls']);

/**
 * Creates the client of alerts: every address passes the guard, redirects are not followed, no connection is kept.
 * `limitAfter` returns the signal that ends a request after `totalMs`; tests give one of their own.
 */
export function createOutboundPost(
  guard: UrlGuard,
  clock: Clock,
  totalMs = TOTAL_MS,
  limitAfter: (ms: number) => AbortSignal = (ms) => AbortSignal.timeout(ms),
): PostOnce {
  const settings = settingsOf(totalMs);
  return async ({ url: address, headers, body }, signal) => {
    const refusal = guard.refusal(address);
    if (refusal !== null) {
      return blocked(refusal, URL.canParse(address) ? new URL(address).host : 'the receiver');
    }
    const url = new URL(address);
    const limit = limitAfter(totalMs);
    try {
      const bounded = AbortSignal.any([signal, limit]);
      const answer = await exchange(url, {
        method: 'POST',
        headers,
        body,
        guard,
        connections: null,
        settings,
        signal: bounded,
      });
      return {
        kind: 'answered',
        status: answer.status,
        retryAfterMs: retryAfterMs(header(answer, 'retry-after'), clock.now()),
        body: answer.body,
      };
    } catch (error) {
      if (error instanceof BlockedError && error.kind !== 'unresolvable') return blocked(error, url.host);
      if (signal.aborted) return { kind: 'failed', why: 'errgate was stopped before the answer came' };
      const cause = limit.aborted ? Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }) : error;
      return { kind: 'failed', why: whyFailed(cause, url.host, totalMs) };
    }
  };
}
