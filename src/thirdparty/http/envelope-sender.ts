import { AppError } from '../../domain/app-error.ts';
import type { SendEnvelope } from '../../domain/ports/envelope-sender.ts';
import { header } from './answer.ts';
import { exchange, type ExchangeSettings, keptConnections } from './exchange.ts';
import { blocked, networkFailure, timedOut } from './network-failure.ts';
import type { UrlGuard } from '../guard/url-guard.ts';

/** Milliseconds for a whole request, its answer included. */
const TOTAL_MS = 10_000;
/** Idle connections that are kept per host. */
const KEPT_CONNECTIONS = 4;

const SETTINGS: ExchangeSettings = {
  maxResponseBytes: 64 * 1024,
  lookupTimeoutMs: TOTAL_MS,
  connectTimeoutMs: TOTAL_MS,
  tlsTimeoutMs: TOTAL_MS,
  responseTimeoutMs: TOTAL_MS,
};

export interface EnvelopeSender {
  readonly send: SendEnvelope;
  /** Ends idle connections. */
  close(): void;
}

/** Creates the client that sends envelopes: every address passes the guard, redirects are never followed. */
export function createEnvelopeSender(guard: UrlGuard, totalMs = TOTAL_MS): EnvelopeSender {
  const connections = keptConnections(KEPT_CONNECTIONS);
  return {
    async send({ url: address, headers, body }, signal) {
      const url = new URL(address);
      const refusal = guard.refusal(address);
      if (refusal !== null) throw blocked(url.host, refusal);
      const limit = AbortSignal.timeout(totalMs);
      try {
        const bounded = AbortSignal.any([signal, limit]);
        const asked = { headers, body, guard, connections, settings: SETTINGS, signal: bounded };
        const answer = await exchange(url, { method: 'POST', ...asked });
        return {
          status: answer.status,
          rateLimits: header(answer, 'x-sentry-rate-limits'),
          retryAfter: header(answer, 'retry-after'),
        };
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw limit.aborted ? timedOut(url.host) : networkFailure(error, url.host);
      }
    },
    close() {
      connections.http.destroy();
      connections.https.destroy();
    },
  };
}
