import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { got } from 'got';
import type { RawAnswer } from './answer.ts';
import { BlockedError } from '../guard/blocked-error.ts';
import { tooBig } from './network-failure.ts';
import type { UrlGuard } from '../guard/url-guard.ts';

/** Bounds of one HTTP exchange. Times in milliseconds, each for one phase. */
export interface ExchangeSettings {
  /** Maximum bytes of a response after decompression; beyond it `tracker_invalid_answer`, or see `overflow`. */
  readonly maxResponseBytes: number;
  /**
   * `cut`: only the beginning of the body is wanted, so the rest is not read, and a body that breaks off or is not
   * complete in time counts as it is.
   */
  readonly overflow?: 'cut';
  readonly lookupTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly tlsTimeoutMs: number;
  /** Milliseconds from the sent request to the first byte of the response. */
  readonly responseTimeoutMs: number;
}

/** Persistent connections. */
export interface Connections {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** `maxFree`: idle connections per host; each is closed after half a minute. */
export function keptConnections(maxFree: number): Connections {
  const options = { keepAlive: true, maxFreeSockets: maxFree, timeout: 30_000 };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

export interface Exchange {
  readonly method: 'GET' | 'PUT' | 'POST';
  /** Replace the headers that every request has: the type is JSON, the agent errgate. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text is JSON. */
  readonly body: string | Uint8Array | null;
  readonly guard: UrlGuard;
  /** Connections to use; null: a separate one. */
  readonly connections: Connections | null;
  readonly settings: ExchangeSettings;
  readonly signal: AbortSignal;
}

/**
 * Sends one request and reads the whole response, with any status. Does not follow redirects; all resolved addresses
 * pass the guard. Throws `BlockedError`, `tooBig`, or the network error. Does not use got's retries: for streams they
 * need `throwHttpErrors`, which reads bodies of refusals without a bound. They would also keep their place in the queue
 * of the host.
 */
export async function exchange(url: URL, asked: Exchange): Promise<RawAnswer> {
  const { method, headers, body, guard, connections, settings, signal } = asked;
  const lookup = guard.lookupFor(url);
  const seen: { refusal: BlockedError | null } = { refusal: null };
  const stream = got.stream(url, {
    method,
    headers: {
      Accept: 'application/json',
      // Some trackers answer in JSON, or at all, only with this header, reads included.
      'Content-Type': 'application/json',
      'User-Agent': 'errgate',
      ...headers,
    },
    ...(body === null ? {} : { body }),
    ...(connections === null ? {} : { agent: connections }),
    dnsLookup: (hostname, options, callback) =>
      lookup(hostname, options, (error, address, family) => {
        if (error instanceof BlockedError) seen.refusal = error;
        callback(error, address, family);
      }),
    followRedirect: false,
    throwHttpErrors: false,
    decompress: true,
    retry: { limit: 0 },
    signal,
    // Limits phases only. The total in `signal` includes waiting in the queue, unlike got's `timeout.request`. A slow
    // body that still moves may use up the rest of it.
    timeout: {
      lookup: settings.lookupTimeoutMs,
      connect: settings.connectTimeoutMs,
      secureConnect: settings.tlsTimeoutMs,
      response: settings.responseTimeoutMs,
    },
  });
  // Ignores errors after the end of the loop below.
  stream.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const cut = settings.overflow === 'cut';
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > settings.maxResponseBytes && !cut) throw tooBig(url.host, settings.maxResponseBytes, bytes);
      chunks.push(chunk);
      if (bytes >= settings.maxResponseBytes && cut) break;
    }
  } catch (error) {
    if (!cut || stream.response === undefined) throw seen.refusal ?? error;
  }
  const { response } = stream;
  if (response === undefined) throw Object.assign(new Error('closed'), { code: 'ECONNRESET' });
  const text = Buffer.concat(chunks, Math.min(bytes, settings.maxResponseBytes)).toString('utf8');
  return { status: response.statusCode, headers: response.headers, body: text };
}
